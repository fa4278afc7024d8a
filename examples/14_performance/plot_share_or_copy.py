"""
How long does a copy take, and sharing?
=======================================

The time to share memory does not depend on the size of the data, and a copy pays for every byte.
The figure shows from which size on a copy matters.
"""

# sphinx_gallery_tags = ["performance", "sharing", "copy"]

import matplotlib.pyplot as plt

from tensor_atlas.timings.figures import describe_measurement, draw_times, read_measurement

# %%
# The measurement names its environment. Each case was timed in turn, round after round; the line is
# the median, the band holds the middle half of the rounds.

measured = read_measurement()
print(describe_measurement(measured))

# %%
# Each time is divided by that of the call that the axis names, so its own line is 1 everywhere.
# That call shares, and the time to share does not depend on the size. The other calls that share
# therefore stay near one multiple. A copy pays for the call and for every byte: with small data the
# call counts, with large data the bytes do.

figure, both = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
draw_times(both[0], measured, "to a tensor", "torch.from_numpy(array)")
both[0].set_xlabel("bytes")
draw_times(both[1], measured, "to an array", "tensor.numpy()")
both[1].set_xlabel("bytes")

# %%
# The choice between sharing and copying is about correctness first.
# :doc:`/gallery/01_numpy_to_tensor/from_numpy` and :doc:`/gallery/02_tensor_to_numpy/two_views`
# show what sharing means for later writes.
