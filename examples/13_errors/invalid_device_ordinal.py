"""
AcceleratorError: CUDA error: invalid device ordinal
====================================================

The index names a GPU that this process does not have: use an index below
``torch.cuda.device_count()``, or plain ``"cuda"``.

.. fix::

   - moved = batch.to(f"cuda:{missing}")
   + moved = batch.to("cuda")
"""

# sphinx_gallery_tags = ["cuda", "device", "error"]

import os
import subprocess
import sys

import numpy as np
import torch

# %%
# The error
# ---------
#
# Indices begin with 0, so the number of GPUs is itself the first index that does not exist.

batch = torch.from_numpy(np.ones(2))
missing = torch.cuda.device_count()
try:
    moved = batch.to(f"cuda:{missing}")
except RuntimeError as error:
    print(str(error).splitlines()[0])
# => CUDA error: invalid device ordinal

# %%
# The fix
# -------
#
# If you leave out the index, ``"cuda"`` is the current device, which is the first one unless the
# program changes it.

moved = batch.to("cuda")
print(moved.device)
# => cuda:0

# %%
# Code that was written for a machine with more GPUs can take the index modulo their number.

index = 7 % torch.cuda.device_count()
print(batch.to(f"cuda:{index}").device.type)
# => cuda

# %%
# Indices count the GPUs that ``CUDA_VISIBLE_DEVICES`` lists, not those of the machine. The child
# process here sees one GPU, so ``cuda:3`` raises.

program = """
import torch
print(torch.cuda.device_count())
try:
    torch.zeros(2, device="cuda:3")
except RuntimeError as error:
    print(str(error).splitlines()[0])
"""
visible = {**os.environ, "CUDA_VISIBLE_DEVICES": "0"}
done = subprocess.run([sys.executable, "-c", program], env=visible, capture_output=True, text=True)
print(done.stdout.strip())
# => 1
# => CUDA error: invalid device ordinal

# %%
# After this error the process can go on using CUDA.

print(torch.ones(2, device="cuda").sum())
# => tensor(2., device='cuda:0')

# %%
# A file that was saved from ``cuda:7`` has its own message when it is loaded:
# :doc:`/gallery/13_errors/deserialize_cuda`.
