"""
RuntimeError: … Expected a value of type 'Tensor' … type 'ndarray'
==================================================================

An operator that was registered in C++, such as those of torchvision, takes tensors: convert arrays with
``torch.from_numpy``, and bytes with ``torch.frombuffer``.

.. fix::

   - torch.ops.aten.relu.default(boxes)
   + torch.ops.aten.relu.default(torch.from_numpy(boxes))
   + torch.frombuffer(bytearray(encoded), dtype=torch.uint8)
"""

# sphinx_gallery_tags = ["from_numpy", "image", "bytes", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# ``torchvision.ops.nms`` and ``torchvision.io.decode_image`` call operators like this one of torch. The
# message names the operator, the argument and the type that it got.

boxes = np.array([[0.0, 0.0, 2.0, 2.0]], dtype=np.float32)
try:
    torch.ops.aten.relu.default(boxes)
except RuntimeError as error:
    print(str(error).splitlines()[0])
# => aten::relu() Expected a value of type 'Tensor' for argument 'self' but instead found type 'ndarray'.

# %%
# A list of numbers and the bytes of a file are refused in the same words.

encoded = b"\xff\xd8\xff\xe0"
for value in ([0.0, 1.0], encoded):
    try:
        torch.ops.aten.relu.default(value)
    except RuntimeError as error:
        print(str(error).splitlines()[0])
# => aten::relu() Expected a value of type 'Tensor' for argument 'self' but instead found type 'list'.
# => aten::relu() Expected a value of type 'Tensor' for argument 'self' but instead found type 'bytes'.

# %%
# The fix
# -------
#
# Convert each array, also the second and third argument: ``nms`` wants boxes and scores of the same
# floating dtype on one device. With other dtypes it says ``dets should have the same type as
# scores``.

print(torch.ops.aten.relu.default(torch.from_numpy(boxes)))
# => tensor([[0., 0., 2., 2.]])
scores = np.array([0.9])
print(torch.from_numpy(scores).to(torch.from_numpy(boxes).dtype).dtype)
# => torch.float32

# %%
# ``decode_image`` and ``decode_jpeg`` want the bytes of the file as a ``uint8`` tensor of one axis.
# ``bytearray`` copies them, so that the tensor may be written to
# (:doc:`/gallery/13_errors/read_only_buffer`).

print(torch.frombuffer(bytearray(encoded), dtype=torch.uint8))
# => tensor([255, 216, 255, 224], dtype=torch.uint8)

# %%
# ``np.fromfile(path, dtype=np.uint8)`` reads a file into such an array. Newer releases of torchvision take a path
# in ``decode_image`` as well.

print(torch.from_numpy(np.frombuffer(encoded, dtype=np.uint8).copy()).shape)
# => torch.Size([4])

# %%
# The result is a tensor; ``numpy()`` gives the array back. Move it to the CPU first if it is on a GPU.

kept = torch.ops.aten.relu.default(torch.from_numpy(boxes)).cpu().numpy()
print(type(kept).__name__, kept.dtype)
# => ndarray float32

# %%
# What does not help
# ------------------
#
# ``torch.tensor`` does not read bytes: it has no dtype for them.

try:
    torch.tensor(encoded)
except (TypeError, ValueError, RuntimeError) as error:
    print(type(error).__name__)
# => TypeError
