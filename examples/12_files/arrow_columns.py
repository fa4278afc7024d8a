"""
Arrow and Ray data to a tensor: immutable memory
================================================

Arrow's memory is immutable, so ``to_numpy()`` often gives a read-only array: copy it with ``torch.tensor``,
or share it with ``torch.from_numpy`` and write to neither.
"""

# sphinx_gallery_tags = ["pyarrow", "parquet", "ray", "copy"]

import numpy as np
import pyarrow as pa
import torch

# %%
# This array of floats without missing values converts without a copy. The result is read-only,
# because `Arrow's arrays are immutable <https://arrow.apache.org/docs/python/data.html>`__.
# :func:`torch.tensor` copies them.

prices = pa.array([1.0, 2.0, 3.0])
array = prices.to_numpy()
print(array.flags.writeable)
# => False
own = torch.tensor(array)
own[0] = 9
print(prices[0])
# => 1.0

# %%
# ``from_numpy`` shares the memory and warns. The values are right, but a write to the tensor
# changes the immutable column: :doc:`/gallery/13_errors/read_only_array`.

shared = torch.from_numpy(array)
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
shared[0] = 9
print(prices[0])
# => 9.0

# %%
# A batch that is built from several columns is a copy anyway. Stack the arrays first: the result
# is a new array that can be written to, so ``from_numpy`` neither warns nor copies again.

table = pa.table({"width": [1.0, 2.0], "height": [3.0, 4.0]})
rows = np.column_stack([table["width"].to_numpy(), table["height"].to_numpy()])
print(torch.from_numpy(rows))
# => tensor([[1., 3.],
# =>         [2., 4.]], dtype=torch.float64)

# %%
# Booleans are stored as bits, and a missing value has no number. Both need a copy, which
# ``zero_copy_only=False`` allows. Fill the gaps first to keep integers.

counts = pa.array([1, None, 3])
try:
    counts.to_numpy()
except pa.ArrowInvalid as error:
    print(error)
# => Needed to copy 1 chunks with 1 nulls, but zero_copy_only was True
print(counts.to_numpy(zero_copy_only=False), counts.fill_null(-1).to_numpy())
# => [ 1. nan  3.] [ 1 -1  3]
print(torch.tensor(pa.array([True, False]).to_numpy(zero_copy_only=False)))
# => tensor([ True, False])

# %%
# A column of lists becomes an array of dtype ``object``, for which torch raises. If the lists
# have one length, take the values in one piece and give them the shape. ``to_pylist`` would make
# a Python number of each value.

vectors = pa.array([[1.0, 2.0], [3.0, 4.0]])
print(vectors.to_numpy(zero_copy_only=False).dtype)
# => object
print(torch.tensor(vectors.flatten().to_numpy()).reshape(len(vectors), -1))
# => tensor([[1., 2.],
# =>         [3., 4.]], dtype=torch.float64)

# %%
# ``Ray`` stores arrays in shared memory that several processes map, so `ray.get returns them
# read-only <https://docs.ray.io/en/latest/ray-core/objects/serialization.html>`__, and they
# convert in the same way. Copy such an array as well before you write to it.
