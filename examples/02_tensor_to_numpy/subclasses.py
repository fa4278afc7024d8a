"""
Tensor subclasses and fake tensors to NumPy
===========================================

A subclass with ordinary memory converts without a copy. A fake tensor has no values, so ``numpy()``
raises; inside ``torch.func.functionalize`` it returns uninitialised values without an error.
"""

# sphinx_gallery_tags = ["subclass", "functions", "error", "silent"]

import numpy as np
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

# %%
# A subclass that only adds methods or attributes has ordinary memory, and converts without a copy.
# The array knows nothing of the class, so the way back gives a plain tensor.


class Image(torch.Tensor):
    pass


image = torch.ones(2, 2).as_subclass(Image)
array = image.numpy()
print(type(array).__name__, np.shares_memory(array, image.numpy()))
# => ndarray True
print(type(torch.from_numpy(array)).__name__)
# => Tensor

# %%
# ``as_subclass`` puts the class back, again on the same memory.

restored = torch.from_numpy(array).as_subclass(Image)
print(type(restored).__name__, np.shares_memory(restored.numpy(), array))
# => Image True

# %%
# Other subclasses stand for values they do not have. A `fake tensor
# <https://pytorch.org/docs/stable/torch.compiler_fake_tensor.html>`__, with which the compiler
# works out shapes, has a dtype and a shape and no data. The conversion from an array succeeds.

with FakeTensorMode():
    fake = torch.from_numpy(np.ones(3))
print(type(fake).__name__, fake.shape, isinstance(fake, torch.Tensor))
# => FakeTensor torch.Size([3]) True

# %%
# The conversion back to an array is refused, by the method and by :func:`numpy.asarray` alike:
# :doc:`/gallery/13_errors/tensor_subclass`.

for convert in [torch.Tensor.numpy, np.asarray]:
    try:
        convert(fake)
    except RuntimeError as error:
        print(error)
# => .numpy() is not supported for tensor subclasses.
# => .numpy() is not supported for tensor subclasses.

# %%
# Inside ``torch.func.functionalize`` there is no such check. The tensor is a wrapper without an
# address, and NumPy, given no address, allocates memory of its own and leaves it uninitialised. The
# array has the right shape and arbitrary values, so only its owner is printed here.


def traced(tensor):
    result = tensor + 1
    print(result.data_ptr(), result.numpy().flags.owndata)
    return result


print(torch.func.functionalize(traced)(torch.ones(3)))
# => 0 True
# => tensor([2., 2., 2.])

# %%
# Outside, the array from a tensor never owns its memory, which makes that a test for debugging.
# Keep NumPy out of functions that are transformed: :doc:`/gallery/10_autograd/transforms`.

print(torch.ones(3).numpy().flags.owndata)
# => False
