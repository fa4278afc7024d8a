"""
RuntimeError: Found no NVIDIA driver on your system
===================================================

The installed torch cannot use a GPU here, or was ``not compiled with CUDA enabled``: choose the device
with ``is_available``.

.. fix::

   - batch.cuda()
   + device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
   + batch = torch.from_numpy(np.ones(2)).to(device)
"""

# sphinx_gallery_tags = ["device", "installation", "error"]

import os

import numpy as np
import torch

# %%
# The error
# ---------
#
# Anything that wants a tensor on the GPU fails where torch has no CUDA: ``cuda()``, ``to("cuda")`` and
# ``device="cuda"``. A build *with* CUDA says ``Found no NVIDIA driver`` on a machine without a GPU or
# its driver. The variable hides any GPU from this page.

os.environ["CUDA_VISIBLE_DEVICES"] = ""
batch = torch.from_numpy(np.ones(2))
try:
    batch.cuda()
except (AssertionError, RuntimeError) as error:
    print(str(error).split(". ")[0])
# => Found no NVIDIA driver on your system
try:
    torch.zeros(2, device="cuda")
except (AssertionError, RuntimeError) as error:
    print(str(error).split(". ")[0])
# => Found no NVIDIA driver on your system

# %%
# The fix
# -------
#
# Choose the device once and use it everywhere. The program then runs on either kind of machine.

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
batch = torch.from_numpy(np.ones(2)).to(device)
print(batch.device)
# => cpu

# %%
# Where the machine has a GPU, look at the build: ``torch.version.cuda`` is ``None``, or
# ``torch.__version__`` ends in ``+cpu``, if it was made for the CPU. `The selector
# <https://pytorch.org/get-started/locally/>`__ has the command that installs the other one; uninstall
# the present one first. pip on Windows and macOS, and a lock file made there, take builds for the CPU.

print(torch.cuda.is_available(), torch.cuda.device_count())
# => False 0

# %%
# What does not help
# ------------------
#
# A toolkit of CUDA on the machine changes nothing, as torch brings its own libraries. Nor does an
# index in the name of the device.

try:
    batch.to("cuda:0")
except (AssertionError, RuntimeError) as error:
    print(str(error).split(". ")[0])
# => Found no NVIDIA driver on your system

# %%
# ``map_location`` is for files that were saved from a GPU, which is :doc:`another error
# </gallery/13_errors/deserialize_cuda>`.
# Comparing with ``torch.backends`` tells what was compiled in, not what is there.

print(torch.backends.cuda.is_built() == (torch.version.cuda is not None))
# => True
