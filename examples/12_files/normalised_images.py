"""
Undo Normalize: image mean and std per channel, back and forth
==============================================================

``x * std[:, None, None] + mean[:, None, None]`` turns a normalised image with the channels first back to 0..1.
Without it colours are wrong. Clamp the result before you save it as ``uint8``, since values outside 0..1 wrap
around.
"""

# sphinx_gallery_tags = ["image", "imagenet", "mean", "std", "denormalise", "broadcasting", "channels"]

import numpy as np
import torch

# %%
# ``Normalize`` of torchvision subtracts the mean and divides by the standard deviation of each channel. Two
# axes of length one line the three numbers up with the channels, in an image and in a batch.

mean, std = torch.tensor([0.485, 0.456, 0.406]), torch.tensor([0.229, 0.224, 0.225])
image = torch.rand(3, 4, 5, generator=torch.Generator().manual_seed(0))
x = (image - mean[:, None, None]) / std[:, None, None]
restored = (x * std[:, None, None] + mean[:, None, None]).clamp(0, 1)
print(torch.allclose(restored, image, atol=1e-6))
# => True
print((torch.stack([x, x]) * std[:, None, None]).shape)
# => torch.Size([2, 3, 4, 5])

# %%
# To show it with matplotlib, put the channels last. Pillow needs ``uint8`` as well:
# ``(shown * 255).round().astype(np.uint8)``.

shown = restored.permute(1, 2, 0).numpy()
print(shown.shape, shown.dtype)
# => (4, 5, 3) float32

# %%
# A NumPy image usually has the channels last, and then its mean needs no reshaping. Keep it in ``float32``:
# with a Python list or a ``float64`` array the image would become ``float64``.

array = image.permute(1, 2, 0).numpy()
means, deviations = np.float32([0.485, 0.456, 0.406]), np.float32([0.229, 0.224, 0.225])
normal = (array - means) / deviations
print(normal.dtype, np.allclose(normal, x.permute(1, 2, 0), atol=1e-6))
# => float32 True

# %%
# The three numbers without the two axes line up with the width. That raises here. For a picture that is three
# pixels wide it would run, and give wrong colours.

try:
    image - mean
except RuntimeError as error:
    print(error)
# => The size of tensor a (5) must match the size of tensor b (3) at non-singleton dimension 2

# %%
# Mean and std of a dataset
# -------------------------
#
# Take them over batch, height and width. For more images than fit in memory, add up sums and squares in
# ``float64``: the mean of the standard deviations of batches is something else.

images = torch.rand(6, 3, 4, 5, generator=torch.Generator().manual_seed(1))
total, squares, count = torch.zeros(3).double(), torch.zeros(3).double(), 0
for batch in images.split(2):
    total += batch.double().sum((0, 2, 3))
    squares += batch.double().square().sum((0, 2, 3))
    count += batch.numel() // 3
average = total / count
spread = (squares / count - average**2).sqrt()
print(torch.allclose(average.float(), images.mean((0, 2, 3))))
# => True
print(torch.allclose(spread.float(), images.std((0, 2, 3), unbiased=False)))
# => True
