"""
Pinned tensor through DLPack: device type 3
===========================================

A pinned tensor reports device 3 to DLPack, not 1 for the CPU, so some libraries do not accept it.
Export ``pinned.numpy()`` instead: it reports the CPU, shares the memory and stays pinned.
"""

# sphinx_gallery_tags = ["cuda", "pinned", "dlpack", "sharing"]

import numpy as np
import torch

# %%
# For torch a pinned tensor is a CPU tensor. But `DLPack's list
# <https://dmlc.github.io/dlpack/latest/c_api.html>`__ has a separate device type for pinned memory,
# and torch reports it.

pinned = torch.tensor([1.0, 2.0, 3.0]).pin_memory()
plain = torch.tensor([1.0, 2.0, 3.0])
print(pinned.device == plain.device)
# => True
print(int(pinned.__dlpack_device__()[0]), int(plain.__dlpack_device__()[0]))
# => 3 1

# %%
# NumPy accepts both types and shares memory.

array = np.from_dlpack(pinned)
pinned[0] = 50
print(array)
# => [50.  2.  3.]

# %%
# Code that tests for type 1, like the function below, does not take a pinned tensor for CPU memory.
# JAX, for example, `did not know type 3 <https://github.com/jax-ml/jax/issues/22346>`__ until `pull
# request 37896 <https://github.com/jax-ml/jax/pull/37896>`__.


def is_on_host(exporter):
    """Whether the memory can be read by the CPU."""
    return int(exporter.__dlpack_device__()[0]) == 1


print(is_on_host(plain), is_on_host(pinned))
# => True False

# %%
# An array from :meth:`torch.Tensor.numpy` reports the CPU's number for the same memory. Pass the
# array instead of the tensor to such a library; it shares the tensor's memory.

view = pinned.numpy()
print(is_on_host(view), np.shares_memory(view, array))
# => True True

# %%
# The memory is still pinned: torch asks CUDA about the address, not about the object. You can
# therefore copy it to the GPU in the background; see :doc:`/gallery/07_cuda/pending_upload` for the
# precautions.

print(torch.from_numpy(view).is_pinned(), torch.from_dlpack(view).is_pinned())
# => True True
print(torch.from_dlpack(view).to("cuda"))
# => tensor([50.,  2.,  3.], device='cuda:0')
