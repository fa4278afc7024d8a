"""
One-hot encode integer labels or a mask: F.one_hot, np.eye
==========================================================

``F.one_hot(torch.from_numpy(mask).long(), n).permute(2, 0, 1)`` gives (classes, height, width). ``one_hot``
wants ``int64`` and puts the classes last. In NumPy, ``np.eye(n)[mask]`` puts them last too.
"""

# sphinx_gallery_tags = ["one-hot", "label", "mask", "segmentation", "int64", "dice", "argmax"]

import numpy as np
import torch
from torch.nn import functional as F

# %%
# Give the number of classes, since a batch may lack the last one. The result is ``int64``: cast it for a loss.

labels = np.array([2, 0, 1], dtype=np.int32)
encoded = F.one_hot(torch.from_numpy(labels).long(), num_classes=4)
print(encoded, encoded.dtype)
# => tensor([[0, 0, 1, 0],
# =>         [1, 0, 0, 0],
# =>         [0, 1, 0, 0]]) torch.int64

# %%
# Other integers are refused, such as the ``uint8`` of a mask file or the ``int32`` of these labels.

try:
    F.one_hot(torch.from_numpy(labels), 4)
except RuntimeError as error:
    print(type(error).__name__)
# => RuntimeError

# %%
# For a mask the classes come last too. Losses such as ``DiceLoss`` of MONAI want them in front, and in a batch
# behind the first axis.

mask = np.array([[0, 1], [2, 2]], dtype=np.uint8)
planes = F.one_hot(torch.from_numpy(mask).long(), 3).permute(2, 0, 1).float()
print(planes.shape, planes[2])
# => torch.Size([3, 2, 2]) tensor([[0., 0.],
# =>         [1., 1.]])
batch = torch.from_numpy(np.stack([mask, mask])).long()
print(F.one_hot(batch, 3).movedim(-1, 1).shape)
# => torch.Size([2, 3, 2, 2])

# %%
# ``argmax`` over the axis of the classes goes back.

print(np.array_equal(planes.argmax(0).numpy(), mask))
# => True

# %%
# In NumPy, rows of an identity matrix are the codes.

print(np.array_equal(np.eye(3, dtype=np.float32)[mask].transpose(2, 0, 1), planes))
# => True

# %%
# An ignored label such as 255 is not a class. Replace it, and mask the result.

holes = torch.tensor([[0, 255], [2, 2]])
kept = holes != 255
print(F.one_hot(holes.where(kept, 0), 3).mul(kept[..., None])[0])
# => tensor([[1, 0, 0],
# =>         [0, 0, 0]])

# %%
# ``CrossEntropyLoss`` takes the ids themselves, so it needs no one-hot labels:
# :doc:`/gallery/03_dtypes/loss_dtypes`.
