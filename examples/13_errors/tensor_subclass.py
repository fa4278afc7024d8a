"""
RuntimeError: .numpy() is not supported for tensor subclasses
=============================================================

Masked, nested (jagged), distributed and fake tensors have no memory that an array could share:
convert the tensors inside.

.. fix::

   - masked.numpy()
   + masked.to_tensor(0.0).numpy()
"""

# sphinx_gallery_tags = ["subclass", "masked", "nested", "dlpack", "numpy", "error", "warning"]

import numpy as np
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

# %%
# The error
# ---------
#
# Some subclasses of :class:`torch.Tensor` hold other tensors and have no memory of their own that
# an array could share. A masked tensor holds values and a mask.

masked = torch.masked.masked_tensor(torch.tensor([1.0, 2.0]), torch.tensor([True, False]))
# => UserWarning: The PyTorch API of MaskedTensors is in prototype stage and will change in the near future. ...
try:
    masked.numpy()
except RuntimeError as error:
    print(error)
# => .numpy() is not supported for tensor subclasses.

# %%
# While torch traces a program, it replaces the tensors with a `fake tensor
# <https://docs.pytorch.org/docs/stable/torch.compiler_fake_tensor.html>`__, which has a shape but
# no values. `Issue 148779 <https://github.com/pytorch/pytorch/issues/148779>`__ reports the error
# during an export.

with FakeTensorMode():
    fake = torch.ones(2)
try:
    fake.numpy()
except RuntimeError as error:
    print(error)
# => .numpy() is not supported for tensor subclasses.

# %%
# Not every subclass raises: this one adds no more than a name, has ordinary memory and converts.


class Named(torch.Tensor):
    pass


print(torch.ones(2).as_subclass(Named).numpy())
# => [1. 1.]

# %%
# The fix
# -------
#
# Convert one of the inner tensors, and choose a value for the masked elements. NumPy has masked
# arrays as well, but their mask has the opposite meaning.

print(masked.to_tensor(0.0).numpy())
# => [1. 0.]
print(np.ma.masked_array(masked.get_data().numpy(), ~masked.get_mask().numpy()))
# => [1.0 --]

# %%
# Pad the rows of a nested tensor, or convert them one by one
# (:doc:`/gallery/03_dtypes/no_counterpart`). For a ``DTensor`` of distributed training `call
# full_tensor() or to_local()
# <https://docs.pytorch.org/docs/stable/distributed.tensor.html>`__ first. In a traced program, move the NumPy code out, or make
# it a custom operator, which is not traced (:doc:`/gallery/10_autograd/custom_operators`).

# %%
# What does not help
# ------------------
#
# ``detach()``, ``cpu()`` and ``force=True`` do not change the class.

for convert in (lambda: masked.detach().cpu().numpy(), lambda: masked.numpy(force=True)):
    try:
        convert()
    except RuntimeError as error:
        print(error)
# => .numpy() is not supported for tensor subclasses.
# => .numpy() is not supported for tensor subclasses.
# => UserWarning: The PyTorch API of MaskedTensors is in prototype stage and will change in the near future. ...

# %%
# ``get_data()`` alone drops the mask, so masked elements count again.

print(masked.to_tensor(0.0).sum(), masked.get_data().numpy().sum())
# => tensor(1.) 3.0

# %%
# DLPack exports a fake tensor, and the array has the right shape. But its memory was not filled,
# and reading it is undefined, so the code prints the shape.

print(np.from_dlpack(fake).shape)
# => (2,)
# => UserWarning: Accessing the data pointer of FakeTensor is deprecated and will error in PyTorch 2.5. This is almost definitely a bug in your code and will cause undefined behavior with subsystems like torch.compile. Please wrap calls to tensor.data_ptr() in an opaque custom op; If all else fails, you can guard accesses to tensor.data_ptr() on isinstance(tensor, FakeTensor).

# %%
# ``values()`` of this nested tensor joins the rows; ``offsets()`` tells you where each row begins
# and ends.

rows = [torch.tensor([1.0, 2.0]), torch.tensor([3.0])]
nested = torch.nested.nested_tensor(rows, layout=torch.jagged)
print(nested.values().numpy(), nested.offsets().numpy())
# => [1. 2. 3.] [0 2 3]
