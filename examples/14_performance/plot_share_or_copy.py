"""
Share or copy: how long does each take?
=======================================

Sharing memory takes about the same time for small and large arrays; copying takes longer the more
data there is. The chart shows at which size a copy begins to matter.
"""

# %%
# .. timings:: to a tensor
#    :base: torch.from_numpy(array)
#
# A call that shares memory takes about the same time at the measured sizes. A copy takes time for
# the call and for the bytes: for a small copy most of it is the call, for a large one most of it is
# the bytes.

# %%
# From tensor to array, the same is true.
#
# .. timings:: to an array
#    :base: tensor.numpy()

# %%
# Measure it on your machine:

# sphinx_gallery_tags = ["performance", "sharing", "copy"]

from timeit import timeit

import numpy as np
import torch

for size in (1_000, 1_000_000, 50_000_000):
    array = np.zeros(size, dtype=np.float32)
    share = timeit(lambda: torch.from_numpy(array), number=20) / 20
    copy = timeit(lambda: torch.tensor(array), number=20) / 20
    print(f"{array.nbytes:,} bytes: share {share * 1e6:,.1f} µs, copy {copy * 1e6:,.1f} µs")

# %%
# Correctness comes first: find out whether your program needs shared memory or a copy.
# :doc:`/gallery/01_numpy_to_tensor/from_numpy` and :doc:`/gallery/02_tensor_to_numpy/two_views`
# show what sharing means for later writes.
