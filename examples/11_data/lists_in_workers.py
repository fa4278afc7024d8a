"""
DataLoader workers copy the dataset: memory grows
=================================================

Keep a dataset's index in an array, not in a list or an array of dtype ``object``: reading those
changes reference counts, so each forked worker copies their memory.
"""

# sphinx_gallery_tags = ["dataloader", "workers", "memory"]

import multiprocessing
import resource
import sys

import numpy as np

# %%
# A forked worker shares all memory with its parent, until one of them writes: then the kernel
# copies the page. Reading an element of a list is such a write, because Python counts references
# inside the object.

names = [f"image-{number}.png" for number in range(200_000)]
before = sys.getrefcount(names[0])
name = names[0]
print(sys.getrefcount(names[0]) - before)
# => 1

# %%
# An array stores its elements side by side and hands out new objects. Reading one leaves the memory
# of the array as it is.

table = np.array(names)
print(type(table[0]), table[0] is table[0])
# => <class 'numpy.str_'> False

# %%
# The system counts page faults for each process. A page that is copied adds one, and so does a
# page that is touched for the first time. The worker here only reads.


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
# The list costs a copy of nearly every page its strings live on, in every worker. The array costs
# next to nothing.

print(faults(names) > 10 * faults(table))
# => True

# %%
# In a long run this looks like a leak that ends when every worker has read everything once:
# `issue 13246 <https://github.com/pytorch/pytorch/issues/13246>`__. Lists of numbers,
# dictionaries and data frames with object columns behave alike; an array of dtype ``object`` only
# holds references, and is no better than a list.

references = np.array(names, dtype=object)
print(references[0] is names[0])
# => True
print(faults(references) > 10 * faults(table))
# => True
