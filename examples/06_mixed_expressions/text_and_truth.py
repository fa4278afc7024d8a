"""
Tensors as dict keys, in JSON and in if
=======================================

Call ``item()`` before you use a tensor as a key, or ``tolist()`` in JSON or in text: equal tensors
are different keys, and ``json.dumps`` raises ``Object of type Tensor is not JSON serializable``.
"""

# sphinx_gallery_tags = ["scalar", "json", "silent", "error"]

import json

import numpy as np
import torch

# %%
# As a dictionary key, a NumPy integer equals the Python number. A tensor is hashed `by identity
# <https://github.com/pytorch/pytorch/issues/7733>`__: an equal tensor is a different key, so a
# lookup fails and a set keeps both.

names = {torch.tensor(3): "three", np.int64(4): "four"}
print(names.get(torch.tensor(3)), names.get(3), names.get(4))
# => None None four
print(len({torch.tensor(3), torch.tensor(3)}), len({np.int64(3), np.int64(3), 3}))
# => 2 1

# %%
# Arrays are not hashable, so using one as a key raises an error.

try:
    {np.array(3): "three"}
except TypeError as error:
    print(error)
# => cannot use 'numpy.ndarray' as a dict key (unhashable type: 'numpy.ndarray')

# %%
# ``json`` writes Python numbers. Of NumPy's numbers ``float64`` works, because it is a subclass of
# ``float``. Call ``item`` or ``tolist`` for the other values here.

for value in [torch.tensor(1.5), np.float32(1.5), np.int64(1), np.array([1.5])]:
    try:
        json.dumps(value)
    except TypeError as error:
        print(error)
# => Object of type Tensor is not JSON serializable
# => Object of type float32 is not JSON serializable
# => Object of type int64 is not JSON serializable
# => Object of type ndarray is not JSON serializable
print(json.dumps(np.float64(1.5)), json.dumps(torch.tensor([1.5]).tolist()))
# => 1.5 [1.5]

# %%
# A format such as ``:.2f`` works for the 0-d tensor and the 0-d array here. It raises for one
# element in a dimension. In plain braces, the two below print in their own style.

print(f"{torch.tensor(1.5):.2f} {np.array(1.5):.2f}")
# => 1.50 1.50
try:
    f"{torch.tensor([1.5]):.2f}"
except TypeError as error:
    print(error)
# => unsupported format string passed to Tensor.__format__
print(f"{torch.tensor([1.5])} {np.array([1.5])}")
# => tensor([1.5000]) [1.5]

# %%
# ``if`` needs a single value. For several values both libraries raise, with different error
# classes.

try:
    bool(torch.tensor([1.0, 2.0]))
except RuntimeError as error:
    print(error)
# => Boolean value of Tensor with more than one value is ambiguous
try:
    bool(np.array([1.0, 2.0]))
except ValueError as error:
    print(str(error).split(".")[0])
# => The truth value of an array with more than one element is ambiguous

# %%
# ``in`` compares elements in both libraries. For a row, NumPy returns ``True`` if *any* element is
# equal. Torch raises for a list or an array; for this row as a tensor it returns what NumPy does.

rows = np.array([[1.0, 2.0], [3.0, 4.0]])
print([9.0, 2.0] in rows, (rows == [9.0, 2.0]).all(axis=1).any())
# => True False
try:
    [9.0, 2.0] in torch.from_numpy(rows)
except RuntimeError as error:
    print(str(error).split(",")[0])
# => Tensor.__contains__ only supports Tensor or scalar
