"""
CPU to GPU bandwidth: pinned memory and size
============================================

Keep data that you transfer often in pinned memory, and combine small transfers: large transfers from
pinned memory come closest to what the link between CPU and GPU can do.
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
