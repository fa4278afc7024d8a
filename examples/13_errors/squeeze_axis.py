"""
ValueError: cannot select an axis to squeeze out which has size not …
=====================================================================

NumPy's ``squeeze(axis)`` refuses an axis whose length is not 1, such as two channels, where torch leaves it:
pick one, or take their mean.

.. fix::

   - stereo.numpy().squeeze(0)
   + mono = stereo.mean(dim=0, keepdim=True)
   + mono.numpy().squeeze(0)
"""

# sphinx_gallery_tags = ["shape", "audio", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# The code was written for recordings with one channel. This one is stereo.

stereo = torch.arange(6.0).reshape(2, 3)
try:
    stereo.numpy().squeeze(0)
except ValueError as error:
    print(error)
# => cannot select an axis to squeeze out which has size not equal to one

# %%
# The same call of a tensor returns it with its axes as they were, and code that follows gets a shape that
# it does not expect.

print(stereo.squeeze(0).shape)
# => torch.Size([2, 3])

# %%
# The fix
# -------
#
# Take the mean of the channels, or one of them. With ``keepdim=True`` their axis then has length 1, and after an index
# it is gone.

mono = stereo.mean(dim=0, keepdim=True)
print(mono.numpy().squeeze(0))
# => [1.5 2.5 3.5]
print(stereo[0].numpy())
# => [0. 1. 2.]

# %%
# For a batch of several samples, keep the axis, or go through the samples.

batch = torch.zeros(2, 1, 4, 4)
print([sample.numpy().squeeze(0).shape for sample in batch])
# => [(4, 4), (4, 4)]

# %%
# Is it an axis of length 1 in another place? Print the shape and name that axis.

column = np.zeros((3, 1))
print(column.shape, column.squeeze(1).shape)
# => (3, 1) (3,)

# %%
# What does not help
# ------------------
#
# ``squeeze()`` without an axis raises nothing and leaves the two channels here.

print(stereo.numpy().squeeze().shape)
# => (2, 3)
