"""
What a tensor can do that an array cannot
=========================================

A tensor adds gradients and other devices; until you need either, keep the array, since converting
it on the CPU costs no copy.
"""

# sphinx_gallery_tags = ["creation", "device", "autograd"]

import numpy as np
import torch

# %%
# Much of NumPy's vocabulary works on a :class:`torch.Tensor` under the same name, with the same
# result. Code that only computes with such calls gains little from a conversion.

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
# The first addition is autograd. A tensor that requires gradients remembers how a result came
# about, and ``backward`` differentiates it.

weights = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
loss = (weights**2).sum()
loss.backward()
print(weights.grad)
# => tensor([2., 4., 6.])

# %%
# An array records nothing. A computation that leaves torch for NumPy leaves the graph too, which
# is why the conversion asks for ``detach``: :doc:`/gallery/02_tensor_to_numpy/requires_grad`.

values = weights.detach().numpy()
print((values**2).sum())
# => 14.0
print(hasattr(values, "grad"), hasattr(values, "backward"))
# => False False

# %%
# The second addition is the device. Each tensor names the one that holds its memory, and may be
# made elsewhere; ``meta`` stands here for a device that NumPy cannot reach.

print(tensor.device, torch.ones(2, device="meta").device)
# => cpu meta
print(np.ones(2).device)
# => cpu

# %%
# NumPy's attribute of the same name knows the CPU alone, see
# :doc:`/gallery/07_cuda/host_only_arrays`. So an array is enough until gradients or another
# device are wanted, and on the CPU the step from one to the other costs no copy.

print(np.shares_memory(array, tensor.numpy()))
# => True
