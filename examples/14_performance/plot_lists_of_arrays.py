"""
Timings: many arrays to one tensor
==================================

Join a list of arrays with ``np.array`` before ``torch.from_numpy``: ``torch.tensor`` on a list
walks through it element by element, and is slow.
"""

# %%
# :func:`torch.tensor` goes through a list of such arrays element by element, and warns that this is
# slow. It is faster to let NumPy or torch join whole arrays.
#
# .. timings:: a list of arrays
#    :base: torch.from_numpy(np.array(arrays))
#    :unit: arrays

# %%
# For a few large arrays most of the time goes into copying numbers. Of these four calls
# ``torch.tensor(np.array(arrays))`` takes the longest, because it copies the joined array once more.
#
# .. timings:: a list of images
#    :base: torch.from_numpy(np.array(arrays))
#    :unit: images

# %%
# Measure it on your machine:

# sphinx_gallery_tags = ["performance", "list", "stack"]

from timeit import timeit

import numpy as np
import torch

arrays = [np.zeros(100, dtype=np.float32) for _ in range(1_000)]
join = timeit(lambda: torch.from_numpy(np.array(arrays)), number=10) / 10
stack = timeit(lambda: torch.from_numpy(np.stack(arrays)), number=10) / 10
walk = timeit(lambda: torch.tensor(arrays), number=10) / 10
print(f"np.array {join * 1e3:.2f} ms, np.stack {stack * 1e3:.2f} ms, the list {walk * 1e3:.2f} ms")

# %%
# The warning is explained on :doc:`/gallery/13_errors/list_of_arrays`. For lists of unequal length
# see :doc:`/gallery/01_numpy_to_tensor/lists_of_arrays`.
