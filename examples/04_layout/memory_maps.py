"""
np.memmap to a tensor: mmap_mode, copies and crashes
====================================================

Use ``mmap_mode="c"`` in ``np.load`` if you write to the tensor: changes stay in the process. A
write in mode ``r`` crashes the process, and a write in mode ``r+`` changes the file.
"""

# sphinx_gallery_tags = ["memmap", "files", "read-only", "crash", "warning"]

import multiprocessing
import pathlib
import tempfile

import numpy as np
import torch

# %%
# A mapped file is read page by page as its elements are used. :func:`torch.from_numpy` shares the
# mapping, so a tensor can be larger than the machine's memory. The ``mmap_mode`` of
# :func:`numpy.load` controls writes; :class:`numpy.memmap` lists the modes.

folder = tempfile.TemporaryDirectory()
path = pathlib.Path(folder.name, "values.npy")
np.save(path, np.arange(4.0))
tensor = torch.from_numpy(np.load(path, mmap_mode="r"))
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
print(tensor.sum())
# => tensor(6., dtype=torch.float64)

# %%
# In mode ``r`` the operating system protects the pages. Torch does not check this, so a write
# through the tensor kills the process with a segmentation fault. The write runs in a forked child
# here, whose exit code is the negated number of the signal.


def write():
    print("before", flush=True)
    tensor[0] = 9
    print("after", flush=True)


def run_in_child(function):
    child = multiprocessing.get_context("fork").Process(target=function)
    child.start()
    child.join()
    return child.exitcode


exit_code = run_in_child(write)
# => before
print(exit_code)
# => -11

# %%
# Mode ``c`` is copy-on-write: when you write to a page, it becomes private memory of the process.
# You can change the tensor, ``from_numpy`` does not warn, and the file does not change. If in
# doubt, use this mode.

private = torch.from_numpy(np.load(path, mmap_mode="c"))
private[0] = 9
print(private)
# => tensor([9., 1., 2., 3.], dtype=torch.float64)
print(np.load(path))
# => [0. 1. 2. 3.]

# %%
# Mode ``r+`` writes to the file. An in-place operation on the tensor changes the file on disk.

stored = torch.from_numpy(np.load(path, mmap_mode="r+"))
stored.mul_(10)
print(np.load(path))
# => [ 0. 10. 20. 30.]

# %%
# The tensor keeps the mapping alive, even after the array's name is deleted. The operating system
# decides when the values reach the disk, unless you call ``flush`` on the array.

mapped = np.load(path, mmap_mode="r+")
view = torch.from_numpy(mapped)
view[3] = -1
mapped.flush()
del mapped
print(view)
# => tensor([ 0., 10., 20., -1.], dtype=torch.float64)

# %%
# :func:`torch.tensor` reads the whole file into new memory. Writes to this tensor do not reach the
# file.

owned = torch.tensor(np.load(path, mmap_mode="r"))
owned.zero_()
print(np.load(path))
# => [ 0. 10. 20. -1.]

# %%
# :func:`torch.from_file` maps a file of raw numbers without NumPy. With ``shared=True`` writes
# reach the file, as in mode ``r+``; with ``shared=False`` they do not, as in mode ``c``. There is
# no read-only mode.

raw = str(pathlib.Path(folder.name, "values.bin"))
np.arange(3.0).tofile(raw)
torch.from_file(raw, shared=False, size=3, dtype=torch.float64).fill_(7)
print(np.fromfile(raw))
# => [0. 1. 2.]
torch.from_file(raw, shared=True, size=3, dtype=torch.float64).fill_(7)
print(np.fromfile(raw))
# => [7. 7. 7.]
folder.cleanup()
