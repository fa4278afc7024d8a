"""
float16 gives inf or nan where float32 and bfloat16 do not
==========================================================

``float16`` ends at 65504: values from 65520 on become ``inf``, and ``inf - inf`` is ``nan``. Use ``bfloat16``,
which has about the range of ``float32`` with fewer digits, or ``float32`` for that step.
"""

# sphinx_gallery_tags = ["float16", "half", "bfloat16", "nan", "inf", "overflow", "autocast", "precision", "fp16"]

import numpy as np
import torch

# %%
# A number beyond the range becomes ``inf`` without a warning in torch. A difference of two of them is ``nan``,
# and the next layers spread it.

large = torch.tensor([70000.0, 1.0])
half = large.half()
print(half, half[0] - half[0])
# => tensor([inf, 1.], dtype=torch.float16) tensor(nan, dtype=torch.float16)

# %%
# ``bfloat16`` keeps the range, and rounds to two or three decimal digits.

print(large.bfloat16(), torch.finfo(torch.float16).max, torch.finfo(torch.bfloat16).max > 3e38)
# => tensor([7.0144e+04, 1.0000e+00], dtype=torch.bfloat16) 65504.0 True

# %%
# Positive numbers below about 3e-8 become 0, so ``1 / (x + 1e-8)`` still divides by 0 where ``x`` is 0.

print(torch.tensor([1e-8, 1e-3]).half(), 1 / torch.tensor(1e-8).half())
# => tensor([0.0000, 0.0010], dtype=torch.float16) tensor(inf, dtype=torch.float16)

# %%
# A square or a sum can leave the range although its inputs do not. Do that step in ``float32``, and go back.

x = torch.full((4,), 300.0, dtype=torch.float16)
print(x.square(), x.float().square().mean().sqrt().half())
# => tensor([inf, inf, inf, inf], dtype=torch.float16) tensor(300., dtype=torch.float16)

# %%
# Find the first tensor with such a value before you look at the rest.

outputs = {"hidden": x, "logits": x.square()}
print([name for name, value in outputs.items() if not value.isfinite().all()])
# => ['logits']

# %%
# NumPy does the same, with a ``RuntimeWarning`` for the overflow. A result in half precision that goes on in
# NumPy is better cast to ``float32`` first.

with np.errstate(over="ignore"):
    print(large.numpy().astype(np.float16))
# => [inf  1.]
print(half[1:].float().numpy().dtype)
# => float32
