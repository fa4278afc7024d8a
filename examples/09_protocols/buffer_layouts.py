"""
torch.frombuffer on an array ignores shape and dtype
====================================================

``torch.frombuffer`` ignores an array's shape and dtype and refuses Fortran order, so use
``torch.from_numpy`` for arrays and keep ``frombuffer`` for bytes and memory maps.
"""

# sphinx_gallery_tags = ["buffer", "layout", "silent", "error"]

import numpy as np
import torch

# %%
# :func:`torch.frombuffer` asks an object for its bytes, in one run. An array can answer that, but
# its shape is not asked for.

array = np.arange(6, dtype=np.float32).reshape(2, 3)
tensor = torch.frombuffer(array, dtype=torch.float32)
print(tensor)
# => tensor([0., 1., 2., 3., 4., 5.])
print(tensor.reshape(array.shape))
# => tensor([[0., 1., 2.],
# =>         [3., 4., 5.]])

# %%
# Neither is its dtype. Any other is accepted if the bytes divide by its size, and gives numbers
# without a meaning; nothing compares it with the array's own.

print(torch.frombuffer(array, dtype=torch.int32)[:3])
# => tensor([         0, 1065353216, 1073741824], dtype=torch.int32)
print(torch.frombuffer(np.arange(3.0), dtype=torch.float32))
# => tensor([0.0000, 0.0000, 0.0000, 1.8750, 0.0000, 2.0000])

# %%
# The request is for C order. An array in Fortran order has no gaps and is refused all the same,
# with the words that gaps get.

for layout in [np.asfortranarray(array), array[:, ::2]]:
    try:
        torch.frombuffer(layout, dtype=torch.float32)
    except RuntimeError as error:
        print(error)
# => could not retrieve a contiguous buffer from the given object (non-contiguous buffers are not supported)
# => could not retrieve a contiguous buffer from the given object (non-contiguous buffers are not supported)

# %%
# :func:`torch.from_numpy` takes dtype, shape and strides from the array and handles all of these.
# For an array it is the right call.

for layout in [array, np.asfortranarray(array), array[:, ::2]]:
    shared = torch.from_numpy(layout)
    print(tuple(shared.shape), shared.stride(), shared.data_ptr() == layout.ctypes.data)
# => (2, 3) (3, 1) True
# => (2, 3) (1, 2) True
# => (2, 2) (3, 2) True

# %%
# To read the bits of numbers on purpose, use :meth:`torch.Tensor.view` with a dtype of the same
# size. It keeps the shape.

print(torch.from_numpy(array).view(torch.int32).shape)
# => torch.Size([2, 3])

# %%
# The buffer protocol is right for what is no array: bytes, memory maps, and a :class:`memoryview`
# that cuts a piece out of them without a copy.

message = bytearray(b"HEAD") + array.tobytes()
body = memoryview(message)[4:]
print(torch.frombuffer(body, dtype=torch.float32).reshape(2, 3))
# => tensor([[0., 1., 2.],
# =>         [3., 4., 5.]])
