"""
Image to batch: which order of steps is fastest
===============================================

Four orders of permuting, casting and dividing an image give the same values at different speeds.
The figure compares them by size; leaving the image channels last moves no channels.
"""

# sphinx_gallery_tags = ["performance", "layout", "image"]

import matplotlib.pyplot as plt

from tensor_atlas.timings.figures import describe_measurement, draw_times, read_measurement

# %%
# The measurement names its environment. Each case was timed in turn, round after round; the line is
# the median, the band holds the middle half of the rounds.

measured = read_measurement()
print(describe_measurement(measured))

# %%
# A loaded image is height × width × channel in bytes, a network wants channel × height × width in
# floats. Four orders of the same steps give the same values. The last moves no channels: it keeps
# the order of the elements, which torch calls channels last.

figure, axes = plt.subplots(figsize=(9, 5), layout="constrained")
draw_times(axes, measured, "an image", "permute, float, left as channels last")
axes.set_xlabel("pixels of a side")

# %%
# :doc:`/gallery/04_layout/channels_last_batches` shows what keeps that layout and what gives it up.
