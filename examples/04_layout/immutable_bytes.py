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
# Python relies on :class:`bytes` never changing: the hash is computed once and kept, and equal
# constants may be one object. :func:`torch.frombuffer` shares their memory and warns. What a write
# does is shown in forked child processes, since it damages the interpreter that does it.


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
# The dictionary still lists the key and cannot find it, under the old value or the new one: the
# kept hash belongs to the old bytes, the comparison sees the new.
#
# A constant in a function is one object for all calls. After the write, the function returns
# something that stands nowhere in its source.


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
# value of a single byte. One write to it changes what every library in the process reads.


def write_to_byte():
    view(bytes([65]))[0] = 66
    print("A".encode(), bytes([65]))


run_in_child(write_to_byte)
# => b'B' b'B'

# %%
# None of this raises. The safe form is a :class:`bytearray`, which copies, and which may be
# written to.

data = b"RIFF"
tensor = torch.frombuffer(bytearray(data), dtype=torch.uint8)
tensor[:] = 33
print(data, tensor)
# => b'RIFF' tensor([33, 33, 33, 33], dtype=torch.uint8)

# %%
# When the tensor is only read, the copy can be left out, at the price of the warning. A
# computation that is not in place makes its own memory. Other buffers are the subject of
# :doc:`/gallery/01_numpy_to_tensor/frombuffer`.

shared = torch.frombuffer(data, dtype=torch.uint8)
# => UserWarning: The given buffer is not writable, and PyTorch does not support non-writable tensors. This means you can write to the underlying (supposedly non-writable) buffer using the tensor. You may want to copy the buffer to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
print(shared + 1, data)
# => tensor([83, 74, 71, 71], dtype=torch.uint8) b'RIFF'
