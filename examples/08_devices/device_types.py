"""
Which device types can torch parse: cpu, cuda, mps, xla, …
==========================================================

An unknown word, such as ``ort`` since torch 2.4, raises ``Expected one of cpu, cuda, ...``.
Others, such as ``ipu`` and ``opengl``, parse but have no backend in PyTorch's packages.
"""

# sphinx_gallery_tags = ["device", "error", "correction"]

import torch

# %%
# Tutorials list these names. Parsing them shows that ``ort`` is gone and that ``mkldnn`` will go:
# it is now a layout, not a device (`pull request 137553
# <https://github.com/pytorch/pytorch/pull/137553>`__).

listed = """cpu cuda ipu xpu mkldnn opengl opencl ideep hip ve fpga ort xla lazy vulkan mps
meta hpu mtia privateuseone""".split()
unknown = []
for name in listed:
    try:
        torch.device(name)
    except RuntimeError:
        unknown.append(name)
# => UserWarning: 'mkldnn' is no longer used as device type. So torch.device('mkldnn') will be deprecated and removed in the future. Please use other valid device types instead.
print(unknown)
# => ['ort']

# %%
# ``mkldnn`` causes the warning, and it still parses.

parsed = torch.device("mkldnn")
# => UserWarning: 'mkldnn' is no longer used as device type. So torch.device('mkldnn') will be deprecated and removed in the future. Please use other valid device types instead.
print(parsed)
# => mkldnn

# %%
# The error lists the types of this release. Since torch 2.4 ``ort`` is called ``maia`` (`pull
# request 123265 <https://github.com/pytorch/pytorch/pull/123265>`__). A name in this list parses,
# but you may still be unable to create a tensor there.

try:
    torch.device("ort")
except RuntimeError as error:
    print(error)
# => Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device string: ort

# %%
# A tensor also needs a backend for its device. This package of PyTorch does not contain one for
# these types, and the error comes when you move a tensor there.

for name in ("ipu", "opengl", "opencl", "ideep", "ve", "fpga", "maia"):
    try:
        torch.ones(1).to(name)
    except RuntimeError as error:
        print(error)
# => PyTorch is not linked with support for ipu devices
# => PyTorch is not linked with support for opengl devices
# => PyTorch is not linked with support for opencl devices
# => PyTorch is not linked with support for ideep devices
# => PyTorch is not linked with support for ve devices
# => PyTorch is not linked with support for fpga devices
# => PyTorch is not linked with support for maia devices

# %%
# ``cpu`` works without an accelerator, and so does ``meta``, for tensors without values.
# :func:`torch.accelerator.current_accelerator` returns the accelerator that this build is for, or
# ``None``. Which types convert to NumPy: :doc:`/reference/device_types`.

print(torch.empty(1, device="cpu").device, torch.empty(1, device="meta").device)
# => cpu meta
print(str(torch.accelerator.current_accelerator()) in ["None", *listed])
# => True
