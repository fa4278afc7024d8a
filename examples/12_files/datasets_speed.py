"""
Hugging Face datasets: slow torch format
========================================

The torch format converts a nested column piece by piece in Python: declare arrays of fixed size, and
read many rows at once.
"""

# sphinx_gallery_tags = ["datasets", "performance", "copy"]

import sys

import numpy as np
from datasets import Array2D, Dataset, Features
from torch.utils.data import DataLoader

# %%
# Made from these arrays, a dataset stores nested lists of no fixed size. ``Array2D`` declares a
# fixed size, so each image is read as one block. If you set no format, you get Python lists of
# numbers from both.

images = np.zeros((8, 64, 64), dtype=np.float32)
nested = Dataset.from_dict({"image": images})
features = Features({"image": Array2D((64, 64), "float32")})
fixed = Dataset.from_dict({"image": images}, features=features)
print(nested.features["image"])
# => List(List(Value('float32')))
print(fixed.features["image"])
# => Array2D(shape=(64, 64), dtype='float32')

# %%
# The cost is in Python code, so this page counts Python calls instead of measuring time. Both
# formats need several times as many calls for this nested column.


def count_calls(read):
    calls = []
    read()
    sys.setprofile(lambda frame, event, argument: calls.append(event))
    read()
    sys.setprofile(None)
    return len(calls)


for name in ("torch", "numpy"):
    lists, block = nested.with_format(name), fixed.with_format(name)
    print(name, count_calls(lambda: lists[0]) > 3 * count_calls(lambda: block[0]))
# => torch True
# => numpy True

# %%
# Read several rows at once to reduce the remaining cost. Reading them one by one needs several
# times as many calls.

tensors = fixed.with_format("torch")
one_by_one = count_calls(lambda: [tensors[index] for index in range(8)])
print(one_by_one > 4 * count_calls(lambda: tensors[0:8]))
# => True

# %%
# ``iter`` reads in batches. So does a loader, which reads the rows of a batch together.

print([part["image"].shape for part in tensors.iter(batch_size=4)])
# => [torch.Size([4, 64, 64]), torch.Size([4, 64, 64])]
print([batch["image"].shape for batch in DataLoader(tensors, batch_size=4)])
# => [torch.Size([4, 64, 64]), torch.Size([4, 64, 64])]

# %%
# If the data fits in memory, read it once into one tensor. After that, ``whole[0]`` is a view.

whole = tensors[:]["image"]
print(whole.shape, whole[0].data_ptr() == whole.data_ptr())
# => torch.Size([8, 64, 64]) True
