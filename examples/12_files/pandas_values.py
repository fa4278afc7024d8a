"""
DataFrame to tensor: to_numpy and copies
========================================

Call ``frame.to_numpy(copy=True)`` for an array that you may change, as pandas 3 otherwise returns a
read-only one; ``contiguous()`` on the tensor puts whole rows together.
"""

# sphinx_gallery_tags = ["pandas", "read-only", "layout"]

import numpy as np
import pandas as pd
import torch

# %%
# Since release 3 the objects of pandas `share memory until one of them is written
# <https://pandas.pydata.org/docs/user_guide/copy_on_write.html>`__. The array that one hands out is
# read-only, so that nobody writes past this rule; a tensor on it would, as
# :doc:`/gallery/04_layout/copy_on_write_frames` shows.

frame = pd.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0]})
print(frame["x"].to_numpy().flags.writeable, frame.values.flags.writeable)
# => False False

# %%
# ``copy=True`` gives an array of your own, and is the safe form for anything that will be changed.
# A cast copies too, but marks the matrix of a frame as read-only all the same, and torch would
# warn for nothing: say both.

own = frame.to_numpy(copy=True)
single = frame.to_numpy(dtype="float32")
both = frame.to_numpy(dtype="float32", copy=True)
print(own.flags.writeable, single.flags.writeable, both.flags.writeable)
# => True False True
print(np.shares_memory(single, frame["x"].to_numpy()))
# => False

# %%
# pandas keeps each column together, so the matrix comes out with its strides swapped, and a copy
# keeps that, :func:`torch.tensor` included. The values are right; where code wants whole rows in
# memory, ask for them.

print(torch.from_numpy(own).stride(), torch.tensor(own).stride())
# => (1, 2) (1, 2)
print(torch.tensor(own).contiguous().stride())
# => (2, 1)

# %%
# In the other direction ``pd.DataFrame`` `copies an array since release 3
# <https://pandas.pydata.org/docs/user_guide/copy_on_write.html>`__, so the frame is safe from the
# tensor.

source = torch.ones(2, 2)
fresh = pd.DataFrame(source.numpy(), columns=["x", "y"])
source.zero_()
print(fresh["x"].tolist())
# => [1.0, 1.0]

# %%
# ``copy=False`` shares with the tensor, without a warning. It suits a frame that is only looked
# at.

window = pd.DataFrame(source.numpy(), columns=["x", "y"], copy=False)
source.fill_(7)
print(window["x"].tolist())
# => [7.0, 7.0]

# %%
# An index is lost on the way in and does not come back. Keep it, and put it on the new frame.

named = pd.DataFrame({"x": [0.5, 1.5]}, index=["a", "b"])
doubled = torch.tensor(named.to_numpy()) * 2
print(pd.DataFrame(doubled.numpy(), index=named.index, columns=named.columns).loc["b"].tolist())
# => [3.0]
