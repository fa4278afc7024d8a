"""
SSIM and PSNR of tensors: win_size exceeds image extent
=======================================================

scikit-image wants arrays with the channels last: ``permute(1, 2, 0).cpu().numpy()``, then
``structural_similarity(a, b, channel_axis=-1, data_range=1.0)``. ``multichannel=True`` is gone.
"""

# sphinx_gallery_tags = ["image", "layout", "metrics", "dtype", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# ``structural_similarity`` of scikit-image compares windows of 7 by 7. Without ``channel_axis`` it takes an
# axis of three channels for one of the picture. That is shorter than the window: ``ValueError: win_size
# exceeds image extent``. scikit-image 0.21 and newer ignore the older argument ``multichannel=True``
# (`issue 7144 <https://github.com/scikit-image/scikit-image/issues/7144>`__).

predicted = torch.rand(1, 3, 16, 16, requires_grad=True)
target = torch.rand(1, 3, 16, 16)
print(min(predicted[0].permute(1, 2, 0).shape) < 7)
# => True

# %%
# The fix
# -------
#
# Take one image of the batch, detach it, and put the channels last. Then call
# ``structural_similarity(first, second, channel_axis=-1, data_range=1.0)``; for channels first that is
# ``channel_axis=0``.


def to_image(batch):
    return batch[0].detach().permute(1, 2, 0).cpu().float().numpy()


first, second = to_image(predicted), to_image(target)
print(first.shape, first.dtype)
# => (16, 16, 3) float32

# %%
# ``data_range`` is the distance between the smallest and the largest possible value: 1 for floats from 0 to
# 1, and 255 for ``uint8``. For floats ``structural_similarity`` asks for it: ``Since image dtype is floating point, you
# must specify the data_range parameter``. Both images need the same range.

pixels = (second * 255).round().astype(np.uint8)
print(pixels.dtype, first.dtype == pixels.dtype)
# => uint8 False

# %%
# A tensor is refused, because NumPy does not know its dtype: ``structural_similarity`` says ``Cannot
# interpret 'torch.float32' as a data type``, as NumPy does here, and ``peak_signal_noise_ratio``
# without ``data_range`` says ``'torch.dtype' object has no attribute 'type'``.

try:
    np.dtype(target.dtype)
except TypeError as error:
    print(error)
# => Cannot interpret 'torch.float32' as a data type
try:
    target.dtype.type
except AttributeError as error:
    print(error)
# => 'torch.dtype' object has no attribute 'type'

# %%
# PSNR in torch
# -------------
#
# PSNR needs no library. Here it is in torch and in NumPy; both agree up to rounding.

mse = (predicted.detach() - target).square().mean()
print(
    torch.allclose(10 * torch.log10(1 / mse), torch.tensor(10 * np.log10(1 / mse.item())).float())
)
# => True

# %%
# Metrics that take tensors
# -------------------------
#
# torchmetrics works on tensors with the channels first, on the GPU too. Some of its metrics, such as
# ``universal_image_quality_index``, want two tensors of one dtype, and say ``Expected `preds` and `target` to
# have the same data type`` otherwise. Its
# ``FrechetInceptionDistance`` wants ``uint8``, or floats with ``normalize=True``: ``Expecting image as
# torch.Tensor with dtype=torch.uint8``. PSNR says that an array has no
# ``is_floating_point``: convert it first.

print(torch.from_numpy(pixels).permute(2, 0, 1)[None].shape)
# => torch.Size([1, 3, 16, 16])
same = torch.from_numpy(pixels).float() / 255
print(same.dtype == target.dtype)
# => True

# %%
# What does not help
# ------------------
#
# A smaller ``win_size``, such as 3, in place of ``channel_axis`` removes the message and compares across
# channels: the number is not the SSIM of the picture.
