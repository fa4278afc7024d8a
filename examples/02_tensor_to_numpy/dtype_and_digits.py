"""
Why the array prints more digits than the tensor
================================================

``numpy()`` changes neither dtype nor value: the array prints more digits, because torch shows four
after the point and NumPy up to eight.
"""

# sphinx_gallery_tags = ["dtype", "numpy"]

import numpy as np
import torch

# %%
# The array has the dtype of the tensor. For a list of Python floats torch chooses ``float32`` and
# NumPy ``float64``, so the array differs from one that NumPy makes itself.

tensor = torch.tensor([0.0, 0.5, 1.0])
print(tensor.dtype, tensor.numpy().dtype)
# => torch.float32 float32
print(np.array([0.0, 0.5, 1.0]).dtype)
# => float64

# %%
# The same holds for these dtypes.

for dtype in [torch.float64, torch.int64, torch.int8, torch.bool, torch.complex64]:
    print(dtype, torch.ones(2, dtype=dtype).numpy().dtype)
# => torch.float64 float64
# => torch.int64 int64
# => torch.int8 int8
# => torch.bool bool
# => torch.complex64 complex64

# %%
# In these outputs each library leaves out its default float dtype, and the two defaults differ. The
# array therefore shows ``float32``, and the tensor shows ``float64``.

print(repr(tensor), repr(tensor.numpy()))
# => tensor([0.0000, 0.5000, 1.0000]) array([0. , 0.5, 1. ], dtype=float32)
print(repr(tensor.double()), repr(tensor.double().numpy()))
# => tensor([0.0000, 0.5000, 1.0000], dtype=torch.float64) array([0. , 0.5, 1. ])

# %%
# Torch prints these values with four digits after the decimal point, its default. NumPy prints `as
# many as distinguish the value
# <https://numpy.org/doc/stable/reference/generated/numpy.set_printoptions.html>`__ from its
# neighbours of the same dtype, at most eight in an array with dimensions. More printed digits do
# not mean more precision.

thirds = torch.tensor([1 / 3, 2 / 3, 5 / 3])
print(thirds)
# => tensor([0.3333, 0.6667, 1.6667])
print(thirds.numpy())
# => [0.33333334 0.6666667  1.6666666 ]

# %%
# The conversion changes no value: as Python floats, which print more digits, both are equal.

print(thirds.tolist() == thirds.numpy().tolist())
# => True
print(thirds[0].item(), thirds.numpy()[0].item())
# => 0.3333333432674408 0.3333333432674408

# %%
# Here large and small values are mixed, and both libraries switch to scientific notation. You can
# change this with :func:`torch.set_printoptions` and :func:`numpy.set_printoptions`.

array = thirds.numpy()
array[0] = 12000.0
print(thirds)
# => tensor([1.2000e+04, 6.6667e-01, 1.6667e+00])
print(array)
# => [1.2000000e+04 6.6666669e-01 1.6666666e+00]

# %%
# To compare tensor and array by eye, print both with the same number of digits.

print([f"{value:.6f}" for value in thirds.tolist()])
# => ['12000.000000', '0.666667', '1.666667']
print([f"{value:.6f}" for value in array.tolist()])
# => ['12000.000000', '0.666667', '1.666667']
