"""
TypeError: default_collate: … found <class 'PIL.Image.Image'>
=============================================================

The loader does not know how to stack the class in the message, such as an image or a graph: convert
each sample to arrays in ``__getitem__``, or write a ``collate_fn`` that knows the class.

.. fix::

   - DataLoader(images, batch_size=2)
   - DataLoader(graphs, batch_size=2)
   + pixels = [torch.from_numpy(np.array(image)).permute(2, 0, 1) for image in images]
   + DataLoader(graphs, batch_size=2, collate_fn=join_graphs)
   + default_collate([row.astype(np.float32) for row in mixed])

Graphs of PyTorch Geometric or DGL have a loader of their own: ``torch_geometric.loader.DataLoader`` or
``dgl.dataloading.GraphDataLoader``.
"""

# sphinx_gallery_tags = ["dataloader", "collate", "pillow", "image", "error"]

import datetime
import pathlib

import numpy as np
import torch
from PIL import Image
from torch.utils.data import DataLoader, default_collate

# %%
# The error
# ---------
#
# ``default_collate`` stacks `tensors, arrays and numbers, looks into dictionaries, lists and
# tuples, and keeps strings
# <https://docs.pytorch.org/docs/stable/data.html#torch.utils.data.default_collate>`__. The message
# names the class that it found instead. A Pillow image is the usual one: the dataset has no
# transform that makes a tensor of it.

images = [Image.new("RGB", (3, 2)), Image.new("RGB", (3, 2))]
try:
    next(iter(DataLoader(images, batch_size=2)))
except TypeError as error:
    print(error)
# => default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class 'PIL.Image.Image'>

# %%
# Dates, paths and sets raise as well, also as one field of a sample. The other fields may be fine.

for extra in (datetime.date(2024, 1, 1), pathlib.PurePosixPath("a.png"), {1, 2}):
    try:
        default_collate([(np.ones(2), extra), (np.zeros(2), extra)])
    except TypeError as error:
        print(error)
# => default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class 'datetime.date'>
# => default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class 'pathlib.PurePosixPath'>
# => default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class 'set'>

# %%
# So does an object of this class of our own: ``default_collate`` does not know how two graphs become
# one.


class Graph:
    def __init__(self, nodes, edges):
        self.nodes, self.edges = nodes, edges


graphs = [Graph(np.ones((2, 3)), [[0], [1]]), Graph(np.ones((4, 3)), [[0, 1], [2, 3]])]
try:
    next(iter(DataLoader(graphs, batch_size=2)))
except TypeError as error:
    print(str(error).split("found")[0])
# => default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists;

# %%
# ``found object``, without ``class``, is an array of the dtype ``object``, often the row of a pandas
# table with a text column among the numbers.

mixed = [np.array([1, 2.5], dtype=object), np.array([3, 0.5], dtype=object)]
try:
    default_collate(mixed)
except TypeError as error:
    print(error)
# => default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found object

# %%
# The fix
# -------
#
# Convert an image in the dataset, with NumPy as here or with ``transforms.ToTensor()``.

pixels = [torch.from_numpy(np.array(image)).permute(2, 0, 1) for image in images]
print(next(iter(DataLoader(pixels, batch_size=2))).shape)
# => torch.Size([2, 3, 2, 3])

# %%
# For objects, pass a function that gets the list of samples and returns the batch. Nodes of several
# graphs are joined, not stacked, and each edge then counts from the first node of its own graph.


def join_graphs(samples):
    nodes = torch.cat([torch.from_numpy(sample.nodes) for sample in samples])
    starts = np.cumsum([0] + [len(sample.nodes) for sample in samples[:-1]])
    edges = [torch.tensor(sample.edges) + int(start) for sample, start in zip(samples, starts)]
    return nodes, torch.cat(edges, dim=1)


(batch,) = DataLoader(graphs, batch_size=2, collate_fn=join_graphs)
print(batch[0].shape, batch[1])
# => torch.Size([6, 3]) tensor([[0, 2, 3],
# =>         [1, 4, 5]])

# %%
# `PyTorch Geometric <https://pytorch-geometric.readthedocs.io/en/latest/get_started/introduction.html>`__
# has this function as ``Batch.from_data_list``; its own ``DataLoader`` calls it.
#
# Return a date as a number and a path as text, which stays text. Cast a ``datetime64`` to ``int64``,
# which counts its unit, here days, and back with ``astype``: :doc:`/gallery/03_dtypes/dates_and_bytes`.

names, days = default_collate([("a.png", datetime.date(2024, 1, 1).toordinal())])
print(names, days)
# => ('a.png',) tensor([738886])
stamp = np.datetime64("2024-01-01")
print(default_collate([stamp.astype(np.int64)]).numpy().astype("datetime64[D]"))
# => ['2024-01-01']

# %%
# Cast an array of the dtype ``object`` when its columns are numbers; encode texts first
# (:doc:`/gallery/13_errors/object_array`).

print(default_collate([row.astype(np.float32) for row in mixed]))
# => tensor([[1.0000, 2.5000],
# =>         [3.0000, 0.5000]])

# %%
# To keep the objects as they are, collect them in a list.

(batch,) = DataLoader(graphs, batch_size=2, collate_fn=list)
print(type(batch), len(batch))
# => <class 'list'> 2

# %%
# What does not help
# ------------------
#
# A batch of one sample is collated too.

try:
    next(iter(DataLoader(images, batch_size=1)))
except TypeError as error:
    print(str(error).split("; ")[1])
# => found <class 'PIL.Image.Image'>

# %%
# ``np.asarray`` of this graph gives an array of dtype ``object``, for which
# :func:`torch.from_numpy` raises: :doc:`/gallery/13_errors/object_array`. ``None`` has :doc:`a page
# of its own </gallery/13_errors/collate_none>`.

print(np.asarray(graphs[0]).dtype)
# => object
