"""
pandas copy-on-write does not protect from tensors
==================================================

A tensor on the values of a pandas frame bypasses copy-on-write: its writes reach every frame on the
same memory. Call ``to_numpy(copy=True)`` if the tensor must own its values.
"""

# sphinx_gallery_tags = ["pandas", "read-only", "sharing", "warning"]

import numpy as np
import pandas as pd
import torch

# %%
# With `copy-on-write <https://pandas.pydata.org/docs/user_guide/copy_on_write.html>`__, the only
# mode since pandas 3, several objects may use one block of memory until one of them is changed. So
# what they hand out as an array is a read-only view.

frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
print(frame.to_numpy().flags.writeable, frame["a"].to_numpy().flags.writeable)
# => False False
print(np.asarray(frame["a"]).flags.writeable)
# => False

# %%
# :func:`torch.from_numpy` shares the view and warns. The warning matters here: a write through the
# tensor goes past pandas, into every object that still uses the block.

other = frame.copy(deep=False)
tensor = torch.from_numpy(frame["a"].to_numpy())
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
tensor[0] = 99
print(frame["a"].tolist(), other["a"].tolist())
# => [99.0, 2.0] [99.0, 2.0]

# %%
# pandas itself would have copied. An assignment to one frame leaves the other alone.

frame.loc[1, "a"] = -1
print(frame["a"].tolist(), other["a"].tolist())
# => [99.0, -1.0] [99.0, 2.0]

# %%
# The tensor stays with the block that it was made from, which is now the other frame's alone.

print(tensor)
# => tensor([99.,  2.], dtype=torch.float64)

# %%
# The frame that was written to has memory of its own now, and its values are a new array. A tensor
# that is to follow the frame must be made again after each write; one that is not, from a copy.
# More on :doc:`/gallery/12_files/pandas_values`.

again = torch.tensor(frame["a"].to_numpy())
print(again)
# => tensor([99., -1.], dtype=torch.float64)

# %%
# A frame with columns of several dtypes has no single block, so its values are assembled in new
# memory. The array is writable, and a write changes nothing in the frame.

mixed = pd.DataFrame({"a": [1, 2], "b": [0.5, 1.5]})
values = mixed.to_numpy()
torch.from_numpy(values).zero_()
print(values.flags.writeable, mixed["b"].tolist())
# => True [0.5, 1.5]

# %%
# So the columns decide whether the array is a view, and adding one can change that. Code that must
# own the values says ``copy=True`` in every case, together with the dtype that the model needs.

features = torch.from_numpy(frame.to_numpy(dtype=np.float32, copy=True))
print(features.dtype, features.shape)
# => torch.float32 torch.Size([2, 2])
