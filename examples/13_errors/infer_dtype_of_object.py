"""
RuntimeError: Could not infer dtype of NoneType
===============================================

The class that the message names is no number to torch, such as ``NoneType``, ``dict``, ``Timestamp`` or an image:
pass the numbers that the object holds.

.. fix::

   - torch.tensor([1.0, None])
   + torch.tensor([1.0, float("nan")])
   + torch.tensor(sample["x"])
   + torch.from_numpy(np.array(image))
"""

# sphinx_gallery_tags = ["dtype", "list", "pillow", "pandas", "error"]

import datetime

import numpy as np
import pandas as pd
import torch
from PIL import Image

# %%
# The error
# ---------
#
# :func:`torch.tensor` looks for numbers in lists and tuples, and stops at a class that it does not know. If the class
# is NumPy's, such as ``numpy.float32``, see :doc:`/gallery/13_errors/infer_dtype` instead.

try:
    torch.tensor([1.0, None])
except RuntimeError as error:
    print(error)
# => Could not infer dtype of NoneType

# %%
# The same happens to a sample that is a dictionary, to a date of pandas or Python, an image of Pillow and
# a set.

sample = {"x": [1.0, 2.0]}
image = Image.new("L", (3, 2))
for value in [sample, pd.Timestamp("2024-01-01"), datetime.date(2024, 1, 1), image, {1, 2}]:
    try:
        torch.tensor(value)
    except RuntimeError as error:
        print(error)
# => Could not infer dtype of dict
# => Could not infer dtype of Timestamp
# => Could not infer dtype of datetime.date
# => Could not infer dtype of Image
# => Could not infer dtype of set

# %%
# The fix
# -------
#
# A missing number can become NaN, or you leave its row out.

print(torch.tensor([1.0, float("nan")]))
# => tensor([1., nan])
print(torch.tensor([value for value in (1.0, None) if value is not None]))
# => tensor([1.])

# %%
# Of a dictionary, convert the values that you need.

print(torch.tensor(sample["x"]))
# => tensor([1., 2.])
print({name: torch.tensor(values) for name, values in sample.items()})
# => {'x': tensor([1., 2.])}

# %%
# An image becomes an array first. After ``Image.open`` its class is that of the
# format, such as ``JpegImageFile`` or ``PngImageFile``.

print(torch.from_numpy(np.array(image)).shape)
# => torch.Size([2, 3])

# %%
# A date becomes a number of seconds or days.

print(torch.tensor(pd.Timestamp("2024-01-01").timestamp(), dtype=torch.float64))
# => tensor(1.7041e+09, dtype=torch.float64)
print(torch.tensor((datetime.date(2024, 1, 1) - datetime.date(1970, 1, 1)).days))
# => tensor(19723)

# %%
# An object of a library often has a tensor or an array inside, as ``output.logits`` of transformers. A
# function in place of its result lacks the parentheses of the call.

try:
    torch.tensor([np.random.rand])
except RuntimeError as error:
    print(error)
# => Could not infer dtype of method

# %%
# What does not help
# ------------------
#
# With ``dtype=torch.float32``, the error for ``None`` has other words. ``np.array`` without a dtype accepts ``None`` and
# makes an array of objects.

try:
    torch.tensor([1.0, None], dtype=torch.float32)
except TypeError as error:
    print(error)
# => must be real number, not NoneType
print(np.array([1.0, None]).dtype)
# => object
