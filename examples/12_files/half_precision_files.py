"""
Save embeddings or weights in half precision: half the file size
================================================================

Cast to ``float16`` when you save: ``np.save(path, x.half().numpy())`` for embeddings, and a state dict of
``half()`` tensors for a model. Cast back to ``float32`` after loading.
"""

# sphinx_gallery_tags = ["float16", "embeddings", "checkpoint", "files", "size", "precision", "mmap"]

import tempfile
from pathlib import Path

import numpy as np
import torch

# %%
# Two bytes for each number in place of four. Each keeps about three decimal digits. Compare the results of a
# search on a sample before you drop the originals.

folder = Path(tempfile.mkdtemp())
embeddings = torch.randn(100, 64, generator=torch.Generator().manual_seed(0))
np.save(folder / "full.npy", embeddings.numpy())
np.save(folder / "half.npy", embeddings.half().numpy())
sizes = [(folder / name).stat().st_size for name in ("full.npy", "half.npy")]
print(sizes)
# => [25728, 12928]

# %%
# Such a file can be mapped. Cast the rows that you need.

mapped = np.load(folder / "half.npy", mmap_mode="r")
rows = torch.from_numpy(mapped[:10].astype(np.float32))
print(rows.dtype, torch.allclose(rows, embeddings[:10], atol=2e-3))
# => torch.float32 True

# %%
# For a model, cast the floating point entries of the state dict, and leave counters alone. The model in memory
# stays as it is, unlike with ``model.half()``.

model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.BatchNorm1d(64))
state = {
    name: value.half() if value.is_floating_point() else value
    for name, value in model.state_dict().items()
}
torch.save(state, folder / "half.pt")
torch.save(model.state_dict(), folder / "full.pt")
sizes = [(folder / name).stat().st_size for name in ("half.pt", "full.pt")]
print(model[0].weight.dtype, sizes[0] < sizes[1])
# => torch.float32 True

# %%
# ``load_state_dict`` casts to the dtype of the model, unless you pass ``assign=True``.

loaded = torch.load(folder / "half.pt", weights_only=True)
print(model.load_state_dict(loaded), model[0].weight.dtype)
# => <All keys matched successfully> torch.float32

# %%
# Values beyond the range of ``float16`` become ``inf``: :doc:`/gallery/03_dtypes/half_range`. ``bfloat16``
# has the same size without that limit, but NumPy files need its bits:
# :doc:`/gallery/12_files/bfloat16_arrays`.

print(bool(embeddings.half().isfinite().all()))
# => True
