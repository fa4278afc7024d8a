"""
What sharing saves
==================

Decide from which size on a copy matters.
"""

# sphinx_gallery_tags = ["performance", "sharing", "copy"]

import matplotlib.pyplot as plt

from tensor_atlas.figures import draw, environment, measurement

# %%
# The measurement names its environment. Each case was timed in turn, round after round; the line is
# the median, the band holds the middle half of the rounds.

measured = measurement()
print(environment(measured))

# %%
# Sharing takes the same time whatever the size, so its own line is flat. A copy pays for the call as
# well, and for every byte: while the data are small the first counts, then only the second.

figure, both = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
draw(both[0], measured, "to a tensor", "torch.from_numpy(array)")
both[0].set_xlabel("bytes")
draw(both[1], measured, "to an array", "tensor.numpy()")
both[1].set_xlabel("bytes")

# %%
# So the choice between sharing and copying is about correctness first. :doc:`/gallery/01_numpy_to_tensor/from_numpy`
# and :doc:`/gallery/02_tensor_to_numpy/two_views` show what sharing means for later writes.
