"""
numpy(force=True) on a CUDA tensor
==================================

``tensor.numpy(force=True)`` does what ``detach().cpu().numpy()`` does, and resolves conjugation.
From the GPU the array is a copy; from a CPU tensor it usually shares memory, so copy it before you
change it.
"""

# sphinx_gallery_tags = ["cuda", "numpy", "copy", "error"]

import torch

# %%
# ``force=True`` makes :meth:`torch.Tensor.numpy` do the steps that it otherwise leaves to you; the
# `documentation <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.numpy.html>`__ lists
# the calls. The error without it, and how to fix it: :doc:`/gallery/13_errors/cuda_to_numpy`.

scores = torch.tensor([0.0, 1.0, 2.0], device="cuda:0")
array = scores.numpy(force=True)
print(array, array.dtype)
# => [0. 1. 2.] float32

# %%
# The array of a GPU tensor is a copy, so a write to it does not change the tensor.

array[:] = 9
print(scores)
# => tensor([0., 1., 2.], device='cuda:0')

# %%
# ``force=False`` is the default and raises for a GPU tensor.

try:
    scores.numpy(force=False)
except TypeError as error:
    print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# ``force=True`` also detaches, so a parameter on the GPU converts in one call.

weights = torch.ones(2, device="cuda", requires_grad=True)
print(weights.numpy(force=True))
# => [1. 1.]

# %%
# ``force=True`` does not always copy. From a CPU tensor the array usually shares memory, even if
# the tensor is a parameter. If you keep or change the array, copy it:
# :doc:`/gallery/07_cuda/snapshot`.

weights = torch.ones(2, requires_grad=True)
weights.numpy(force=True)[0] = 5
print(weights)
# => tensor([5., 1.], requires_grad=True)
