"""
RuntimeError: CUDA error: device-side assert triggered
======================================================

Often a label or an index on the GPU is out of range: run the same line on the CPU, which gives a
clearer message.

.. fix::

   - loss = cross_entropy(scores, labels)
   + loss = cross_entropy(scores.cpu(), labels.cpu())
"""

# sphinx_gallery_tags = ["cuda", "indexing", "error"]

import os
import subprocess
import sys

import numpy as np
import torch
from torch.nn.functional import cross_entropy

# %%
# The error
# ---------
#
# There are three classes, 0 to 2, and one label is 3. Python does not wait for the GPU, so the
# traceback names the next line that does, often one with ``cpu()``, ``item()`` or ``print``.
# Afterwards work on the GPU raises in the same process, so the code runs in a child process here.

script = """
import numpy as np
import torch
from torch.nn.functional import cross_entropy

scores = torch.zeros(3, 3, device="cuda")
labels = torch.from_numpy(np.array([0, 1, 3])).to("cuda")
loss = cross_entropy(scores, labels)
print("after the loss", flush=True)
loss.cpu()
"""
child = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
print("after the loss" in child.stdout)
# => True
print(*{line.partition(": ")[2] for line in child.stderr.splitlines() if ": CUDA error" in line})
# => CUDA error: device-side assert triggered

# %%
# The fix
# -------
#
# On the CPU the loss checks the labels, and the message names the wrong one.

scores = torch.zeros(3, 3, device="cuda")
labels = torch.from_numpy(np.array([0, 1, 3])).to("cuda")
try:
    loss = cross_entropy(scores.cpu(), labels.cpu())
except IndexError as error:
    print(error)
# => Target 3 is out of bounds.

# %%
# Compare the labels with the number of classes. If the labels begin at 1, subtract 1.

print(labels.min().item(), labels.max().item(), scores.shape[1])
# => 0 3 3

# %%
# An index that is out of range is another cause, for example in an embedding whose table is too
# short. Indexing on the CPU names it; an embedding says ``index out of range in self``.

table = torch.zeros(3, 2)
try:
    table[labels.cpu()]
except IndexError as error:
    print(error)
# => index 3 is out of bounds for dimension 0 with size 3

# %%
# If the program cannot run on the CPU, set ``CUDA_LAUNCH_BLOCKING=1`` before it starts. Python then
# waits for each step, and the traceback names the right line.

child = subprocess.run(
    [sys.executable, "-c", script],
    capture_output=True,
    text=True,
    env={**os.environ, "CUDA_LAUNCH_BLOCKING": "1"},
)
print(repr(child.stdout))
# => ''

# %%
# What does not help
# ------------------
#
# Catching the error and going on: the next call on this GPU raises it again. Start the process
# anew, or restart the kernel of the notebook.

again = """
try:
    loss.cpu()
except RuntimeError:
    torch.ones(1, device="cuda")
"""
text = script.replace("loss.cpu()\n", again)
child = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
print(*{line.partition(": ")[2] for line in child.stderr.splitlines() if ": CUDA error" in line})
# => CUDA error: device-side assert triggered
