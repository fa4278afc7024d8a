"""
CPU and GPU results differ
==========================

A GPU adds numbers in a different order from the CPU, so ``float32`` results can differ in their
last digits. Compare with ``torch.testing.assert_close``, not with ``==``.
"""

# sphinx_gallery_tags = ["cuda", "precision", "functions", "comparison"]

import numpy as np
import torch

# %%
# The numbers are the same on both devices, because a move does not change a bit. Results computed
# from them can differ.

array = np.random.default_rng(0).standard_normal(1_000_000).astype(np.float32)
host = torch.from_numpy(array)
device = host.to("cuda")
print(torch.equal(device.cpu(), host))
# => True

# %%
# The sums may differ in their last digits. `The documentation
# <https://docs.pytorch.org/docs/stable/notes/numerical_accuracy.html>`__ does not promise equal
# results between devices, releases or batch sizes.

absolute = float(np.abs(array).sum(dtype=np.float64))
print(abs(host.sum().item() - device.sum().item()) < 1e-6 * absolute)
# => True
torch.testing.assert_close(device.mean().cpu(), host.mean(), atol=1e-6, rtol=0)

# %%
# ``float64`` has 29 more bits, so the order of the additions matters far less. It is enough to sum
# in ``float64``; the data may stay ``float32``.

wide = device.sum(dtype=torch.float64).item()
print(np.isclose(wide, array.sum(dtype=np.float64), rtol=0, atol=1e-12 * absolute))
# => True

# %%
# Some GPU operations, such as ``index_add_``, add with atomic instructions, in an order that can
# change from run to run. With `deterministic algorithms
# <https://docs.pytorch.org/docs/stable/notes/randomness.html>`__ you get the same result again on
# one machine, but not necessarily the CPU's result.

torch.use_deterministic_algorithms(True)
index = torch.zeros(len(array), dtype=torch.int64, device="cuda")
first = torch.zeros(1, device="cuda").index_add_(0, index, device)
again = torch.zeros(1, device="cuda").index_add_(0, index, device)
print(torch.equal(first, again))
# => True
torch.use_deterministic_algorithms(False)
