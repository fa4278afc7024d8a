"""
RuntimeError: PytorchStreamReader failed reading zip archive
============================================================

The file is incomplete, as after a download that stopped early: delete it and download it again, or run
``git lfs pull`` if it is a small text file, a Git LFS pointer.

.. fix::

   - torch.load(path)
   + path.unlink()
   + torch.hub.download_url_to_file(url, path, progress=False)
   + print(path.stat().st_size == size, zipfile.is_zipfile(path))
"""

# sphinx_gallery_tags = ["torch.load", "np.load", "h5py", "safetensors", "files", "checkpoint", "error"]

import io
import pathlib
import pickle
import tempfile
import zipfile

import h5py
import numpy as np
import safetensors
import safetensors.torch
import torch

# %%
# The error
# ---------
#
# :func:`torch.save` writes a zip archive, whose table of contents stands at its end. The first half of
# the file, as after a download that stopped early, lacks it.

folder = tempfile.TemporaryDirectory()
source = pathlib.Path(folder.name, "source.pt")
torch.save(torch.ones(1000), source)
path = pathlib.Path(folder.name, "model.pt")
data = source.read_bytes()
path.write_bytes(data[: len(data) // 2])
try:
    torch.load(path)
except RuntimeError as error:
    print(str(error).split(". ")[0])
# => PytorchStreamReader failed reading zip archive: failed finding central directory

# %%
# For the two texts here torch raises an ``UnpicklingError`` that names the first byte. A clone without Git
# LFS has a text, a pointer, in place of a large file; a download that went wrong may have saved a web page.

POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 4096\n"
for text in ("<!DOCTYPE html>\n", POINTER):
    path.write_text(text)
    try:
        torch.load(path)
    except pickle.UnpicklingError as error:
        print(str(error).split("\n\n")[1])
# => Unsupported operand 60
# => Unsupported operand 118
print(chr(60), chr(118))
# => < v

# %%
# With ``weights_only=False`` the message for the pointer has the byte itself; for an empty file it is
# ``EOFError: Ran out of input``.

try:
    torch.load(path, weights_only=False)
except pickle.UnpicklingError as error:
    print(error)
# => invalid load key, 'v'.

# %%
# h5py says the size that it found here, ``eof``, and the size that the file was written with,
# ``stored_eof``.

hdf5 = pathlib.Path(folder.name, "frames.h5")
with h5py.File(hdf5, "w") as file:
    file["frames"] = np.ones(1000)
data = hdf5.read_bytes()
hdf5.write_bytes(data[: len(data) // 2])
try:
    h5py.File(hdf5)
except OSError as error:
    print(error)
# => Unable to synchronously open file (truncated file: eof = 5024, sblock->base_addr = 0, stored_eof = 10048)

# %%
# safetensors takes the first eight bytes of a file for the length of its header. Those of the pointer
# are a huge number. The file that was cut in half does not have the data that its header lists.

weights = pathlib.Path(folder.name, "model.safetensors")
safetensors.torch.save_file({"weight": torch.ones(1000)}, weights)
data = weights.read_bytes()
for content in (POINTER.encode(), data[: len(data) // 2]):
    weights.write_bytes(content)
    try:
        safetensors.torch.load_file(weights)
    except safetensors.SafetensorError as error:
        print(error)
# => Error while deserializing header: header too large
# => Error while deserializing header: incomplete metadata, file not fully covered

# %%
# NumPy says how much of this array it could read.

array = pathlib.Path(folder.name, "frames.npy")
np.save(array, np.ones(1000))
data = array.read_bytes()
array.write_bytes(data[: len(data) // 2])
try:
    np.load(array)
except ValueError as error:
    print(error)
# => Failed to read all data for array. Expected (1000,) = 1000 elements, could only read 492 elements. (file seems not fully written?)

# %%
# A ``.npz`` file is a zip archive too.

arrays = io.BytesIO()
np.savez(arrays, frames=np.ones(1000))
data = arrays.getvalue()
try:
    np.load(io.BytesIO(data[: len(data) // 2]))
except zipfile.BadZipFile as error:
    print(error)
# => File is not a zip file

# %%
# The fix
# -------
#
# Delete the file, download it again, and compare its size with the one that the source gives. If a library
# downloaded it, delete it from the library's cache and let the library download it. Here a file is the source.

url, size = source.as_uri(), source.stat().st_size
path.unlink()
torch.hub.download_url_to_file(url, path, progress=False)
print(path.stat().st_size == size, zipfile.is_zipfile(path))
# => True True

# %%
# If the message says ``invalid load key, 'v'`` or ``operand 118``, look at the size and the first bytes.
# ``version h`` begins a pointer: run ``git lfs pull`` in the clone.

path.write_text(POINTER)
print(path.stat().st_size, path.read_bytes()[:9])
# => 129 b'version h'

# %%
# A pointer ends with the size of the file for which it stands.

print(path.read_text().splitlines()[-1])
# => size 4096

# %%
# The whole files of this page begin like this. If yours does too, a part is missing or damaged. The first eight bytes of ``model.safetensors`` are the
# length of its header, here 64, an ``@``.

torch.save(torch.ones(3), path)
np.save(array, np.ones(3))
safetensors.torch.save_file({"weight": torch.ones(3)}, weights)
with h5py.File(hdf5, "w") as file:
    file["frames"] = np.ones(3)
for whole in (path, array, weights, hdf5):
    print(whole.name, whole.read_bytes()[:9])
# => model.pt b'PK\x03\x04\x00\x00\x08\x08\x00'
# => frames.npy b'\x93NUMPY\x01\x00v'
# => model.safetensors b'@\x00\x00\x00\x00\x00\x00\x00{'
# => frames.h5 b'\x89HDF\r\n\x1a\n\x00'

# %%
# What does not help
# ------------------
#
# The first message about a pointer suggests ``weights_only=False``, with which torch raises too, as
# above. NumPy treats a pointer as a pickle, and suggests ``allow_pickle``, but it is not a pickle.

for allow_pickle in (False, True):
    try:
        np.load(io.BytesIO(POINTER.encode()), allow_pickle=allow_pickle)
    except (ValueError, pickle.UnpicklingError) as error:
        print(str(error).split(" <")[0])
# => This file contains pickled (object) data. If you trust the file you can load it unsafely using the `allow_pickle=` keyword argument or `pickle.load()`.
# => Failed to interpret file
