"""
RuntimeError: No CUDA GPUs are available
========================================

The NVIDIA driver works but shows this process no GPU: remove or correct ``CUDA_VISIBLE_DEVICES``
before the program first uses CUDA.

.. code-block:: bash

   unset CUDA_VISIBLE_DEVICES
"""

# sphinx_gallery_tags = ["cuda", "device", "installation", "error"]

import os
import subprocess
import sys

import torch

# %%
# The error
# ---------
#
# ``CUDA_VISIBLE_DEVICES`` lists the GPUs that a process may use. An empty value hides them, and so
# does the number of a GPU that the machine does not have.

os.environ["CUDA_VISIBLE_DEVICES"] = "5"
print(torch.cuda.is_available(), torch.cuda.device_count())
# => False 0
try:
    torch.zeros(2, device="cuda")
except RuntimeError as error:
    print(error)
# => No CUDA GPUs are available

# %%
# ``nvidia-smi`` does not read the variable, so it lists GPUs that are hidden from torch.

names = subprocess.run(["nvidia-smi", "--list-gpus"], capture_output=True, text=True).stdout
print(len(names.splitlines()) > 0)
# => True

# %%
# The fix
# -------
#
# Remove the variable, or name a GPU that exists. The child process here runs without the variable.

program = "import torch; print(torch.zeros(2, device='cuda').device)"
without = dict(os.environ)
del without["CUDA_VISIBLE_DEVICES"]
done = subprocess.run([sys.executable, "-c", program], env=without, capture_output=True, text=True)
print(done.stdout.strip())
# => cuda:0

# %%
# What does not help
# ------------------
#
# A change is too late once the process has used CUDA: this child hides its GPUs after that, and
# still finds one.

program = """
import os, torch
torch.zeros(2, device="cuda")
os.environ["CUDA_VISIBLE_DEVICES"] = ""
print(torch.zeros(2, device="cuda").device)
"""
done = subprocess.run([sys.executable, "-c", program], env=without, capture_output=True, text=True)
print(done.stdout.strip())
# => cuda:0

# %%
# Where torch finds no driver, or was built without CUDA, it says something else:
# :doc:`/gallery/13_errors/cuda_not_compiled`. Code that should also run without a GPU asks
# ``torch.cuda.is_available()``.

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(torch.zeros(2, device=device).device)
# => cpu
