"""
UnpicklingError: Weights only load failed
=========================================

Since torch 2.6, ``torch.load`` reads tensors, simple Python values and a few listed types by default:
pass ``weights_only=False`` if you trust the file, or allow its other types with ``safe_globals``.

.. fix::

   - torch.save({"epoch": 3, "best": np.float64(0.5)}, file)
   - torch.load(file)
   + torch.save({"best": float(scores.max()), "scores": torch.from_numpy(scores)}, file)
   + torch.load(file, weights_only=True)

That is for a file of your own, which here held a NumPy number. For a file that somebody else wrote,
see the end of this page.
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
# A pickled file can run code when you load it, so :func:`torch.load` is limited to a list of types,
# `by default since 2.6
# <https://docs.pytorch.org/docs/stable/notes/serialization.html#weights-only>`__. A NumPy array, or
# even a single NumPy number such as a best score, is rebuilt by a function that is not allowed.

file = io.BytesIO()
torch.save({"epoch": 3, "best": np.float64(0.5)}, file)
file.seek(0)
try:
    torch.load(file)
except pickle.UnpicklingError as error:
    print(str(error).split(".")[0])
# => Weights only load failed

# %%
# A later part of the message names that function. Its module depends on the NumPy version.

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
# If you only load the file and trust it, pass ``weights_only=False``, or allow the types that it
# contains, as at the end of this page. If you write the file yourself, save tensors and Python
# numbers, which load with the default. To convert a checkpoint see
# :doc:`/gallery/12_files/numpy_in_checkpoints`.

file = io.BytesIO()
scores = np.array([0.25, 0.5])
torch.save({"best": float(scores.max()), "scores": torch.from_numpy(scores)}, file)
file.seek(0)
print(torch.load(file, weights_only=True))
# => {'best': 0.5, 'scores': tensor([0.2500, 0.5000], dtype=torch.float64)}

# %%
# If there are only arrays of numbers, save them in NumPy's own format, which needs no pickle.

arrays = io.BytesIO()
np.savez(arrays, scores=scores)
arrays.seek(0)
print(np.load(arrays)["scores"])
# => [0.25 0.5 ]

# %%
# What does not help
# ------------------
#
# ``weights_only=False`` loads this file, but also runs the function that it names, here ``print``.
# Use it for a file that you wrote yourself, not for a download.


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
# A file that you cannot write again
# ----------------------------------
#
# Allow the functions and classes that the file needs; ``print`` is still not allowed. The name in
# the message is not enough, because the next one raises. This array needs four: the function that
# rebuilds it, its class, ``dtype``, and the class of its particular dtype.

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
