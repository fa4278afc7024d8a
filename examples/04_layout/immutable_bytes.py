"""
Writing to a tensor on immutable bytes
======================================

Wrap ``bytes`` in a ``bytearray`` before ``torch.frombuffer`` if you write to the tensor: otherwise
the write changes the immutable object, which breaks dictionary keys and constants.
"""

# sphinx_gallery_tags = ["buffer", "read-only", "silent", "crash"]

import multiprocessing
import warnings

import torch

# %%
# Python relies on :class:`bytes` not changing: the hash is computed once and kept, and equal
# constants may be one object. :func:`torch.frombuffer` shares their memory and warns. The writes
# below run in forked child processes, because they damage the interpreter.


def view(data):
    warnings.simplefilter("ignore")
    return torch.frombuffer(data, dtype=torch.uint8)


def run_in_child(function):
    child = multiprocessing.get_context("fork").Process(target=function)
    child.start()
    child.join()


def write_to_key():
    key = bytes([1, 2, 3])
    table = {key: "value"}
    view(key)[0] = 9
    print(key, list(table))
    print(bytes([1, 2, 3]) in table, bytes([9, 2, 3]) in table)


run_in_child(write_to_key)
# => b'\t\x02\x03' [b'\t\x02\x03']
# => False False

# %%
# The dictionary still lists the key, but looking up other bytes with the old or the new value fails:
# the stored hash belongs to the old bytes, and the comparison uses the new ones.
#
# A ``bytes`` literal in a function is one object, which CPython returns again and again. After the
# write, the function returns bytes that are not those of its source.


def header():
    return b"RIFF"


def write_to_constant():
    view(header())[:] = 33
    print(header())


run_in_child(write_to_constant)
# => b'!!!!'

# %%
# CPython `keeps one object
# <https://github.com/python/cpython/commit/cf496d657a1a82eaf9ebfb47d721676fef6effa5>`__ for each
# single byte. A write to it changes what other code in the process reads.


def write_to_byte():
    view(bytes([65]))[0] = 66
    print("A".encode(), bytes([65]))


run_in_child(write_to_byte)
# => b'B' b'B'

# %%
# These writes do not raise. To be safe, wrap the bytes in a :class:`bytearray`, which makes a
# writable copy.

data = b"RIFF"
tensor = torch.frombuffer(bytearray(data), dtype=torch.uint8)
tensor[:] = 33
print(data, tensor)
# => b'RIFF' tensor([33, 33, 33, 33], dtype=torch.uint8)

# %%
# If you only read the tensor, you can skip the copy and accept the warning. The addition below
# writes to new memory. For other buffers see :doc:`/gallery/01_numpy_to_tensor/frombuffer`.

shared = torch.frombuffer(data, dtype=torch.uint8)
# => UserWarning: The given buffer is not writable, and PyTorch does not support non-writable tensors. This means you can write to the underlying (supposedly non-writable) buffer using the tensor. You may want to copy the buffer to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
print(shared + 1, data)
# => tensor([83, 74, 71, 71], dtype=torch.uint8) b'RIFF'
