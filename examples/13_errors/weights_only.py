"""
Weights only load failed
========================

Decide whether to change the file, to allow what it holds, or not to load it.
"""

# sphinx_gallery_tags = ["torch.load", "files", "error"]

import io
import pickle

import numpy as np
import torch

# %%
# The error
# ---------
#
# A pickled file may run any function when it is loaded, so :func:`torch.load` admits tensors and
# plain Python values only; `since 2.6 that is the default
# <https://docs.pytorch.org/docs/stable/notes/serialization.html#weights-only>`__. A NumPy array,
# even a single NumPy number such as a best score, is rebuilt by a function that is not on the list.

file = io.BytesIO()
torch.save({"epoch": 3, "best": np.float64(0.5)}, file)
file.seek(0)
try:
    torch.load(file)
except pickle.UnpicklingError as error:
    print(str(error).split(".")[0])
# => Weights only load failed

# %%
# Further on, the message names that function. Its module depends on the version of NumPy.

file.seek(0)
try:
    torch.load(file, weights_only=True)
except pickle.UnpicklingError as error:
    print("multiarray.scalar" in str(error))
# => True

# %%
# The fix
# -------
#
# Where you write the file, write tensors and Python numbers. They load everywhere, and
# :doc:`/gallery/12_files/numpy_in_checkpoints` converts a checkpoint to them.

file = io.BytesIO()
scores = np.array([0.25, 0.5])
torch.save({"best": float(scores.max()), "scores": torch.from_numpy(scores)}, file)
file.seek(0)
print(torch.load(file, weights_only=True))
# => {'best': 0.5, 'scores': tensor([0.2500, 0.5000], dtype=torch.float64)}

# %%
# Arrays alone are better kept in NumPy's own format, which needs no pickle.

arrays = io.BytesIO()
np.savez(arrays, scores=scores)
arrays.seek(0)
print(np.load(arrays)["scores"])
# => [0.25 0.5 ]

# %%
# What does not help
# ------------------
#
# ``weights_only=False`` loads everything, and does whatever the file says. Here it says ``print``.
# For a file that you wrote yourself that is acceptable; for a download it is not.


class Surprise:
    def __reduce__(self):
        return print, ("code from the file",)


hostile = io.BytesIO()
torch.save({"weight": torch.ones(1), "note": Surprise()}, hostile)
hostile.seek(0)
print(torch.load(hostile, weights_only=False))
# => code from the file
# => {'weight': tensor([1.]), 'note': None}

# %%
# Allowing just the name from the message moves the error to the next one. An array needs four: its
# rebuilding function, its class, ``dtype``, and the class of the particular dtype. With these a
# file that cannot be changed loads, and ``print`` would still be refused.

file = io.BytesIO()
torch.save({"scores": scores}, file)
rebuild = scores.__reduce__()[0]
for allowed in ([rebuild], [rebuild, np.ndarray, np.dtype, type(scores.dtype)]):
    file.seek(0)
    with torch.serialization.safe_globals(allowed):
        try:
            print(torch.load(file))
        except pickle.UnpicklingError as error:
            print(str(error).split(".")[0])
# => Weights only load failed
# => {'scores': array([0.25, 0.5 ])}
