"""
CPU to GPU bandwidth: pinned memory and size
============================================

How fast data moves between CPU and GPU depends on its size and on pinned memory: large transfers
from pinned memory come closest to what the link between the two can do.
"""

# %%
# .. timings:: host to device; device to host; within the device
#
# An upload is timed from the call until every value has arrived. In the other direction, ``cpu()``
# also allocates memory for its result, but ``copy_`` into an existing tensor does not. A copy
# within the device does not use the link.
#
# Pinned memory and ``non_blocking`` transfers have rules: :doc:`/gallery/07_cuda/pinned_memory`,
# :doc:`/gallery/07_cuda/pending_upload`. :doc:`/guides/devices` gives advice based on the same
# measurement.
