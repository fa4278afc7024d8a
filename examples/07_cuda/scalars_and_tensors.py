"""
Arithmetic on a CUDA tensor without a transfer
==============================================

Python numbers and tensors on the same GPU combine with a CUDA tensor without a transfer. Even
``sum()`` stays on the GPU, until you read it with ``item()``.
"""

# sphinx_gallery_tags = ["cuda", "arithmetic"]

import torch

# %%
# A Python number has no device. It is passed to the GPU with the operation, so the result stays on
# the GPU and no tensor is copied.

prices = torch.tensor([2.0, 5.0, 8.0], device="cuda")
print(prices / 4)
# => tensor([0.5000, 1.2500, 2.0000], device='cuda:0')
print(1 - prices)
# => tensor([-1., -4., -7.], device='cuda:0')

# %%
# You can combine two tensors on the same GPU; the result is on that GPU too.

discounts = torch.tensor([1.0, 2.0, 4.0], device="cuda")
print(prices / discounts)
# => tensor([2.0000, 2.5000, 2.0000], device='cuda:0')

# %%
# ``sum`` returns a tensor too, which is 0-d and on the GPU. Reading it as a Python number is a
# separate transfer: :doc:`/gallery/07_cuda/reading_values`.

total = (prices - discounts).sum()
print(total)
# => tensor(8., device='cuda:0')
print(type(total) is torch.Tensor, total.dim())
# => True 0

# %%
# ``*=`` writes into the tensor's own memory. For other operands see
# :doc:`/gallery/07_cuda/mixed_with_cpu` (CPU tensors) and :doc:`/gallery/07_cuda/with_ndarray`
# (arrays).

address = prices.data_ptr()
prices *= 10
print(prices)
# => tensor([20., 50., 80.], device='cuda:0')
print(prices.data_ptr() == address)
# => True
