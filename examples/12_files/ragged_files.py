"""
Save tensors of different lengths in one file: values and lengths
=================================================================

Arrays in safetensors and npz are rectangular: join the values into one flat tensor, store the lengths beside
it, and ``split`` after loading. HDF5 takes the same two arrays.
"""

# sphinx_gallery_tags = ["ragged", "variable-length", "safetensors", "npz", "jagged", "nested", "split", "files", "awkward"]

import tempfile
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file

# %%
# Sequences, events or clips of different lengths do not stack.

rows = [torch.tensor([1.0, 2.0, 3.0]), torch.tensor([4.0]), torch.tensor([5.0, 6.0])]
flat = {"values": torch.cat(rows), "lengths": torch.tensor([len(row) for row in rows])}
path = Path(tempfile.mkdtemp()) / "rows.safetensors"
save_file(flat, path)
print(flat["values"].shape, flat["lengths"])
# => torch.Size([6]) tensor([3, 1, 2])

# %%
# ``split`` wants the lengths as a list, and gives views of the values.

loaded = load_file(path)
back = loaded["values"].split(loaded["lengths"].tolist())
print(back)
# => (tensor([1., 2., 3.]), tensor([4.]), tensor([5., 6.]))

# %%
# For one row at a time, as in a ``Dataset``, keep offsets. Row ``i`` goes from ``offsets[i]`` to
# ``offsets[i + 1]``, also in a file that is mapped.

np.save(path.with_suffix(".npy"), flat["values"].numpy())
offsets = np.concatenate([[0], np.cumsum(flat["lengths"].numpy())])
values = np.load(path.with_suffix(".npy"), mmap_mode="r")
print(torch.from_numpy(values[offsets[2] : offsets[3]].copy()))
# => tensor([5., 6.])

# %%
# Nested lists need lengths for each level. These are two documents with two and one sentences.

documents = [[rows[0], rows[1]], [rows[2]]]
sentences = torch.tensor([len(document) for document in documents])
start = 0
restored = []
for count in sentences.tolist():
    restored.append(list(back[start : start + count]))
    start += count
print([len(document) for document in restored], restored[1])
# => [2, 1] [tensor([5., 6.])]

# %%
# Images and other items with more axes: flatten each, and store its shape as well. For one tensor of shapes,
# the items need the same number of axes.

images = [torch.ones(2, 3), torch.zeros(1, 4)]
shapes = torch.tensor([image.shape for image in images])
joined = torch.cat([image.flatten() for image in images])
parts = joined.split(shapes.prod(1).tolist())
print([part.reshape(*shape).shape for part, shape in zip(parts, shapes.tolist(), strict=True)])
# => [torch.Size([2, 3]), torch.Size([1, 4])]

# %%
# An awkward array with one nested level has the same two parts: ``ak.flatten`` and ``ak.num``. For a padded
# batch: :doc:`/gallery/01_numpy_to_tensor/padded_batches`.
