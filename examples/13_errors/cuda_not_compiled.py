"""
RuntimeError: Found no NVIDIA driver on your system
===================================================

Torch did not find a GPU that it can use, or was ``not compiled with CUDA enabled``: choose the
device with ``is_available``.

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
# ``cuda()``, ``to("cuda")`` and ``device="cuda"`` raise if torch has no usable CUDA. A build *with*
# CUDA says ``Found no NVIDIA driver`` on a machine without a GPU or its driver. The environment
# variable hides the GPUs of the machine from this page.

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
# If the machine has a GPU, check the build. In a CPU build ``torch.version.cuda`` is ``None``, and
# ``torch.__version__`` may end in ``+cpu``. Uninstall it and install a CUDA build with the command
# from `the selector <https://pytorch.org/get-started/locally/>`__. On Windows and macOS pip
# installs CPU builds.

print(torch.cuda.is_available(), torch.cuda.device_count())
# => False 0

# %%
# What does not help
# ------------------
#
# Installing a CUDA toolkit does not help, because torch brings its own libraries. An index after
# the device does not help either.

try:
    batch.to("cuda:0")
except (AssertionError, RuntimeError) as error:
    print(str(error).split(". ")[0])
# => Found no NVIDIA driver on your system

# %%
# ``map_location`` is for files that were saved from a GPU, which raise :doc:`a different error
# </gallery/13_errors/deserialize_cuda>`. ``torch.backends.cuda.is_built`` shows how torch was
# compiled, not whether there is a GPU.

print(torch.backends.cuda.is_built() == (torch.version.cuda is not None))
# => True
