"""
Arithmetic on a CUDA tensor without a transfer
==============================================

Python numbers and tensors on the same GPU combine with a CUDA tensor without any transfer. Even
``sum()`` stays on the GPU, until you read it with ``item()``.
"""

# sphinx_gallery_tags = ["cuda", "arithmetic"]

import torch

# %%
# A Python number has no device. It travels with the kernel as an argument, so
# the result stays on the GPU and nothing is copied.

prices = torch.tensor([2.0, 5.0, 8.0], device="cuda")
print(prices / 4)
# => tensor([0.5000, 1.2500, 2.0000], device='cuda:0')
print(1 - prices)
# => tensor([-1., -4., -7.], device='cuda:0')

# %%
# Two tensors combine when both are on the same GPU; the result is there too.

discounts = torch.tensor([1.0, 2.0, 4.0], device="cuda")
print(prices / discounts)
# => tensor([2.0000, 2.5000, 2.0000], device='cuda:0')

# %%
# A reduction returns a tensor as well, of zero dimensions and still on the
# GPU. Reading it as a Python number is a transfer of its own, shown in
# :doc:`/gallery/07_cuda/reading_values`.

total = (prices - discounts).sum()
print(total)
# => tensor(8., device='cuda:0')
print(type(total) is torch.Tensor, total.dim())
# => True 0

# %%
# In-place operators write into the memory that the tensor already has. Other
# operands need a decision first: :doc:`/gallery/07_cuda/mixed_with_cpu` for CPU
# tensors, :doc:`/gallery/07_cuda/with_ndarray` for arrays.

address = prices.data_ptr()
prices *= 10
print(prices)
# => tensor([20., 50., 80.], device='cuda:0')
print(prices.data_ptr() == address)
# => True
