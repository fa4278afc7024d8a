"""
DataFrame to tensor: to_numpy and copies
========================================

Call ``frame.to_numpy(copy=True)`` for an array that you may change, as pandas 3 often returns a
read-only one; ``contiguous()`` on the tensor puts whole rows together.
"""

# sphinx_gallery_tags = ["pandas", "read-only", "layout"]

import numpy as np
import pandas as pd
import torch

# %%
# Since pandas 3, its objects `share memory until one of them is written to
# <https://pandas.pydata.org/docs/user_guide/copy_on_write.html>`__. The array is read-only to
# protect the shared memory. A tensor on that memory can write to it, as
# :doc:`/gallery/04_layout/copy_on_write_frames` shows.

frame = pd.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0]})
print(frame["x"].to_numpy().flags.writeable, frame.values.flags.writeable)
# => False False

# %%
# ``copy=True`` gives an array of your own; use it for anything that you will change. A cast copies
# too, but for this frame its result is marked read-only anyway, and torch would warn needlessly.
# Pass both ``dtype`` and ``copy=True``.

own = frame.to_numpy(copy=True)
single = frame.to_numpy(dtype="float32")
both = frame.to_numpy(dtype="float32", copy=True)
print(own.flags.writeable, single.flags.writeable, both.flags.writeable)
# => True False True
print(np.shares_memory(single, frame["x"].to_numpy()))
# => False

# %%
# The array of this frame has column order: the values of a column lie side by side.
# :func:`torch.tensor` copies them in the same order. The values are right. If your code needs whole
# rows in memory, call ``contiguous``.

print(torch.from_numpy(own).stride(), torch.tensor(own).stride())
# => (1, 2) (1, 2)
print(torch.tensor(own).contiguous().stride())
# => (2, 1)

# %%
# In the other direction ``pd.DataFrame`` `copies an array since pandas 3
# <https://pandas.pydata.org/docs/user_guide/copy_on_write.html>`__, so later writes to the tensor
# do not change the frame.

source = torch.ones(2, 2)
fresh = pd.DataFrame(source.numpy(), columns=["x", "y"])
source.zero_()
print(fresh["x"].tolist())
# => [1.0, 1.0]

# %%
# With ``copy=False`` the frame shares memory with the tensor, without a warning. Use it only for
# frames that you do not write to.

window = pd.DataFrame(source.numpy(), columns=["x", "y"], copy=False)
source.fill_(7)
print(window["x"].tolist())
# => [7.0, 7.0]

# %%
# A tensor has no index, so the index of the frame is lost. Keep it, and set it on the new frame.

named = pd.DataFrame({"x": [0.5, 1.5]}, index=["a", "b"])
doubled = torch.tensor(named.to_numpy()) * 2
print(pd.DataFrame(doubled.numpy(), index=named.index, columns=named.columns).loc["b"].tolist())
# => [3.0]
