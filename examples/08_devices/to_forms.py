"""
Every way to call tensor.to(): device, dtype, other
===================================================

``to()`` takes a device, a dtype, a device then a dtype, or another tensor. The dtype before the
device raises a ``TypeError``, and a dtype's name as a string is read as a device.
"""

# sphinx_gallery_tags = ["device", "dtype", "error"]

import numpy as np
import torch

# %%
# A device comes first or by keyword, as a string or as an object. A GPU takes
# the same forms: :doc:`/gallery/08_devices/to_cuda`.

tensor = torch.tensor([0, 1, 2])
device = torch.device("meta")
for moved in (
    tensor.to("meta"),
    tensor.to(device="meta"),
    tensor.to(device),
    tensor.to(device=device),
):
    print(moved.device, moved.dtype)
# => meta torch.int64
# => meta torch.int64
# => meta torch.int64
# => meta torch.int64

# %%
# A dtype may follow the device or stand alone, and another tensor stands for
# both. ``other`` is often the shortest way to make operands fit.

other = torch.empty(1, dtype=torch.float64, device="meta")
for moved in (tensor.to("meta", torch.float64), tensor.to(torch.float64), tensor.to(other)):
    print(moved.device, moved.dtype)
# => meta torch.float64
# => cpu torch.float64
# => meta torch.float64

# %%
# The dtype before the device is refused, unless both are keywords.

print(tensor.to(dtype=torch.float64, device="meta").device)
# => meta
try:
    tensor.to(torch.float64, "meta")
except TypeError as error:
    print(str(error).splitlines()[0])
# => to() received an invalid combination of arguments - got (torch.dtype, str), but expected one of:

# %%
# A dtype must be an object of torch. Its name is read as a device, and one of
# NumPy's types fits no form at all: :doc:`/gallery/03_dtypes/dtype_objects`.

try:
    tensor.to("float32")
except RuntimeError as error:
    print(error)
# => Invalid device string: 'float32'
try:
    tensor.to(np.float32)
except TypeError as error:
    print(str(error).splitlines()[0])
# => to() received an invalid combination of arguments - got (type), but expected one of:

# %%
# Without a target there is nothing to do, and the tensor itself is returned.
# So ``None`` is a usable default for a ``device`` parameter.

print(tensor.to() is tensor, tensor.to(None) is tensor)
# => True True
