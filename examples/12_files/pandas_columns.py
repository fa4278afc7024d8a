"""
DataFrame columns of mixed dtypes to a tensor
=============================================

Leave out text and pass a dtype, as in ``to_numpy(dtype="float32")``: numbers mixed with booleans
otherwise become ``object``, for which torch raises. Fill missing integers with ``na_value``.
"""

# sphinx_gallery_tags = ["pandas", "dtype", "error"]

import pandas as pd
import torch

# %%
# An array has one dtype, so columns of different dtypes are converted to a common one. For ``int64``
# and floats this is ``float64``. For numbers with text or booleans it is ``object``, for which
# torch raises.

frame = pd.DataFrame({"n": [1, 2], "w": [0.5, 1.5], "ok": [True, False], "name": ["a", "b"]})
for columns in [["n", "w"], ["n", "ok"], ["n", "name"]]:
    print(columns, frame[columns].to_numpy().dtype)
# => ['n', 'w'] float64
# => ['n', 'ok'] object
# => ['n', 'name'] object
try:
    torch.from_numpy(frame[["n", "ok"]].to_numpy())
except TypeError as error:
    print(str(error).split(". ")[0])
# => can't convert np.ndarray of type numpy.object_

# %%
# Pass a dtype, and leave out columns that are not numbers.

features = torch.from_numpy(frame[["n", "w", "ok"]].to_numpy(dtype="float32"))
print(features)
# => tensor([[1.0000, 0.5000, 1.0000],
# =>         [2.0000, 1.5000, 0.0000]])

# %%
# Large integers can lose digits when they are converted to ``float64``. Convert identifiers
# separately.

keys = pd.DataFrame({"id": [2**53 + 1], "w": [0.5]})
print(int(keys.to_numpy()[0, 0]) == 2**53 + 1, int(keys["id"].to_numpy()[0]) == 2**53 + 1)
# => False True

# %%
# A missing value turns a column of integers into floats. The nullable dtype ``Int64`` keeps
# integers, but its values are not a NumPy array. Convert them with ``to_numpy`` and pass the value
# to use for gaps.

counts = pd.Series([1, None, 3], dtype="Int64")
try:
    torch.tensor(counts.array)
except RuntimeError as error:
    print(error)
# => Could not infer dtype of NAType
print(torch.from_numpy(counts.to_numpy(dtype="int64", na_value=-1)))
# => tensor([ 1, -1,  3])

# %%
# For categories, use their codes. A missing value has code -1, which is not a valid index for an
# embedding.

colours = pd.Series(["red", None, "blue"], dtype="category")
codes = colours.cat.codes.to_numpy(copy=True)
print(list(colours.cat.categories), torch.from_numpy(codes))
# => ['blue', 'red'] tensor([ 1, -1,  0], dtype=torch.int8)

# %%
# Here :func:`torch.tensor` accepts a series of numbers, whose labels are 0, 1 and 2. To read
# element ``0``, torch indexes the series with 0, which pandas treats as a *label*. The call
# therefore fails after a filter that drops this row. ``to_numpy`` works then too.

weights = pd.Series([0.5, 1.5, 2.5])
print(torch.tensor(weights))
# => tensor([0.5000, 1.5000, 2.5000], dtype=torch.float64)
try:
    torch.tensor(weights[weights > 1])
except ValueError as error:
    print(error)
# => could not determine the shape of object type 'Series'
print(torch.tensor(weights[weights > 1].to_numpy()))
# => tensor([1.5000, 2.5000], dtype=torch.float64)

# %%
# From torch to pandas, take care with scalars: a list of 0-d tensors becomes a column of objects.
# Stack them first.

print(pd.Series([torch.tensor(1.0), torch.tensor(2.0)]).dtype)
# => object
print(pd.Series(torch.stack([torch.tensor(1.0), torch.tensor(2.0)]).numpy()).dtype)
# => float32
