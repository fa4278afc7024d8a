"""
Pinned tensor through DLPack: device type 3
===========================================

A pinned tensor reports device 3 to DLPack, not 1 for the CPU, so some libraries refuse it. Export
``pinned.numpy()`` instead: it reports the CPU, shares the memory and stays pinned.
"""

# sphinx_gallery_tags = ["cuda", "pinned", "dlpack", "sharing"]

import numpy as np
import torch

# %%
# torch calls a pinned tensor a CPU tensor. `DLPack's list
# <https://dmlc.github.io/dlpack/latest/c_api.html>`__ has a number of its own for such memory, and
# torch answers with it.

pinned = torch.tensor([1.0, 2.0, 3.0]).pin_memory()
plain = torch.tensor([1.0, 2.0, 3.0])
print(pinned.device == plain.device)
# => True
print(int(pinned.__dlpack_device__()[0]), int(plain.__dlpack_device__()[0]))
# => 3 1

# %%
# NumPy accepts both, and shares.

array = np.from_dlpack(pinned)
pinned[0] = 50
print(array)
# => [50.  2.  3.]

# %%
# A consumer that compares with the number of the plain CPU alone takes the tensor for one on a GPU.
# JAX, for one, `knew only the plain number <https://github.com/jax-ml/jax/issues/22346>`__ until
# `pull request 37896 <https://github.com/jax-ml/jax/pull/37896>`__.


def is_on_host(exporter):
    """Whether the memory can be read by the CPU."""
    return int(exporter.__dlpack_device__()[0]) == 1


print(is_on_host(plain), is_on_host(pinned))
# => True False

# %%
# The array from :meth:`torch.Tensor.numpy` reports the plain number for the same memory, since
# NumPy knows no other. Exported again, it suits such consumers without a copy.

view = pinned.numpy()
print(is_on_host(view), np.shares_memory(view, array))
# => True True

# %%
# And the memory is still pinned: torch asks CUDA about the address, not the object that owns it. So
# it can be uploaded in the background, with the care of :doc:`/gallery/07_cuda/pending_upload`.

print(torch.from_numpy(view).is_pinned(), torch.from_dlpack(view).is_pinned())
# => True True
print(torch.from_dlpack(view).to("cuda"))
# => tensor([50.,  2.,  3.], device='cuda:0')
