"""
Polars columns to a tensor and back
===================================

``frame.to_torch()`` and ``series.to_torch()`` copy columns of numbers. Cast a column of lists to
``pl.Array`` first, and build a frame from ``tensor.numpy()``.
"""

# sphinx_gallery_tags = ["polars", "dtype", "copy"]

import polars as pl
import torch

# %%
# The columns become those of one tensor, so they get a common dtype. Pass the dtype that you
# need.

frame = pl.DataFrame({"width": [1, 2], "height": [0.5, 1.5]})
print(frame.to_torch().dtype)
# => torch.float64
print(frame.to_torch(dtype=pl.Float32))
# => tensor([[1.0000, 0.5000],
# =>         [2.0000, 1.5000]])

# %%
# A series has ``to_torch()`` too, without a dtype. Its tensor is a copy, while ``to_numpy()`` shares
# the memory of this column, and the array is read-only: :doc:`/gallery/13_errors/read_only_array`.

heights = frame["height"]
copy = heights.to_torch()
copy[0] = 9
print(heights[0], heights.to_numpy().flags.writeable)
# => 0.5 False

# %%
# There is no need for ``tolist()`` or ``to_list()``, which make a Python number of each value
# before torch reads it back.

print(torch.equal(heights.to_torch(), torch.tensor(heights.to_list(), dtype=torch.float64)))
# => True

# %%
# Polars does not convert a column of lists, as they may differ in length. ``pl.Array`` declares
# their length.

lists = pl.DataFrame({"vector": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]})
try:
    lists.to_torch()
except TypeError as error:
    print(error)
# => cannot convert List column 'vector' to Tensor (use Array dtype instead)
vectors = lists["vector"].cast(pl.Array(pl.Float32, 2)).to_torch()
print(vectors.shape, vectors.dtype)
# => torch.Size([3, 2]) torch.float32

# %%
# Lists of unequal length need padding. Convert them one by one.

ragged = pl.Series([[1.0, 2.0], [3.0]])
rows = [row.to_torch() for row in ragged]
print(torch.nn.utils.rnn.pad_sequence(rows, batch_first=True))
# => tensor([[1., 2.],
# =>         [3., 0.]], dtype=torch.float64)

# %%
# A missing value turns integers into floats, with ``nan`` for the gap. Fill it first to keep the
# dtype. A column of text has no tensor: leave it out.

counts = pl.Series([1, None, 3])
print(counts.to_torch(), counts.fill_null(-1).to_torch())
# => tensor([1., nan, 3.], dtype=torch.float64) tensor([ 1, -1,  3])

# %%
# From torch to Polars, go by NumPy, and name the columns. A tensor that requires grad or is on a
# GPU needs ``detach().cpu()`` before ``numpy()``.

back = pl.DataFrame(vectors.numpy(), schema=["x", "y"])
print(back.schema)
# => Schema([('x', Float32), ('y', Float32)])
