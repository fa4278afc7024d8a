"""
List of dicts in a Dataset: workers' RAM grows, pack it in bytes
================================================================

Pickle each dict, join the bytes in one ``uint8`` array, and keep the offsets: ``__getitem__`` unpickles one
item. Reading a list of Python objects changes reference counts, so each forked worker copies it.
"""

# sphinx_gallery_tags = ["workers", "memory", "annotations", "json", "coco", "dict", "oom", "fork", "spawn"]

import pickle

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

# %%
# Annotations as they come from a JSON file: a list of dicts.

annotations = [{"id": i, "name": f"image_{i}.png", "box": [0, 0, i, i]} for i in range(1000)]

# %%
# This dataset holds two tensors in place of the list. Reading numbers does not write to their pages, which
# forked workers go on sharing, and a spawned worker gets them through shared memory.


class Packed(Dataset):
    def __init__(self, items):
        parts = [np.frombuffer(pickle.dumps(item), dtype=np.uint8) for item in items]
        self.offsets = torch.from_numpy(np.cumsum([0] + [len(part) for part in parts]))
        self.data = torch.from_numpy(np.concatenate(parts))

    def __len__(self):
        return len(self.offsets) - 1

    def __getitem__(self, index):
        start, stop = self.offsets[index : index + 2].tolist()
        item = pickle.loads(self.data[start:stop].numpy().tobytes())
        return item["id"], torch.tensor(item["box"])


dataset = Packed(annotations)
print(len(dataset), dataset[7], dataset.data.dtype)
# => 1000 (7, tensor([0, 0, 7, 7])) torch.uint8

# %%
# Drop the list once it is packed: forked workers inherit a module variable that still holds it, and the main
# process keeps its memory.

del annotations
ids, boxes = next(iter(DataLoader(dataset, batch_size=4)))
print(ids, boxes.shape)
# => tensor([0, 1, 2, 3]) torch.Size([4, 4])

# %%
# Numbers need no pickle. Keep boxes and labels as arrays of numbers, with offsets where their count differs
# from image to image.

counts = np.array([2, 0, 1])
every_box = torch.arange(12).reshape(3, 4)
ends = np.cumsum(counts)
print(every_box[ends[2] - counts[2] : ends[2]])
# => tensor([[ 8,  9, 10, 11]])

# %%
# File names fit in an array of a fixed width, such as ``np.array(names)``. Why lists grow:
# :doc:`/gallery/11_data/lists_in_workers`.
