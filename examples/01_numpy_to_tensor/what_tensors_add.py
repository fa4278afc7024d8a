"""
Tensor or NumPy array: what is the difference?
==============================================

A tensor adds gradients and other devices; until you need either, keep the array: ``from_numpy``
shares its memory when you need the tensor.
"""

# sphinx_gallery_tags = ["creation", "device", "autograd"]

import numpy as np
import torch

# %%
# Many NumPy methods exist on :class:`torch.Tensor` under the same name. These give the same result
# for this array; ``std`` and ``var`` differ (:doc:`/gallery/03_dtypes/statistics_defaults`).

array = np.array([[1.0, 2.0], [3.0, 4.0]])
tensor = torch.from_numpy(array)
for name in ["sum", "mean", "min", "max", "prod"]:
    print(name, getattr(array, name)() == getattr(tensor, name)().item())
# => sum True
# => mean True
# => min True
# => max True
# => prod True

# %%
# First, a tensor has autograd. A tensor that requires gradients records its operations, and
# ``backward`` computes the gradients.

weights = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
loss = (weights**2).sum()
loss.backward()
print(weights.grad)
# => tensor([2., 4., 6.])

# %%
# This array has no graph: the computation on it is not recorded. That is why ``numpy()`` asks for
# ``detach`` first: :doc:`/gallery/02_tensor_to_numpy/requires_grad`.

values = weights.detach().numpy()
print((values**2).sum())
# => 14.0
print(hasattr(values, "grad"), hasattr(values, "backward"))
# => False False

# %%
# A tensor also adds devices. ``device`` says where its memory is, which need not be the CPU. Here
# ``meta`` stands for a device out of NumPy's reach.

print(tensor.device, torch.ones(2, device="meta").device)
# => cpu meta
print(np.ones(2).device)
# => cpu

# %%
# The ``device`` of an array is ``"cpu"``: :doc:`/gallery/07_cuda/host_only_arrays`. An array is
# enough until you need gradients or another device. On the CPU, a tensor can share its memory.

print(np.shares_memory(array, tensor.numpy()))
# => True
