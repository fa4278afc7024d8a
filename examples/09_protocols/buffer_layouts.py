"""
torch.frombuffer on an array ignores shape and dtype
====================================================

``torch.frombuffer`` ignores an array's shape and dtype and raises for Fortran order. Use
``torch.from_numpy`` for arrays, and ``frombuffer`` for bytes and memory maps.
"""

# sphinx_gallery_tags = ["buffer", "layout", "silent", "error"]

import numpy as np
import torch

# %%
# :func:`torch.frombuffer` reads the bytes of an object as one contiguous block. It accepts an array
# but ignores the array's shape.

array = np.arange(6, dtype=np.float32).reshape(2, 3)
tensor = torch.frombuffer(array, dtype=torch.float32)
print(tensor)
# => tensor([0., 1., 2., 3., 4., 5.])
print(tensor.reshape(array.shape))
# => tensor([[0., 1., 2.],
# =>         [3., 4., 5.]])

# %%
# It ignores the array's dtype as well. It accepts other dtypes too, if their size divides the
# number of bytes. With these two dtypes the numbers are meaningless.

print(torch.frombuffer(array, dtype=torch.int32)[:3])
# => tensor([         0, 1065353216, 1073741824], dtype=torch.int32)
print(torch.frombuffer(np.arange(3.0), dtype=torch.float32))
# => tensor([0.0000, 0.0000, 0.0000, 1.8750, 0.0000, 2.0000])

# %%
# ``frombuffer`` needs C order. The first array here is in Fortran order and has no gaps, but raises
# the same message as the second.

for layout in [np.asfortranarray(array), array[:, ::2]]:
    try:
        torch.frombuffer(layout, dtype=torch.float32)
    except RuntimeError as error:
        print(error)
# => could not retrieve a contiguous buffer from the given object (non-contiguous buffers are not supported)
# => could not retrieve a contiguous buffer from the given object (non-contiguous buffers are not supported)

# %%
# For an array call :func:`torch.from_numpy`: it uses the array's dtype, shape and strides, and
# handles all of these layouts.

for layout in [array, np.asfortranarray(array), array[:, ::2]]:
    shared = torch.from_numpy(layout)
    print(tuple(shared.shape), shared.stride(), shared.data_ptr() == layout.ctypes.data)
# => (2, 3) (3, 1) True
# => (2, 3) (1, 2) True
# => (2, 2) (3, 2) True

# %%
# If you do want the bits of the numbers, use :meth:`torch.Tensor.view` with a dtype of the same
# size. It keeps the shape.

print(torch.from_numpy(array).view(torch.int32).shape)
# => torch.Size([2, 3])

# %%
# Use ``frombuffer`` for objects that are not arrays: bytes, memory maps, and a :class:`memoryview`
# of a part of them, which is not a copy.

message = bytearray(b"HEAD") + array.tobytes()
body = memoryview(message)[4:]
print(torch.frombuffer(body, dtype=torch.float32).reshape(2, 3))
# => tensor([[0., 1., 2.],
# =>         [3., 4., 5.]])
