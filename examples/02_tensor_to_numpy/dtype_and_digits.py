"""
Why the array prints more digits than the tensor
================================================

``numpy()`` changes neither dtype nor value: the array only prints more digits, because torch shows
four after the point and NumPy as many as the dtype needs.
"""

# sphinx_gallery_tags = ["dtype", "numpy"]

import numpy as np
import torch

# %%
# The array takes over the dtype of the tensor. torch gives a list of Python floats a narrower dtype
# than NumPy does, so an array that went through a tensor is the narrower one.

tensor = torch.tensor([0.0, 0.5, 1.0])
print(tensor.dtype, tensor.numpy().dtype)
# => torch.float32 float32
print(np.array([0.0, 0.5, 1.0]).dtype)
# => float64

# %%
# Every dtype that NumPy also has is inherited in this way.

for dtype in [torch.float64, torch.int64, torch.int8, torch.bool, torch.complex64]:
    print(dtype, torch.ones(2, dtype=dtype).numpy().dtype)
# => torch.float64 float64
# => torch.int64 int64
# => torch.int8 int8
# => torch.bool bool
# => torch.complex64 complex64

# %%
# The representation leaves out the dtype that is the default of the library, and the two defaults
# differ. So each side names a dtype where the other is silent.

print(repr(tensor), repr(tensor.numpy()))
# => tensor([0.0000, 0.5000, 1.0000]) array([0. , 0.5, 1. ], dtype=float32)
print(repr(tensor.double()), repr(tensor.double().numpy()))
# => tensor([0.0000, 0.5000, 1.0000], dtype=torch.float64) array([0. , 0.5, 1. ])

# %%
# torch prints four digits after the decimal point by default. NumPy prints `as many as
# distinguish the value
# <https://numpy.org/doc/stable/reference/generated/numpy.set_printoptions.html>`__ from its
# neighbours of the same dtype, at most eight. More digits are no added precision.

thirds = torch.tensor([1 / 3, 2 / 3, 5 / 3])
print(thirds)
# => tensor([0.3333, 0.6667, 1.6667])
print(thirds.numpy())
# => [0.33333334 0.6666667  1.6666666 ]

# %%
# The conversion changes no value: as Python floats, which print in full, both sides are equal.

print(thirds.tolist() == thirds.numpy().tolist())
# => True
print(thirds[0].item(), thirds.numpy()[0].item())
# => 0.3333333432674408 0.3333333432674408

# %%
# A mix of large and small values makes both libraries switch to scientific notation, which
# changes the look of the elements that nobody touched. :func:`torch.set_printoptions` and
# :func:`numpy.set_printoptions` control it.

array = thirds.numpy()
array[0] = 12000.0
print(thirds)
# => tensor([1.2000e+04, 6.6667e-01, 1.6667e+00])
print(array)
# => [1.2000000e+04 6.6666669e-01 1.6666666e+00]

# %%
# To compare the two by eye, print both with the same number of digits.

print([f"{value:.6f}" for value in thirds.tolist()])
# => ['12000.000000', '0.666667', '1.666667']
print([f"{value:.6f}" for value in array.tolist()])
# => ['12000.000000', '0.666667', '1.666667']
