"""
tolist, item or a loop: which is fastest
========================================

Call ``tensor.tolist()`` once instead of looping over a tensor with ``item()``: the loop makes a
tensor of each element first.
"""

# %%
# A loop over a tensor makes a tensor of each element, from which :meth:`torch.Tensor.item` then
# takes the number. :meth:`torch.Tensor.tolist` reads the numbers in one call.
#
# .. timings:: single values
#    :base: tensor.tolist()
#    :unit: elements

# %%
# Measure it on your machine:

# sphinx_gallery_tags = ["performance", "item", "tolist"]

from timeit import timeit

import torch

tensor = torch.arange(10_000)
at_once = timeit(lambda: tensor.tolist(), number=10) / 10
one_by_one = timeit(lambda: [element.item() for element in tensor], number=10) / 10
print(f"tolist {at_once * 1e3:.2f} ms, a loop with item {one_by_one * 1e3:.2f} ms")

# %%
# :doc:`/gallery/02_tensor_to_numpy/single_value` shows which type each of these calls returns.
