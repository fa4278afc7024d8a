"""
Collect predictions batch by batch without running out of memory
================================================================

Move each batch's output to the CPU and write it into one preallocated array, or into a file with
``np.lib.format.open_memmap``. A list of outputs keeps them on the GPU, with their graphs unless gradients are off.
"""

# sphinx_gallery_tags = ["predict", "memory", "files", "memmap", "inference", "loader", "lightning", "trainer"]

import tempfile
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader

# %%
# Into one array
# --------------
#
# Under ``inference_mode`` an output has no graph. The slice copies the values, so the batch can be freed.

torch.manual_seed(0)
model = torch.nn.Linear(4, 3).eval()
data = torch.rand(10, 4)
loader = DataLoader(data, batch_size=4)

predictions = np.empty((len(data), 3), dtype=np.float32)
start = 0
with torch.inference_mode():
    for batch in loader:
        output = model(batch)
        predictions[start : start + len(output)] = output.cpu()
        start += len(output)
print(np.allclose(predictions, model(data).detach()))
# => True

# %%
# Into a file
# -----------
#
# ``open_memmap`` makes an npy file of the final size, and the rows are assigned to it. ``np.load`` reads it later,
# with ``mmap_mode`` the rows that you use.

path = Path(tempfile.mkdtemp()) / "predictions.npy"
written = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(len(data), 3))
start = 0
with torch.inference_mode():
    for batch in loader:
        output = model(batch)
        written[start : start + len(output)] = output.cpu()
        start += len(output)
written.flush()
print(np.array_equal(np.load(path, mmap_mode="r"), predictions))
# => True

# %%
# If you do not know the size, write a file for each batch.

folder = path.parent
for number, batch in enumerate(loader):
    np.save(folder / f"part{number:04}.npy", model(batch).detach().cpu())
parts = [np.load(part) for part in sorted(folder.glob("part*.npy"))]
print([part.shape for part in parts], np.concatenate(parts).shape)
# => [(4, 3), (4, 3), (2, 3)] (10, 3)

# %%
# Keep less
# ---------
#
# Often the class is enough: as ``int32`` it takes four bytes instead of a row of scores.

print(predictions.nbytes, predictions.argmax(axis=1).astype(np.int32).nbytes)
# => 120 40

# %%
# Frameworks have hooks for this. In Lightning, write from a `BasePredictionWriter
# <https://lightning.ai/docs/pytorch/stable/api/lightning.pytorch.callbacks.BasePredictionWriter.html>`__ and call
# ``trainer.predict(..., return_predictions=False)``. The Trainer of transformers reduces scores in
# `preprocess_logits_for_metrics <https://huggingface.co/docs/transformers/main_classes/trainer>`__.

scores = torch.rand(4, 3)
print(scores.argmax(dim=-1).shape)
# => torch.Size([4])
