"""
set_transform or map in Hugging Face datasets: convert on the fly
=================================================================

``with_transform`` runs a function when rows are read. ``map`` stores the results in Arrow: images
as float tensors then take almost four times the bytes and convert at each read.
"""

# sphinx_gallery_tags = ["datasets", "dataloader", "performance", "image"]

import numpy as np
import torch
from datasets import Array3D, Dataset, Features, disable_progress_bars
from torch.utils.data import DataLoader

# %%
# The images are stored as ``uint8``. The transform gets a batch, a dictionary of lists, and returns
# tensors.

shape = (3, 64, 64)
images = list(np.full((4, *shape), 255, dtype=np.uint8))
table = Dataset.from_dict({"image": images}, features=Features({"image": Array3D(shape, "uint8")}))


def to_floats(rows):
    return {
        "image": [torch.tensor(image, dtype=torch.uint8).float() / 255 for image in rows["image"]]
    }


lazy = table.with_transform(to_floats)
print(lazy[0]["image"].dtype, lazy[0]["image"].max())
# => torch.float32 tensor(1.)

# %%
# ``set_transform`` does the same to the dataset itself. A loader stacks the tensors.

table.set_transform(to_floats)
print(next(iter(DataLoader(table, batch_size=2)))["image"].shape)
# => torch.Size([2, 3, 64, 64])
table.reset_format()

# %%
# ``map`` runs the function on the rows once and stores what it returns. These tensors come back as
# lists of floats: four bytes for each byte of the images, converted at each read.

disable_progress_bars()
stored = table.map(to_floats, batched=True)
print(round(stored.data.nbytes / table.data.nbytes))
# => 4
print(type(stored[0]["image"]).__name__, stored.features["image"])
# => list List(List(List(Value('float32'))))

# %%
# Use ``map`` for work that gives small results, such as tokens, and a transform for what
# has to be a tensor. A transform replaces the format: it is the function's task to return tensors.

print(lazy.format["type"])
# => custom
