"""
Which device types of torch convert to NumPy?
=============================================

A ``cpu`` tensor converts directly, one on a CUDA GPU with ``tensor.cpu().numpy()``, and a ``meta`` tensor
has no values to convert. Types of accelerators need a backend, a build or a driver.

This is what each type does in an installation without an accelerator:

.. list-table::
   :header-rows: 1

   * - Device type
     - A tensor there
     - ``numpy()``
   * - ``cpu``
     - works
     - shares the tensor's memory
   * - ``cuda``, ``xpu``, ``mps``, ``xla`` and the rest
     - raises: a GPU or a backend is missing
     - not reached; on a CUDA GPU ``tensor.cpu().numpy()`` copies: :doc:`/gallery/07_cuda/numpy_error`
   * - ``lazy``
     - works after one call that starts it
     - raises; ``tensor.cpu().numpy()`` copies
   * - ``meta``
     - works, without values
     - raises; there are no values to copy

:doc:`/reference/device_types` lists what each type needs.
"""

# sphinx_gallery_tags = ["device", "error", "accelerator"]

import re

import torch
import torch._lazy.ts_backend

# %%
# List the types of your torch
# ----------------------------
#
# The error for an unknown type lists the types that this release can parse. The code takes them from
# its message.

try:
    torch.device("unknown")
except RuntimeError as error:
    listed = re.search("one of (.*) device type", str(error)).group(1).split(", ")
print(len(listed), *listed)
# => 20 cpu cuda ipu xpu mkldnn opengl opencl ideep hip ve fpga maia xla lazy vulkan mps meta hpu mtia privateuseone

# %%
# Try each type
# -------------
#
# ``lazy`` needs one call to start. The loop tries to create a tensor on each type and to convert it
# to NumPy. :doc:`/gallery/08_devices/device_types` lists names that no longer work.

torch._lazy.ts_backend.init()
missing = {}
for name in listed:
    try:
        tensor = torch.ones(2, device=name)
    except Exception as error:
        missing[name] = str(error).splitlines()[0]
    else:
        print(tensor.device)
        try:
            print(tensor.numpy())
        except TypeError as error:
            print(error)
# => cpu
# => [1. 1.]
# => lazy:0
# => can't convert lazy:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
# => meta
# => can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
# => UserWarning: 'mkldnn' is no longer used as device type. So torch.device('mkldnn') will be deprecated and removed in the future. Please use other valid device types instead.

# %%
# Why the other types raise
# -------------------------
#
# The other types raise one of three kinds of error. ``Could not run 'aten::empty…'`` means that no
# backend is loaded. Some of these types have their own package, which you have to import.

print(*[name for name, message in missing.items() if message.startswith("Could not run")])
# => ipu hip ve fpga maia xla vulkan mps

# %%
# These names are left over from Caffe2: this package does not create tensors on them.

print(
    *[name for name, message in missing.items() if re.search("grandfathered|deprecated", message)]
)
# => mkldnn opengl opencl ideep

# %%
# For the remaining types, the error says what this installation lacks: a build for the device, its
# driver, or its package.

for name, message in missing.items():
    if not re.match("Could not run|.*(grandfathered|deprecated)", message):
        print(name, "->", message.partition(". ")[0])
# => cuda -> Found no NVIDIA driver on your system
# => xpu -> Torch not compiled with XPU enabled
# => hpu -> No module named 'torch.hpu'
# => mtia -> Torch not compiled with MTIA enabled
# => privateuseone -> No module named 'torch.privateuseone'
