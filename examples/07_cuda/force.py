"""
numpy(force=True) on a CUDA tensor
==================================

``tensor.numpy(force=True)`` does what ``detach().cpu().numpy()`` does. From the GPU the array is a
copy; from a CPU tensor it shares memory, so copy it before you change it.
"""

# sphinx_gallery_tags = ["cuda", "numpy", "copy", "error"]

import torch

# %%
# ``force=True`` lets :meth:`torch.Tensor.numpy` do what it otherwise asks for;
# the `documentation <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.numpy.html>`__
# spells out the calls it stands for.

scores = torch.tensor([0.0, 1.0, 2.0], device="cuda:0")
array = scores.numpy(force=True)
print(array, array.dtype)
# => [0. 1. 2.] float32

# %%
# From the GPU the array is a copy, and nothing written to it is seen there.

array[:] = 9
print(scores)
# => tensor([0., 1., 2.], device='cuda:0')

# %%
# ``force=False`` is the default and fails in the same way as no argument.

try:
    scores.numpy(force=False)
except TypeError as error:
    print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# It also detaches, so a parameter on the GPU converts in one call.

weights = torch.ones(2, device="cuda", requires_grad=True)
print(weights.numpy(force=True))
# => [1. 1.]

# %%
# Do not take it for "always a copy". On the CPU the array shares the memory of
# the tensor, even of a parameter. So use it where the array is read and
# dropped; where it is kept or edited, copy: :doc:`/gallery/07_cuda/snapshot`.

weights = torch.ones(2, requires_grad=True)
weights.numpy(force=True)[0] = 5
print(weights)
# => tensor([5., 1.], requires_grad=True)
