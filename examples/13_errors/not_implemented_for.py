"""
NotImplementedError: "mse_cpu" not implemented for 'Long'
=========================================================

The operation has no version for the tensor's dtype, which often came from an array: convert it with
``float()`` before the call.

.. fix::

   - F.mse_loss(predicted, target)
   + F.mse_loss(predicted.float(), target.float())

The second name is the dtype: ``Long`` is ``int64``, ``Byte`` is ``uint8``, ``Half`` is ``float16``.
"""

# sphinx_gallery_tags = ["dtype", "loss", "float16", "error"]

import numpy as np
import torch
import torch.nn.functional as F

# %%
# The error
# ---------
#
# Arrays of integers become tensors of integers, and many losses, softmax and layer normalisation are for floats. The
# first name in the message is a function inside torch. It can differ between devices:
# ``RuntimeError: "host_softmax" not implemented for 'Long'`` is softmax on CUDA. Before torch 2.8 the class is
# ``RuntimeError``, as :doc:`/gallery/06_mixed_expressions/numpy_bools` also shows.

predicted = torch.from_numpy(np.array([1, 2, 3]))
target = torch.from_numpy(np.array([1, 2, 4]))
try:
    F.mse_loss(predicted, target)
except RuntimeError as error:
    print(error)
# => "mse_cpu" not implemented for 'Long'
try:
    F.softmax(predicted, dim=0)
except RuntimeError as error:
    print(error)
# => "softmax_lastdim_kernel_impl" not implemented for 'Long'
try:
    F.layer_norm(predicted, (3,))
except RuntimeError as error:
    print(error)
# => "LayerNormKernelImpl" not implemented for 'Long'

# %%
# Images and masks often come as ``uint8`` and ``bool``.

image = torch.from_numpy(np.zeros((1, 1, 4, 4), dtype=np.uint8))
try:
    F.avg_pool2d(image, 2)
except RuntimeError as error:
    print(error)
# => "avg_pool2d" not implemented for 'Byte'
mask = torch.from_numpy(np.ones((2, 2), dtype=bool))
try:
    mask @ mask
except RuntimeError as error:
    print(error)
# => "addmm_impl_cpu_" not implemented for 'Bool'

# %%
# The other way round, ``&`` is for integers and booleans.

try:
    torch.ones(2) & torch.ones(2)
except RuntimeError as error:
    print(error)
# => "bitwise_and_cpu" not implemented for 'Float'

# %%
# The fix
# -------
#
# Convert where the array becomes a tensor: ``torch.from_numpy(array).float()``. A weight in ``float16`` or
# ``bfloat16`` wants its own dtype: ``tensor.to(weight.dtype)``.

print(F.mse_loss(predicted.float(), target.float()))
# => tensor(0.3333)
print(F.softmax(predicted.float(), dim=0).sum())
# => tensor(1.)
print(F.avg_pool2d(image.float(), 2).shape)
# => torch.Size([1, 1, 2, 2])
print((mask.float() @ mask.float()).bool())
# => tensor([[True, True],
# =>         [True, True]])
print(torch.ones(2).bool() & torch.ones(2).bool())
# => tensor([True, True])

# %%
# 'Half' on the CPU
# -----------------
#
# Older releases of torch lack many operations in ``float16`` on the CPU: ``"slow_conv2d_cpu" not
# implemented for 'Half'``, ``"addmm_impl_cpu_" not implemented for 'Half'``, ``"LayerNormKernelImpl" not
# implemented for 'Half'``. A model that was loaded with ``torch_dtype=torch.float16`` can meet them when no GPU
# is found. Load it with ``float32``, or upgrade torch.

layer = torch.nn.Linear(2, 1).half()
print(layer.float()(torch.ones(1, 2)).dtype)
# => torch.float32

# %%
# What does not help
# ------------------
#
# Computing the loss by hand from integers ends at their mean, which is refused, too.

try:
    predicted.mean()
except RuntimeError as error:
    print(error)
# => mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Long
