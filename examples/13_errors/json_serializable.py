"""
TypeError: Object of type ndarray is not JSON serializable
==========================================================

JSON holds Python's own numbers and lists: call ``tolist()`` of the array or tensor, ``item()`` of a single
value, or give ``json.dumps`` a ``default``.

.. fix::

   - json.dumps({"boxes": boxes, "loss": np.float32(0.5)})
   + json.dumps({"boxes": boxes.tolist(), "loss": np.float32(0.5).item()})
   + json.dumps({"boxes": boxes, "loss": np.float32(0.5)}, default=lambda value: value.tolist())
"""

# sphinx_gallery_tags = ["json", "scalar", "files", "error"]

import json

import numpy as np
import torch

# %%
# The error
# ---------
#
# The message names the class that ``json`` does not know. The value may be deep inside a dictionary of
# results or a configuration.

boxes = np.array([[1, 2], [3, 4]])
for value in [boxes, np.float32(0.5), np.int64(3), np.bool_(True), torch.tensor(0.5)]:
    try:
        json.dumps({"result": value})
    except TypeError as error:
        print(error)
# => Object of type ndarray is not JSON serializable
# => Object of type float32 is not JSON serializable
# => Object of type int64 is not JSON serializable
# => Object of type bool is not JSON serializable
# => Object of type Tensor is not JSON serializable
try:
    json.dumps({"boxes": boxes, "loss": np.float32(0.5)})
except TypeError as error:
    print(error)
# => Object of type ndarray is not JSON serializable

# %%
# ``np.float64`` is a subclass of ``float``, so it passes. A NumPy integer as a key raises another error.

print(json.dumps({"loss": np.float64(0.5)}))
# => {"loss": 0.5}
try:
    json.dumps({np.int64(3): "three"})
except TypeError as error:
    print(error)
# => keys must be str, int, float, bool or None, not numpy.int64

# %%
# The fix
# -------
#
# ``tolist()`` makes nested lists of numbers, and ``item()`` one number. Both are methods of arrays, NumPy's
# numbers and dense tensors, on a GPU and with gradients, too. JSON has no complex numbers.

print(json.dumps({"boxes": boxes.tolist(), "loss": np.float32(0.5).item()}))
# => {"boxes": [[1, 2], [3, 4]], "loss": 0.5}
print(json.dumps({"loss": torch.tensor(0.5, requires_grad=True).item()}))
# => {"loss": 0.5}

# %%
# ``json.dumps`` calls ``default`` for each value that it does not know. ``json.dump``, which writes a file,
# takes it as well.

print(json.dumps({"boxes": boxes, "loss": np.float32(0.5)}, default=lambda value: value.tolist()))
# => {"boxes": [[1, 2], [3, 4]], "loss": 0.5}

# %%
# Keys are not passed to ``default``: convert them yourself.

print(json.dumps({int(key): name for key, name in {np.int64(3): "three"}.items()}))
# => {"3": "three"}

# %%
# To read the values back, name the dtype, which JSON does not keep.

print(torch.tensor(json.loads("[[1, 2], [3, 4]]"), dtype=torch.float32))
# => tensor([[1., 2.],
# =>         [3., 4.]])

# %%
# What does not help
# ------------------
#
# ``default=str`` raises nothing. It writes the text of the array, which ``json.loads`` gives back as text;
# a long array is shortened with dots.

print(json.dumps({"boxes": boxes}, default=str))
# => {"boxes": "[[1 2]\n [3 4]]"}

# %%
# ``list`` of this array leaves NumPy's integers in the list.

try:
    json.dumps(list(np.array([1, 2])))
except TypeError as error:
    print(error)
# => Object of type int64 is not JSON serializable
