"""
Timings: many arrays to one tensor
==================================

Stack a list of arrays with ``np.stack`` before ``torch.from_numpy``: ``torch.tensor`` on a list
walks through it element by element, and is slow.
"""

# sphinx_gallery_tags = ["performance", "list", "stack"]

import matplotlib.pyplot as plt

from tensor_atlas.timings.figures import describe_measurement, draw_times, read_measurement

# %%
# The measurement names its environment. Each case was timed in turn, round after round; the line is
# the median, the band holds the middle half of the rounds.

measured = read_measurement()
print(describe_measurement(measured))

# %%
# :func:`torch.tensor` walks through a list element by element, and warns that this is slow. Every
# way that lets NumPy or torch join whole arrays avoids that walk.

figure, axes = plt.subplots(figsize=(9, 5), layout="constrained")
draw_times(axes, measured, "a list of arrays", "torch.from_numpy(np.stack(arrays))")
axes.set_xlabel("arrays of 100 numbers")

# %%
# The warning has a page of its own, :doc:`/gallery/13_errors/list_of_arrays`. Lists of unequal
# lengths are in :doc:`/gallery/01_numpy_to_tensor/lists_of_arrays`.
