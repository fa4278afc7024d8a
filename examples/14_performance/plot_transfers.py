"""
CPU to GPU bandwidth: pinned memory and size
============================================

How fast data moves between CPU and GPU depends on its size and on pinned memory. The figures show
both, and stay empty until somebody has measured them on a GPU.
"""

# sphinx_gallery_tags = ["performance", "device", "pinned", "non_blocking"]

import matplotlib.pyplot as plt

from tensor_atlas.timings.figures import describe_measurement, draw_bandwidth, read_gpu_measurement

# %%
# Transfers can be timed on a GPU only, so they have a measurement of their own, with its device,
# driver and day. Until a GPU builder has made one, the line below and the figures say so.

measured = read_gpu_measurement()
print(describe_measurement(measured))

# %%
# The time of an upload runs from the call until every value has arrived, however the call waits. The
# dashed line is what one plain large copy from pinned memory reached in the same run, by the clock of
# the device: what the link can do. Where a line stays below it on the left, what each transfer costs
# by itself counts for more than its bytes.

figure, axes = plt.subplots(figsize=(9, 5), layout="constrained")
draw_bandwidth(axes, measured, "host to device")

# %%
# On the way back ``cpu()`` also has to allocate the memory that it returns. ``copy_`` into a tensor
# that is kept leaves that out. How much that and pinned memory gain is what the lines show.

figure, axes = plt.subplots(figsize=(9, 5), layout="constrained")
draw_bandwidth(axes, measured, "device to host")

# %%
# A copy that stays on the device is limited by the memory of the GPU and crosses no link. The scale
# is another one than above.

figure, axes = plt.subplots(figsize=(9, 5), layout="constrained")
draw_bandwidth(axes, measured, "within the device")

# %%
# :doc:`/guides/devices` reads its advice off the same file. Pinned memory and transfers that do not
# wait have rules: :doc:`/gallery/07_cuda/pinned_memory`, :doc:`/gallery/07_cuda/pending_upload`.
