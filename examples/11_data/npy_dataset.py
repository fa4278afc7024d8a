"""
A Dataset of .npy files: np.load in __getitem__, float32, channels
==================================================================

Load one file per item with ``np.load``, cast to ``float32``, put the channels first (``array[None]`` if there is
no channel axis), and return ``torch.from_numpy`` of it with the label.
"""

# sphinx_gallery_tags = ["npy", "npz", "dataloader", "files", "dtype", "channels", "memmap", "pillow"]

import tempfile
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset

# %%
# Look at the files first
# -----------------------
#
# Here are grey images in two folders that name the classes. Check dtype, shape, range, and whether the numbers
# are finite, before you write the dataset.

root = Path(tempfile.mkdtemp())
random = np.random.default_rng(0)
for label in ("cats", "dogs"):
    (root / label).mkdir()
    for number in range(3):
        np.save(root / label / f"{number}.npy", random.integers(0, 256, (4, 5), dtype=np.uint8))


def check(array):
    print(
        array.dtype, array.shape, 0 <= array.min() <= array.max() <= 255, np.isfinite(array).all()
    )


check(np.load(root / "cats" / "0.npy"))
# => uint8 (4, 5) True True

# %%
# ``np.load`` raises for an array of Python objects unless you allow pickles. Store numbers:
# :doc:`/gallery/12_files/np_save`.

# %%
# One file is one item
# --------------------
#
# Convolutions take ``float32`` and the shape (channels, height, width). So a grey image gets an axis in front,
# and colours that are last move to the front. The division is for ``uint8``; leave it out if your floats are
# in 0–1 already.


def to_tensor(array):
    if array.ndim == 2:
        array = array[None]
    else:
        array = array.transpose(2, 0, 1)
    scale = 255 if array.dtype == np.uint8 else 1
    return torch.from_numpy(np.ascontiguousarray(array, dtype=np.float32) / scale)


print(to_tensor(np.zeros((4, 5))).shape, to_tensor(np.zeros((4, 5, 3))).shape)
# => torch.Size([1, 4, 5]) torch.Size([3, 4, 5])

# %%
# Sort the paths, since the order of a folder is not defined. The loader makes ``int64`` of labels that are
# Python integers, and ``cross_entropy`` takes this dtype for classes.


class NpyFolder(Dataset):
    def __init__(self, root):
        self.paths = sorted(root.glob("*/*.npy"))
        self.classes = sorted({path.parent.name for path in self.paths})

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        path = self.paths[index]
        return to_tensor(np.load(path)), self.classes.index(path.parent.name)


dataset = NpyFolder(root)
loader = DataLoader(dataset, batch_size=4, shuffle=True)
batch, labels = next(iter(loader))
print(batch.shape, batch.dtype, labels.dtype, dataset.classes)
# => torch.Size([4, 1, 4, 5]) torch.float32 torch.int64 ['cats', 'dogs']

# %%
# ``torchvision.datasets.DatasetFolder(root, loader=read, extensions=(".npy",))`` does the same for folders of
# classes; ``ImageFolder`` does not look for ``.npy``. Images of several sizes do not fit into one batch:
# :doc:`/gallery/11_data/collate_refusals`.

# %%
# Several arrays in one .npz, and PNG among them
# ----------------------------------------------
#
# Choose the reader by the suffix. An ``.npz`` is a dict of arrays; read each name once per item. A ``.npy`` holds
# the pixels as they are, without the decoding that a PNG needs, and takes more room on the disk.


def read_npz(path):
    with np.load(path) as archive:
        return archive["image"]


READERS = {".npy": np.load, ".npz": read_npz, ".png": lambda path: np.array(Image.open(path))}
image = random.integers(0, 256, (4, 5, 3), dtype=np.uint8)
mixed = Path(tempfile.mkdtemp())
np.save(mixed / "a.npy", image)
np.savez_compressed(mixed / "b.npz", image=image, mask=image[..., 0] > 127)
Image.fromarray(image).save(mixed / "c.png")
tensors = [to_tensor(READERS[path.suffix](path)) for path in sorted(mixed.iterdir())]
print([torch.equal(tensor, tensors[0]) for tensor in tensors], tensors[0].shape)
# => [True, True, True] torch.Size([3, 4, 5])

# %%
# Many samples in each file
# -------------------------
#
# With the cumulated lengths of the files, ``np.searchsorted`` finds the file of a global index; what is left is
# the row in it.

chunks = Path(tempfile.mkdtemp())
for number, length in enumerate((3, 1, 2)):
    np.save(chunks / f"{number}.npy", np.full((length, 2), number, dtype=np.float32))


class NpyChunks(Dataset):
    def __init__(self, paths):
        self.paths = list(paths)
        self.ends = np.cumsum([len(np.load(path, mmap_mode="r")) for path in self.paths])
        self.maps = {}

    def __len__(self):
        return int(self.ends[-1])

    def locate(self, index):
        file = int(np.searchsorted(self.ends, index, side="right"))
        start = self.ends[file - 1] if file else 0
        return file, int(index - start)

    def __getitem__(self, index):
        file, row = self.locate(index)
        if file not in self.maps:
            self.maps[file] = np.load(self.paths[file], mmap_mode="r")
        return torch.from_numpy(self.maps[file][row].copy()), file


rows = NpyChunks(sorted(chunks.glob("*.npy")))
print(len(rows), [rows.locate(index) for index in range(len(rows))])
# => 6 [(0, 0), (0, 1), (0, 2), (1, 0), (2, 0), (2, 1)]

# %%
# Each process opens a file when it first needs it, and ``copy()`` reads that row alone. Shuffling then mixes the
# rows of the files. In this epoch each row comes once, from the file that its number names.

loader = DataLoader(NpyChunks(rows.paths), batch_size=4, shuffle=True, num_workers=2)
values, files = (torch.cat(parts) for parts in zip(*loader))
print(values.shape, torch.equal(values[:, 0], files.float()), torch.bincount(files))
# => torch.Size([6, 2]) True tensor([3, 1, 2])

# %%
# Why the maps are opened late: :doc:`/gallery/11_data/mapped_datasets`. Each open map counts as an open file, so
# pack thousands of files into fewer: :doc:`/gallery/12_files/arrays_larger_than_memory`.

# %%
# Save outputs as .npy
# --------------------
#
# Move the output to the CPU, without its gradient, and give it the name of its input.

outputs = Path(tempfile.mkdtemp())
model = torch.nn.Conv2d(1, 2, 3, padding=1)
for path in dataset.paths[:2]:
    output = model(to_tensor(np.load(path))[None])[0]
    np.save(outputs / path.name, output.detach().cpu().numpy())
print(np.load(outputs / "0.npy").shape, np.load(outputs / "0.npy").dtype)
# => (2, 4, 5) float32
