"""
Tensor subclasses and fake tensors to NumPy
===========================================

A subclass with ordinary memory converts without a copy. A fake tensor has no values, so ``numpy()``
raises; for a wrapped tensor inside ``torch.func.functionalize`` it returns uninitialised values
without an error.
"""

# sphinx_gallery_tags = ["subclass", "functions", "error", "silent"]

import numpy as np
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

# %%
# The subclass below has ordinary memory, and converts without a copy. The array does not keep the
# class, so converting back gives a plain tensor.


class Image(torch.Tensor):
    pass


image = torch.ones(2, 2).as_subclass(Image)
array = image.numpy()
print(type(array).__name__, np.shares_memory(array, image.numpy()))
# => ndarray True
print(type(torch.from_numpy(array)).__name__)
# => Tensor

# %%
# ``as_subclass`` restores the class, again without a copy.

restored = torch.from_numpy(array).as_subclass(Image)
print(type(restored).__name__, np.shares_memory(restored.numpy(), array))
# => Image True

# %%
# A `fake tensor <https://pytorch.org/docs/stable/torch.compiler_fake_tensor.html>`__, which the
# compiler uses to work out shapes, has a dtype and a shape but no data. You can make one from an
# array.

with FakeTensorMode():
    fake = torch.from_numpy(np.ones(3))
print(type(fake).__name__, fake.shape, isinstance(fake, torch.Tensor))
# => FakeTensor torch.Size([3]) True

# %%
# Converting it back to an array raises, with ``numpy()`` and with :func:`numpy.asarray`:
# :doc:`/gallery/13_errors/tensor_subclass`.

for convert in [torch.Tensor.numpy, np.asarray]:
    try:
        convert(fake)
    except RuntimeError as error:
        print(error)
# => .numpy() is not supported for tensor subclasses.
# => .numpy() is not supported for tensor subclasses.

# %%
# Inside ``torch.func.functionalize`` this check does not stop the call. The tensor is a wrapper
# without an address, so NumPy allocates uninitialised memory. The array has the right shape but
# arbitrary values, so the code prints the tensor's address and whether the array owns its memory.


def traced(tensor):
    result = tensor + 1
    print(result.data_ptr(), result.numpy().flags.owndata)
    return result


print(torch.func.functionalize(traced)(torch.ones(3)))
# => 0 True
# => tensor([2., 2., 2.])

# %%
# An array from an ordinary tensor does not own its memory, unless it is empty, so you can check
# ``owndata`` when you debug. Do not call NumPy inside transformed functions:
# :doc:`/gallery/10_autograd/transforms`.

print(torch.ones(3).numpy().flags.owndata)
# => False
