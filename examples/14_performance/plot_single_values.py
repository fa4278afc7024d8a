"""
tolist, item or a loop: which is fastest
========================================

Call ``tensor.tolist()`` once instead of looping over a tensor with ``item()``: the loop makes a
tensor of each element first.
"""

# sphinx_gallery_tags = ["performance", "item", "tolist"]

import matplotlib.pyplot as plt

from tensor_atlas.timings.figures import describe_measurement, draw_times, read_measurement

# %%
# The measurement names its environment. Each case was timed in turn, round after round; the line is
# the median, the band holds the middle half of the rounds.

measured = read_measurement()
print(describe_measurement(measured))

# %%
# A loop over a tensor makes a tensor of each element first, and :meth:`torch.Tensor.item` takes it
# apart again. :meth:`torch.Tensor.tolist` does the whole in one call.

figure, axes = plt.subplots(figsize=(9, 5), layout="constrained")
draw_times(axes, measured, "single values", "tensor.tolist()")
axes.set_xlabel("elements")

# %%
# What each of these gives back is in :doc:`/gallery/02_tensor_to_numpy/single_value`.
