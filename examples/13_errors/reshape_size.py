"""
ValueError: cannot reshape array of size 48 into shape (1,3,8,8)
================================================================

``reshape`` keeps the number of elements, and these numbers differ: print the shape, then resize or pad
the data, or let ``-1`` count an axis.

.. fix::

   - image.reshape(1, 3, 8, 8)
   + batch = torch.from_numpy(image).permute(2, 0, 1)[None]
   + resized = F.interpolate(batch, size=(8, 8))
"""

# sphinx_gallery_tags = ["shape", "reshape", "image", "error"]

import numpy as np
import torch
import torch.nn.functional as F

# %%
# The error
# ---------
#
# A colour image of 4 × 4 pixels has 48 values, and a model that wants 8 × 8 pixels wants 192.

image = np.arange(48, dtype=np.float32).reshape(4, 4, 3)
try:
    image.reshape(1, 3, 8, 8)
except ValueError as error:
    print(error)
# => cannot reshape array of size 48 into shape (1,3,8,8)

# %%
# torch says it in other words.

try:
    torch.from_numpy(image).reshape(1, 3, 8, 8)
except RuntimeError as error:
    print(error)
# => shape '[1, 3, 8, 8]' is invalid for input of size 48
try:
    torch.from_numpy(image).view(-1, 5)
except RuntimeError as error:
    print(error)
# => shape '[-1, 5]' is invalid for input of size 48

# %%
# The fix
# -------
#
# If the data have another size than the model, resize them. ``reshape`` does not change pixels.

batch = torch.from_numpy(image).permute(2, 0, 1)[None]
resized = F.interpolate(batch, size=(8, 8))
print(batch.shape, resized.shape)
# => torch.Size([1, 3, 4, 4]) torch.Size([1, 3, 8, 8])

# %%
# If the number in the code is wrong, take it from the data, or write ``-1`` for one axis.

print(image.reshape(-1, 3).shape, image.reshape(*image.shape[:2], 1, 3).shape)
# => (16, 3) (4, 4, 1, 3)

# %%
# The last batch of a loader may be smaller. ``batch.shape[0]`` fits it, and a batch size in the code then does not.

last = torch.zeros(5, 3, 4, 4)
print(last.reshape(last.shape[0], -1).shape)
# => torch.Size([5, 48])

# %%
# A grey image has one value for each pixel instead of three, and one of mode ``RGBA`` has four: convert it with ``image.convert("RGB")`` of Pillow. Bytes of a file may have another dtype than you read,
# which gives another number of elements.

raw = np.ones(4, dtype=np.float32).tobytes()
print(np.frombuffer(raw, dtype=np.float64).size, np.frombuffer(raw, dtype=np.float32).size)
# => 2 4

# %%
# What does not help
# ------------------
#
# ``reshape`` to the same number of elements raises nothing, but does not move channels: here it puts values of
# several channels into one. ``permute`` moves the axis.

print(image.reshape(3, 4, 4)[0, 0], image.transpose(2, 0, 1)[0, 0])
# => [0. 1. 2. 3.] [0. 3. 6. 9.]

# %%
# ``np.resize`` to a larger size repeats the values until the array is full.

print(np.resize(np.arange(3), (2, 3)))
# => [[0 1 2]
# =>  [0 1 2]]
