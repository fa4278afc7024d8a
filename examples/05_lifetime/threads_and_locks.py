"""
Threads on shared memory: a lock for tensor and array
=====================================================

Shared memory is not locked: if one thread writes to a tensor and another to its array, use one
``threading.Lock`` around each complete step. Threads that write to different elements need no lock.
"""

# sphinx_gallery_tags = ["threads", "sharing", "silent"]

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch

# %%
# Reading a value and writing a new one are two steps, and another thread may run between them. The
# barrier here makes both threads read before either writes.

counter = np.zeros(1)
view = torch.from_numpy(counter)
both_have_read = threading.Barrier(2)


def count(cell):
    value = float(cell[0])
    both_have_read.wait()
    cell[0] = value + 1


with ThreadPoolExecutor(2) as pool:
    list(pool.map(count, [counter, view]))
print(counter)
# => [1.]

# %%
# Of two increments, one is lost. Without the barrier this may happen too. ``+=`` does not rule it
# out: many NumPy operations let other threads run while they compute, and NumPy leaves locking `to
# the caller <https://numpy.org/doc/stable/reference/thread_safety.html>`__.
#
# A thread that copies a buffer while another writes it has the same problem. Here its copy mixes
# old and new values, without an error.

frame = torch.zeros(4)
half_written, copied = threading.Event(), threading.Event()


def write_ones():
    frame[:2] = 1
    half_written.set()
    copied.wait()
    frame[2:] = 1


with ThreadPoolExecutor(1) as pool:
    pool.submit(write_ones)
    half_written.wait()
    snapshot = frame.numpy().copy()
    copied.set()
print(snapshot, frame)
# => [1. 1. 0. 0.] tensor([1., 1., 1., 1.])

# %%
# Put a lock around each complete step. Use it in each of the threads, for the array and for the
# tensor.

lock = threading.Lock()
counter[0] = 0


def count_with_lock(cell):
    for _ in range(1000):
        with lock:
            cell += 1


with ThreadPoolExecutor(2) as pool:
    list(pool.map(count_with_lock, [counter, view]))
print(counter)
# => [2000.]

# %%
# Threads that write to different elements need no lock. Give each thread its own slice, and combine
# the slices at the end.

parts = torch.zeros(2, 500)


def fill(part):
    part += 1


with ThreadPoolExecutor(2) as pool:
    list(pool.map(fill, [parts[0], parts[1].numpy()]))
print(parts.sum())
# => tensor(1000.)
