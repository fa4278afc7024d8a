"""
deepcopy and pickle end sharing between tensor and array
========================================================

``copy.deepcopy`` and pickle copy a tensor and its array separately, so the copies no longer share
memory. Make the tensor again with ``torch.from_numpy`` in ``__setstate__``.
"""

# sphinx_gallery_tags = ["copy", "pickle", "sharing"]

import copy
import io
import pickle

import numpy as np
import torch

# %%
# Some objects keep both an array and a tensor on the same memory. When you deep-copy or pickle the
# two, each is copied separately, and the copies do not share memory.

array = np.zeros(2)
tensor = torch.from_numpy(array)
for duplicate in [copy.deepcopy, lambda pair: pickle.loads(pickle.dumps(pair))]:
    new_array, new_tensor = duplicate((array, tensor))
    new_array += 1
    print(new_array, new_tensor)
# => [1. 1.] tensor([0., 0.], dtype=torch.float64)
# => [1. 1.] tensor([0., 0.], dtype=torch.float64)

# %%
# The original still works. The error appears in the copy, for example in a restored checkpoint.
# Make the tensor again in ``__setstate__``.


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
# A shallow :func:`copy.copy` shares memory for a tensor, but makes a real copy of an array.

near = copy.copy(tensor)
near[0] = 7
print(array)
# => [7. 0.]
far = copy.copy(array)
far[0] = 9
print(tensor)
# => tensor([7., 0.], dtype=torch.float64)

# %%
# Two tensors on one storage still share it after :func:`copy.deepcopy` and :func:`torch.save`,
# which both keep track of storages. Plain pickle copies each tensor separately.

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
# Two arrays on the same memory no longer share it after either: NumPy copies each array separately.

grid = np.zeros(3)
for duplicate in [copy.deepcopy, lambda pair: pickle.loads(pickle.dumps(pair))]:
    new_grid, new_cell = duplicate((grid, grid[:1]))
    new_grid += 1
    print(new_cell)
# => [0.]
# => [0.]

# %%
# If the copied object contains the *same array* twice, it does so after the copy as well. To keep
# two views together, store the base array and slice it again afterwards.

first, second = copy.deepcopy((grid, grid))
print(first is second)
# => True
