"""
DataLoader workers copy the dataset: memory grows
=================================================

Keep a dataset's index in an array, not in a list of strings or an array of dtype ``object``:
reading those changes reference counts, so each forked worker copies their memory.
"""

# sphinx_gallery_tags = ["dataloader", "workers", "memory"]

import multiprocessing
import resource
import sys

import numpy as np

# %%
# A forked worker shares memory with its parent until one of them writes; then the kernel copies
# that page of memory. In Python, even reading a string from a list writes, because the string holds
# its own reference count.

names = [f"image-{number}.png" for number in range(200_000)]
before = sys.getrefcount(names[0])
name = names[0]
print(sys.getrefcount(names[0]) - before)
# => 1

# %%
# This array stores the text side by side and creates a new object for each access. Reading an
# element does not write to the array's memory.

table = np.array(names)
print(type(table[0]), table[0] is table[0])
# => <class 'numpy.str_'> False

# %%
# The operating system counts page faults per process, for example when a page is copied or touched
# for the first time. The worker here reads, and does not write.


def read_all(values, answer):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for index in range(len(values)):
        values[index]
    answer.put(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)


def faults(values):
    context = multiprocessing.get_context("fork")
    answer = context.SimpleQueue()
    worker = context.Process(target=read_all, args=(values, answer))
    worker.start()
    count = answer.get()
    worker.join()
    return count


# %%
# For the list, the worker copies the pages of memory that hold its strings. For the array it copies
# far less.

print(faults(names) > 10 * faults(table))
# => True

# %%
# In a long run, memory seems to leak until every worker has read every element: `issue 13246
# <https://github.com/pytorch/pytorch/issues/13246>`__. Lists of floats, dictionaries of strings and
# data frames with object columns have the same problem. So does this array of dtype ``object``,
# because it holds references to the Python objects.

references = np.array(names, dtype=object)
print(references[0] is names[0])
# => True
print(faults(references) > 10 * faults(table))
# => True
