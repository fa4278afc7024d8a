"""
ValueError: setting an array element with a sequence
====================================================

An array of numbers made from tensors needs equal shapes: stack tensors of equal shape in torch, and
pad the others.

.. fix::

   - np.array(ragged)
   + padded = torch.nn.utils.rnn.pad_sequence(ragged, batch_first=True)
   + padded.numpy()
"""

# sphinx_gallery_tags = ["list", "numpy", "shape", "dtype", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# These tensors have different shapes, so they do not fit into one array of numbers.

ragged = [torch.tensor([1.0, 2.0]), torch.tensor([3.0])]
try:
    np.array(ragged)
except ValueError as error:
    print(error)
# => setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. The detected shape was (2,) + inhomogeneous part.

# %%
# With ``dtype=object`` this list does not raise, but the array then holds the tensors themselves,
# and :func:`torch.from_numpy` raises for it: :doc:`/gallery/13_errors/object_array`.

objects = np.array(ragged, dtype=object)
print(objects.dtype, type(objects[0]).__name__)
# => object Tensor
try:
    torch.from_numpy(objects)
except TypeError as error:
    print(str(error).split(". ")[0])
# => can't convert np.ndarray of type numpy.object_

# %%
# A list of a 0-d tensor and ``None`` gives an object array even without ``dtype``.

print(np.array([torch.tensor(1.0), None]).dtype)
# => object

# %%
# The fix
# -------
#
# If the shapes are equal, stack in torch and convert once. The line also works for tensors on a
# GPU or with gradients.

tensors = [torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([3.0, 4.0])]
array = torch.stack(tensors).detach().cpu().numpy()
print(array)
# => [[1. 2.]
# =>  [3. 4.]]

# %%
# If the lengths differ, pad the tensors, or join them end to end and store where each begins.

padded = torch.nn.utils.rnn.pad_sequence(ragged, batch_first=True)
print(padded.numpy())
# => [[1. 2.]
# =>  [3. 0.]]
print(torch.cat(ragged).numpy(), np.cumsum([0] + [len(tensor) for tensor in ragged]))
# => [1. 2. 3.] [0 2 3]

# %%
# If you only want to collect tensors, use a list. If it must be an array, create an empty one and
# assign one tensor at a time, which keeps the tensors. ``holder[:] = tensors`` raises here, because the
# first requires gradients.

holder = np.empty(len(tensors), dtype=object)
for position, tensor in enumerate(tensors):
    holder[position] = tensor
print(holder[0] is tensors[0])
# => True

# %%
# What does not help
# ------------------
#
# With ``dtype=object`` NumPy makes Python numbers of the elements of these two tensors, whose shapes
# are equal.

equal = [torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])]
print(np.array(equal, dtype=object).shape, type(np.array(equal, dtype=object)[0, 0]).__name__)
# => (2, 2) float

# %%
# ``np.array`` works for these tensors of equal shape. It raises if one of them requires gradients, is
# on a GPU or is ``bfloat16``.

print(np.array(equal).dtype)
# => float32
try:
    np.array(tensors)
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# Calling ``numpy()`` on each tensor does not help: the arrays still have different shapes.

try:
    np.array([tensor.numpy() for tensor in ragged])
except ValueError as error:
    print(str(error).split(".")[0])
# => setting an array element with a sequence
