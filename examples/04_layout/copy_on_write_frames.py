"""
pandas copy-on-write does not stop writes through a tensor
==========================================================

A tensor that shares memory with a pandas frame bypasses copy-on-write: its writes reach the other
frames on that memory. Call ``to_numpy(copy=True)`` if the tensor needs its own memory.
"""

# sphinx_gallery_tags = ["pandas", "read-only", "sharing", "warning"]

import numpy as np
import pandas as pd
import torch

# %%
# With `copy-on-write <https://pandas.pydata.org/docs/user_guide/copy_on_write.html>`__, the mode of
# pandas 3, several objects may use one block of memory until one of them is changed. For this
# reason the arrays below are read-only.

frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
print(frame.to_numpy().flags.writeable, frame["a"].to_numpy().flags.writeable)
# => False False
print(np.asarray(frame["a"]).flags.writeable)
# => False

# %%
# :func:`torch.from_numpy` shares the read-only array and warns. Take this warning seriously: a
# write through the tensor bypasses pandas and changes the other frame on this block too.

other = frame.copy(deep=False)
tensor = torch.from_numpy(frame["a"].to_numpy())
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
tensor[0] = 99
print(frame["a"].tolist(), other["a"].tolist())
# => [99.0, 2.0] [99.0, 2.0]

# %%
# pandas itself would have copied: assigning to one frame does not change the other.

frame.loc[1, "a"] = -1
print(frame["a"].tolist(), other["a"].tolist())
# => [99.0, -1.0] [99.0, 2.0]

# %%
# The tensor still uses the old memory, which the other frame keeps.

print(tensor)
# => tensor([99.,  2.], dtype=torch.float64)

# %%
# The changed column now has its own memory. To get a tensor with its values, make one again, here
# as a copy. See also :doc:`/gallery/12_files/pandas_values`.

again = torch.tensor(frame["a"].to_numpy())
print(again)
# => tensor([99., -1.], dtype=torch.float64)

# %%
# This frame has columns of two dtypes and no single block, so ``to_numpy`` copies the values to new
# memory. That array is writable, and writing to it does not change the frame.

mixed = pd.DataFrame({"a": [1, 2], "b": [0.5, 1.5]})
values = mixed.to_numpy()
torch.from_numpy(values).zero_()
print(values.flags.writeable, mixed["b"].tolist())
# => True [0.5, 1.5]

# %%
# Whether the array is a view depends on how pandas stores the columns. If you need a copy, pass
# ``copy=True``, together with the dtype of your model.

features = torch.from_numpy(frame.to_numpy(dtype=np.float32, copy=True))
print(features.dtype, features.shape)
# => torch.float32 torch.Size([2, 2])
