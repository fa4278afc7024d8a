"""
NotImplementedError: mean(): could not infer output dtype
=========================================================

``mean`` takes floats, and a tensor made from an image, a mask or labels often holds integers or
booleans: write ``tensor.float().mean()``, or pass ``dtype=torch.float32``.

.. fix::

   - tensor.mean()
   + tensor.float().mean()
   + tensor.mean(dtype=torch.float32)
"""

# sphinx_gallery_tags = ["dtype", "image", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# NumPy computes the mean of integers in ``float64``, and torch raises instead. Byte is ``uint8``,
# Long is ``int64``. Before torch 2.15 the class is ``RuntimeError``; an ``except RuntimeError``
# catches both.

image = np.array([[0, 128], [255, 1]], dtype=np.uint8)
tensor = torch.from_numpy(image)
print(image.mean())
# => 96.0
try:
    tensor.mean()
except RuntimeError as error:
    print(error)
# => mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Byte

# %%
# A comparison gives booleans, so this line for the accuracy of a model raises the same error.

labels = torch.from_numpy(np.array([1, 0, 2]))
guesses = torch.tensor([1, 0, 1])
try:
    (guesses == labels).mean()
except RuntimeError as error:
    print(error)
# => mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Bool

# %%
# ``std`` and ``var`` have another message.

try:
    tensor.std()
except RuntimeError as error:
    print(error)
# => std and var only support floating point and complex dtypes

# %%
# The fix
# -------
#
# Convert the tensor, or name the dtype in which ``mean`` computes.

print(tensor.float().mean())
# => tensor(96.)
print(tensor.mean(dtype=torch.float32))
# => tensor(96.)
print((guesses == labels).float().mean())
# => tensor(0.6667)

# %%
# If you convert the image as soon as it is read, the lines after it work, ``std`` too.

pixels = tensor.float() / 255
print(pixels.mean(), pixels.std())
# => tensor(0.3765) tensor(0.4779)

# %%
# What does not help
# ------------------
#
# ``median`` accepts this ``uint8`` tensor, but it returns the lower of the two middle values, not their
# mean.

print(tensor.median(), np.median(image))
# => tensor(1, dtype=torch.uint8) 64.5
