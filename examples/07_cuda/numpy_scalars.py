"""
CUDA tensor times NumPy scalar
==============================

A floating-point NumPy scalar such as ``np.float32(2)`` or ``samples.mean()`` works with a CUDA
tensor on either side, and a float tensor keeps its dtype. An array raises, even with one element.
"""

# sphinx_gallery_tags = ["cuda", "arithmetic", "dtype"]

import numpy as np
import torch

# %%
# ``np.float32(2)`` is a scalar, not an array. A CUDA tensor accepts it on either side, like a
# Python number.

values = torch.tensor([1.0, 2.0, 3.0], device="cuda")
print(values * np.float32(2))
# => tensor([2., 4., 6.], device='cuda:0')
print(np.float32(2) * values)
# => tensor([2., 4., 6.], device='cuda:0')

# %%
# The mean and the elements of this array are such scalars, so you can use them on the GPU directly.

samples = np.array([1.0, 3.0, 5.0])
print(type(samples.mean()))
# => <class 'numpy.float64'>
print(values - samples.mean())
# => tensor([-2., -1.,  0.], device='cuda:0')
print(values / samples[2])
# => tensor([0.2000, 0.4000, 0.6000], device='cuda:0')

# %%
# A ``float64`` scalar does not widen a ``float32`` tensor. It does widen a ``float32`` array, since
# NumPy 2.

print((values * np.float64(2)).dtype, (np.float64(2) * values).dtype)
# => torch.float32 torch.float32
print((np.ones(3, dtype=np.float32) * np.float64(2)).dtype)
# => float64

# %%
# ``keepdims=True`` and ``samples[2:3]`` give arrays, and these raise as in
# :doc:`/gallery/07_cuda/with_ndarray`.

try:
    values - samples.mean(keepdims=True)
except TypeError as error:
    print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
