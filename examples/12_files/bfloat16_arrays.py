"""
Save bfloat16 in npy or HDF5 files: store the bits
==================================================

NumPy has no ``bfloat16``: store ``tensor.view(torch.int16).numpy()``, which has the same bytes, and
read it with ``torch.from_numpy(array).view(torch.bfloat16)``. The values stay exact.
"""

# sphinx_gallery_tags = ["files", "bfloat16", "dtype", "h5py"]

import io

import h5py
import numpy as np
import torch

# %%
# ``numpy()`` raises for ``bfloat16``. A view as ``int16`` reads the same two bytes of each value
# as an integer, without a copy.

activations = torch.tensor([1.0, 3.140625, -2.5], dtype=torch.bfloat16)
bits = activations.view(torch.int16).numpy()
print(bits.nbytes == activations.nbytes)
# => True

# %%
# The integers do not tell what they were, so note the dtype in the file's name. After loading, view
# them as ``bfloat16`` again.

file = io.BytesIO()
np.save(file, bits)
file.seek(0)
restored = torch.from_numpy(np.load(file)).view(torch.bfloat16)
print(torch.equal(restored, activations))
# => True

# %%
# In HDF5, an attribute of the dataset can hold the name of the dtype.

with h5py.File("activations.h5", "w", driver="core", backing_store=False) as archive:
    dataset = archive.create_dataset("layer", data=bits)
    dataset.attrs["dtype"] = "bfloat16"
    read = torch.from_numpy(dataset[:]).view(getattr(torch, dataset.attrs["dtype"]))
print(torch.equal(read, activations))
# => True

# %%
# ``float()`` is exact as well, but takes twice the bytes. ``half()`` has the same size as
# ``bfloat16``, but rounds small numbers to 0 and turns large ones into infinity.

wide = torch.tensor([1e-20, 1e20], dtype=torch.bfloat16)
print(wide.float().numpy().nbytes // 2 == wide.nbytes, wide.half())
# => True tensor([0., inf], dtype=torch.float16)

# %%
# The same works for ``float8``, viewed as ``uint8``. ``torch.save`` and safetensors store these
# dtypes themselves: :doc:`/gallery/12_files/safetensors_files`.

small = torch.tensor([0.5, 2.0]).to(torch.float8_e4m3fn)
print(torch.from_numpy(small.view(torch.uint8).numpy()).view(torch.float8_e4m3fn).float())
# => tensor([0.5000, 2.0000])
