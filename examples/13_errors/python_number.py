"""
AttributeError: 'float' object has no attribute 'item'
======================================================

The value is a Python number already, not a tensor: use it as it is, or make a tensor of it with
``torch.as_tensor``.

.. fix::

   - number.item()
   - number.unsqueeze(0)
   + value = number.item() if isinstance(number, torch.Tensor) else number
   + row = torch.as_tensor(number, dtype=torch.float32).unsqueeze(0)
"""

# sphinx_gallery_tags = ["scalar", "dtype", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# ``item()`` returns a Python number, as do ``tolist()`` of a tensor without axes and many functions
# that measure something. These are not tensors: the four calls below raise.

number = torch.tensor(0.5).item()
for call in (
    lambda: number.item(),
    lambda: number.unsqueeze(0),
    lambda: number.cpu(),
    lambda: number.backward(),
):
    try:
        call()
    except AttributeError as error:
        print(error)
# => 'float' object has no attribute 'item'
# => 'float' object has no attribute 'unsqueeze'
# => 'float' object has no attribute 'cpu'
# => 'float' object has no attribute 'backward'

# %%
# A sum that begins with ``total = 0`` stays an integer if no tensor is added, here because the list is
# empty.

total = 0
for loss in []:
    total = total + loss
try:
    total.backward()
except AttributeError as error:
    print(error)
# => 'int' object has no attribute 'backward'

# %%
# A NumPy number has ``item()``, but lacks ``detach()``.

print(np.float32(0.5).item())
# => 0.5
try:
    np.float32(0.5).detach()
except AttributeError as error:
    print(error)
# => 'numpy.float32' object has no attribute 'detach'

# %%
# The fix
# -------
#
# Where a number is wanted, take it as it is. ``float()`` works for this number, for a
# tensor of one real element and for a NumPy float.

value = number.item() if isinstance(number, torch.Tensor) else number
print(value, [float(one) for one in (0.5, torch.tensor(0.5), np.float32(0.5))])
# => 0.5 [0.5, 0.5, 0.5]

# %%
# Where a tensor is wanted, such as an observation with a batch axis, make one and name the dtype.

row = torch.as_tensor(number, dtype=torch.float32).unsqueeze(0)
print(row)
# => tensor([0.5000])

# %%
# Start a sum of losses with a tensor, and call ``item()`` for what you log: a number has no
# gradient (:doc:`/gallery/05_lifetime/kept_losses`).

weight = torch.ones(2, requires_grad=True)
total = torch.zeros(())
for target in (1.0, 2.0):
    total = total + ((weight - target) ** 2).sum()
total.backward()
print(total.item(), weight.grad)
# => 2.0 tensor([-2., -2.])

# %%
# What does not help
# ------------------
#
# A tensor made of the number has the value, but not the history: ``backward`` raises.

try:
    torch.tensor(number).backward()
except RuntimeError as error:
    print(error)
# => element 0 of tensors does not require grad and does not have a grad_fn
