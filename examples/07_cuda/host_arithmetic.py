"""
tensor.cpu() / array becomes float64
====================================

With a detached ``float32`` tensor and an ``int64`` array, ``tensor.cpu() / array`` gives
``float64``, because NumPy computes it. Divide by ``torch.from_numpy(array)`` to stay in
``float32``.
"""

# sphinx_gallery_tags = ["cuda", "arithmetic", "dtype"]

import numpy as np
import torch

# %%
# :meth:`torch.Tensor.cpu` copies the tensor to the CPU. NumPy then divides, with its own promotion
# rules, and the result is wrapped in a tensor.

values = torch.tensor([1.0, 2.0, 3.0], device="cuda")
counts = np.array([1, 2, 4])
print(values.cpu() / counts)
# => tensor([1.0000, 1.0000, 0.7500], dtype=torch.float64)
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)

# %%
# The integer array is the reason: for ``float32`` and ``int64`` NumPy chooses ``float64``. The
# warning appears because NumPy has deprecated the way in which :class:`torch.Tensor` wraps the
# result.

print(np.result_type(np.float32, counts.dtype))
# => float64

# %%
# With two tensors, PyTorch's promotion applies, without a warning. Here both are on the CPU.

print(values.cpu() / torch.from_numpy(counts))
# => tensor([1.0000, 1.0000, 0.7500])

# %%
# With two arrays the result is an array. Cast the divisor to ``float32`` to stay in ``float32``.

print(values.cpu().numpy() / counts)
# => [1.   1.   0.75]
print((values.cpu().numpy() / counts.astype(np.float32)).dtype)
# => float32

# %%
# The dtype matters again on the way back: ``float64`` doubles the transfer, and a layer with
# ``float32`` weights raises for it. Pass ``dtype`` together with ``device``.

back = torch.as_tensor(values.cpu().numpy() / counts, dtype=torch.float32, device="cuda")
print(back)
# => tensor([1.0000, 1.0000, 0.7500], device='cuda:0')
