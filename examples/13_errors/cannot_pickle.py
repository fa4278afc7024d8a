"""
AttributeError: Can't pickle local object 'train.<locals>.<lambda>'
===================================================================

A spawned worker gets the dataset and ``collate_fn`` by pickle: use functions at the top of a module
instead of lambdas and local ones, and open files in the worker.

.. fix::

   - train(rows)
   + def to_floats(items):
   +     return torch.tensor(items, dtype=torch.float32)
   + DataLoader(rows, collate_fn=to_floats, num_workers=1, multiprocessing_context="spawn")

Workers are spawned on Windows and macOS. With ``num_workers=0`` the loader does not pickle the
dataset.
"""

# sphinx_gallery_tags = ["dataloader", "workers", "multiprocessing", "collate", "error", "warning"]

import functools
import pathlib
import pickle
import tempfile
import threading

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

# %%
# The error
# ---------
#
# Pickle stores a function by its module and name, and neither a lambda nor a function inside another
# one can be found by name. The loader has the message too when a lambda is an attribute of the dataset
# or of a transform, such as ``transforms.Lambda``.


def train(rows):
    loader = DataLoader(
        rows,
        collate_fn=lambda items: torch.tensor(items, dtype=torch.float32),
        num_workers=1,
        multiprocessing_context="spawn",
    )
    return next(iter(loader))


rows = [1, 2]
try:
    train(rows)
except (AttributeError, pickle.PicklingError) as error:
    print(error)
# => Can't pickle local object 'train.<locals>.<lambda>'
# => UserWarning: Got pickle error when attempting to start a worker Process. This might be because the worker Process arguments are not picklable. Python 3.14+ changed the multiprocessing start method in non-Mac POSIX platforms to 'forkserver', which requires the worker Process arguments to be picklable. You can also try multiprocessing.set_start_method('fork').

# %%
# A lambda at the top of a module raises another class.

try:
    pickle.dumps(lambda items: items)
except pickle.PicklingError as error:
    print(str(error).split(" at ")[0])
# => Can't pickle <function <lambda>

# %%
# The same happens to open files, a ``cv2.VideoCapture``, locks, generators, database connections and
# modules that the dataset keeps as attributes. The message names the class, not the attribute.

folder = tempfile.TemporaryDirectory()
path = pathlib.Path(folder.name, "rows.bin")
path.write_bytes(np.arange(4, dtype=np.float32).tobytes())
with path.open("rb") as file:
    for held in (file, np, threading.Lock(), (row for row in rows), {}.keys()):
        try:
            pickle.dumps(held)
        except TypeError as error:
            print(error)
# => cannot pickle '_io.BufferedReader' object
# => cannot pickle 'module' object
# => cannot pickle '_thread.lock' object
# => cannot pickle 'generator' object
# => cannot pickle 'dict_keys' object

# %%
# The fix
# -------
#
# Define the function at the top of a module. It is then pickled by name.


def to_floats(items):
    return torch.tensor(items, dtype=torch.float32)


loader = DataLoader(rows, collate_fn=to_floats, num_workers=1, multiprocessing_context="spawn")
print(pickle.loads(pickle.dumps(loader.collate_fn)) is to_floats)
# => True

# %%
# To fix an argument, use ``functools.partial`` instead of a lambda.

doubled = functools.partial(torch.mul, other=2)
print(pickle.loads(pickle.dumps(doubled))(torch.ones(2)))
# => tensor([2., 2.])

# %%
# Keep the path in the dataset and open the file in ``__getitem__``, so each worker opens its own. For
# HDF5 see :doc:`/gallery/12_files/h5py_datasets`, for mapped arrays
# :doc:`/gallery/11_data/mapped_datasets`. Import a module at the top of the file instead of keeping it.


class Rows(Dataset):
    def __init__(self, path):
        self.path, self.file = path, None

    def __len__(self):
        return 4

    def __getitem__(self, index):
        if self.file is None:
            self.file = self.path.open("rb")
        self.file.seek(4 * index)
        return np.frombuffer(self.file.read(4), dtype=np.float32).copy()

    def __getstate__(self):
        return {**self.__dict__, "file": None}


# %%
# ``__getstate__`` leaves the file out when the main process has read a row before the workers start.

dataset = Rows(path)
print(dataset[3])
# => [3.]
copied = pickle.loads(pickle.dumps(dataset))
print(copied[3])
# => [3.]
copied.file.close()
dataset.file.close()
folder.cleanup()

# %%
# What does not help
# ------------------
#
# A name for the lambda does not help: its own name is still ``<lambda>``.

named = lambda items: items  # noqa: E731
try:
    pickle.dumps(named)
except pickle.PicklingError as error:
    print("<lambda>" in str(error))
# => True

# %%
# Copying with ``copy.deepcopy`` works for a function, so it does not test whether pickle will.
# ``pickle.dumps(dataset)`` does.
#
# Works, but not everywhere
# -------------------------
#
# Forked workers inherit the dataset without pickle: ``multiprocessing_context="fork"``. Windows has no
# fork, and once the program has used CUDA, a forked worker cannot: :doc:`/gallery/13_errors/forked_cuda`.

(batch,) = DataLoader(
    rows,
    batch_size=2,
    collate_fn=lambda items: torch.tensor(items),
    num_workers=1,
    multiprocessing_context="fork",
)
print(batch)
# => tensor([1, 2])
