"""
Read-only array to a tensor: writes are not stopped
===================================================

The read-only flag of an array does not stop writes through a tensor from ``torch.from_numpy``,
which by default warns once per process. Check ``flags.writeable`` and copy first.
"""

# sphinx_gallery_tags = ["read-only", "sharing", "warning", "silent"]

import subprocess
import sys

import numpy as np
import torch

# %%
# The flag belongs to an array object, not to the memory. Another view may write, and the read-only
# view shows the change.

array = np.arange(4.0)
view = array[:]
view.setflags(write=False)
array[0] = 9
print(view)
# => [9. 1. 2. 3.]

# %%
# A tensor is such another view, without a flag. You get a warning when you convert, but not when
# you write. See :doc:`/gallery/13_errors/read_only_array`.

tensor = torch.from_numpy(view)
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
tensor[1] = 9
print(view)
# => [9. 9. 2. 3.]

# %%
# Converting back loses the flag too. The array from the tensor is writable, so a function that
# converts to a tensor and back gives write access to protected data.

back = tensor.numpy()
print(view.flags.writeable, back.flags.writeable)
# => False True
back[2] = 9
print(view)
# => [9. 9. 9. 3.]

# %%
# The warning appears once per process, for the first read-only array. Later arrays are shared
# without a warning. Even a filter that turns warnings into errors stops the first conversion and
# not the next ones. The child process below is a fresh interpreter, which has not warned yet. Call
# :func:`torch.set_warn_always` to get every warning.

code = """
import warnings, numpy, torch
warnings.simplefilter("error")
array = numpy.zeros(3)
array.setflags(write=False)
for always in [False, True]:
    torch.set_warn_always(always)
    for _ in range(3):
        try:
            print(always, torch.from_numpy(array))
        except UserWarning:
            print(always, "refused")
"""
child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
print(child.stdout, end="")
# => False refused
# => False tensor([0., 0., 0.], dtype=torch.float64)
# => False tensor([0., 0., 0.], dtype=torch.float64)
# => True refused
# => True refused
# => True refused

# %%
# Do not rely on the warning: check the array's flag before you convert. If you copy the read-only
# arrays, the others are still shared.

if not view.flags.writeable:
    view = view.copy()
tensor = torch.from_numpy(view)
tensor.zero_()
print(array)
# => [9. 9. 9. 3.]
