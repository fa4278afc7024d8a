"""
Cut an image into tiles or patches, and stitch them back
========================================================

``reshape`` and ``permute`` cut a tensor into tiles without a loop, and undo it: split height and width into
(rows, size), then move the two sizes to the end. For overlapping patches use ``unfold``.
"""

# sphinx_gallery_tags = ["patches", "tiles", "image", "unfold", "reshape", "windows", "satellite", "overlap"]

import numpy as np
import torch
from torch.nn import functional as F

# %%
# Four tiles of 2 by 3 from a picture of 4 by 6.

image = torch.arange(3 * 4 * 6).reshape(3, 4, 6)
tiles = image.reshape(3, 2, 2, 2, 3).permute(1, 3, 0, 2, 4).reshape(4, 3, 2, 3)
print(tiles.shape, torch.equal(tiles[1], image[:, :2, 3:]))
# => torch.Size([4, 3, 2, 3]) True

# %%
# The same steps backwards give the picture.

stitched = tiles.reshape(2, 2, 3, 2, 3).permute(2, 0, 3, 1, 4).reshape(3, 4, 6)
print(torch.equal(stitched, image))
# => True

# %%
# A NumPy picture usually has the channels last: the order of the axes differs, the idea does not.

array = image.permute(1, 2, 0).numpy()
cut = array.reshape(2, 2, 2, 3, 3).swapaxes(1, 2).reshape(4, 2, 3, 3)
print(np.array_equal(cut[1], array[:2, 3:]))
# => True

# %%
# Pad first if the size is not a multiple of the tile. ``F.pad`` begins with the last axis: left, right, top,
# bottom.

odd = torch.ones(3, 5, 7)
print(F.pad(odd, (0, -7 % 3, 0, -5 % 2)).shape)
# => torch.Size([3, 6, 9])

# %%
# Overlapping patches: ``Tensor.unfold`` gives views. These patches overlap along the height, with size 2 in
# steps of 1. Along the width, size 3 in steps of 3 leaves no overlap.

patches = image.unfold(1, 2, 1).unfold(2, 3, 3)
print(patches.shape, patches.data_ptr() == image.data_ptr())
# => torch.Size([3, 3, 2, 2, 3]) True

# %%
# To put overlapping predictions together, ``F.fold`` adds them up. Divide by how often each pixel was covered.
# With a stride that leaves pixels out, this count is 0, and the result there is ``nan``.

columns = F.unfold(image[None].float(), (2, 3))
total = F.fold(columns, (4, 6), (2, 3))
covered = F.fold(torch.ones_like(columns), (4, 6), (2, 3))
print(torch.equal(total / covered, image[None].float()))
# => True
