"""
From image to batch
===================

Decide in which order to cast and to move the channels of an image.
"""

# sphinx_gallery_tags = ["performance", "layout", "image"]

import matplotlib.pyplot as plt

from tensor_atlas.figures import draw, environment, measurement

# %%
# The measurement names its environment. Each case was timed in turn, round after round; the line is
# the median, the band holds the middle half of the rounds.

measured = measurement()
print(environment(measured))

# %%
# A loaded image is height × width × channel in bytes, a network wants channel × height × width in
# floats. Four orders of the same steps give the same values; the last leaves the elements where they
# are, in the layout that torch calls channels last.

figure, axes = plt.subplots(figsize=(9, 5), layout="constrained")
draw(axes, measured, "an image", "permute, float, left as channels last")
axes.set_xlabel("pixels of a side")

# %%
# Whether code after it minds that layout is shown in the chapter on layout.
