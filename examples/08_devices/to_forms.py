"""
Ways to call tensor.to(): device, dtype, other
==============================================

``to()`` takes a device, a dtype, a device then a dtype, or another tensor. The dtype before the
device raises a ``TypeError``, and a dtype's name as a string is read as a device.
"""

# sphinx_gallery_tags = ["device", "dtype", "error"]

import numpy as np
import torch

# %%
# Pass the device first or by keyword, as a string or as an object. For a GPU the same forms work:
# :doc:`/gallery/08_devices/to_cuda`.

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
# Pass a dtype after the device or alone. Pass another tensor to get its device and its dtype.

other = torch.empty(1, dtype=torch.float64, device="meta")
for moved in (tensor.to("meta", torch.float64), tensor.to(torch.float64), tensor.to(other)):
    print(moved.device, moved.dtype)
# => meta torch.float64
# => cpu torch.float64
# => meta torch.float64

# %%
# A dtype before the device raises, unless both are keyword arguments.

print(tensor.to(dtype=torch.float64, device="meta").device)
# => meta
try:
    tensor.to(torch.float64, "meta")
except TypeError as error:
    print(str(error).splitlines()[0])
# => to() received an invalid combination of arguments - got (torch.dtype, str), but expected one of:

# %%
# Pass a dtype of torch. A dtype's name is read as a device, and a NumPy type raises:
# :doc:`/gallery/03_dtypes/dtype_objects`.

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
# Without an argument, or with ``None``, ``to`` returns the tensor itself. ``None`` is therefore a
# good default for a ``device`` parameter.

print(tensor.to() is tensor, tensor.to(None) is tensor)
# => True True
