"""
deepcopy and pickle end sharing between tensor and array
========================================================

``copy.deepcopy`` and pickle copy a tensor and its array separately, so the copies no longer share
memory. Make the tensor anew with ``torch.from_numpy`` in ``__setstate__``.
"""

# sphinx_gallery_tags = ["copy", "pickle", "sharing"]

import copy
import io
import pickle

import numpy as np
import torch

# %%
# An object often keeps both: an array to fill, a tensor on its memory to compute with. The sharing
# is not part of either, and no copy preserves it.

array = np.zeros(2)
tensor = torch.from_numpy(array)
for duplicate in [copy.deepcopy, lambda pair: pickle.loads(pickle.dumps(pair))]:
    new_array, new_tensor = duplicate((array, tensor))
    new_array += 1
    print(new_array, new_tensor)
# => [1. 1.] tensor([0., 0.], dtype=torch.float64)
# => [1. 1.] tensor([0., 0.], dtype=torch.float64)

# %%
# The original still works, so the fault shows only in the copy: a worker process, a cloned
# environment, a restored checkpoint. Make the tensor anew there.


class Buffers:
    def __init__(self, array):
        self.array = array
        self.tensor = torch.from_numpy(array)

    def __getstate__(self):
        return self.array

    def __setstate__(self, array):
        self.__init__(array)


twin = copy.deepcopy(Buffers(np.zeros(2)))
twin.array += 1
print(twin.tensor)
# => tensor([1., 1.], dtype=torch.float64)

# %%
# The shallow :func:`copy.copy` differs between the two. A tensor gives another tensor on the same
# memory; an array gives a real copy.

near = copy.copy(tensor)
near[0] = 7
print(array)
# => [7. 0.]
far = copy.copy(array)
far[0] = 9
print(tensor)
# => tensor([7., 0.], dtype=torch.float64)

# %%
# Two tensors on one storage stay together in :func:`copy.deepcopy` and in :func:`torch.save`, which
# both remember storages. Plain pickle parts them.

whole = torch.zeros(3)
pair = (whole, whole[:1])
buffer = io.BytesIO()
torch.save(pair, buffer)
buffer.seek(0)
loaded = torch.load(buffer, weights_only=True)
for new_whole, new_part in [copy.deepcopy(pair), loaded, pickle.loads(pickle.dumps(pair))]:
    new_whole += 1
    print(new_part)
# => tensor([1.])
# => tensor([1.])
# => tensor([0.])

# %%
# Two arrays on one memory are parted by both: NumPy copies every array for itself.

grid = np.zeros(3)
for duplicate in [copy.deepcopy, lambda pair: pickle.loads(pickle.dumps(pair))]:
    new_grid, new_cell = duplicate((grid, grid[:1]))
    new_grid += 1
    print(new_cell)
# => [0.]
# => [0.]

# %%
# The *same object* twice remains one object, in all of these cases. To keep two views together,
# store the base once and cut the views again.

first, second = copy.deepcopy((grid, grid))
print(first is second)
# => True
