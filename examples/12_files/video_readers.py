"""
decord, PyAV, OpenCV, torchcodec: layout and colours of frames
==============================================================

decord, PyAV's ``to_ndarray(format="rgb24")`` and imageio give RGB (H, W, 3), OpenCV gives BGR, and torchcodec a
tensor (N, 3, H, W). These are ``uint8``, so convert once: RGB, channels first, divided by 255.
"""

# sphinx_gallery_tags = ["video", "decord", "pyav", "opencv", "torchcodec", "frames", "rgb", "bgr", "set_bridge"]

import numpy as np
import torch

# %%
# These arrays stand for one clip of two red frames, as the libraries return it.

rgb = np.zeros((2, 4, 6, 3), dtype=np.uint8)
rgb[..., 0] = 255
bgr = rgb[..., ::-1]
codec = torch.from_numpy(rgb).permute(0, 3, 1, 2)

# %%
# decord: ``vr.get_batch(indices)`` is an array of its own class. ``.asnumpy()`` gives NumPy, and after
# ``decord.bridge.set_bridge("torch")`` the batch is a tensor. Both have the channels last.

clip = torch.from_numpy(rgb).permute(0, 3, 1, 2).float() / 255
print(clip.shape, clip[0, :, 0, 0])
# => torch.Size([2, 3, 4, 6]) tensor([1., 0., 0.])

# %%
# OpenCV: reverse the channels. ``copy`` makes the strides positive.

from_cv2 = torch.from_numpy(bgr[..., ::-1].copy()).permute(0, 3, 1, 2).float() / 255
print(torch.equal(from_cv2, clip))
# => True

# %%
# torchcodec has the channels first by default, as had ``read_video`` of older torchvision with
# ``output_format="TCHW"``. For OpenCV turn such a frame back.

print(torch.equal(codec.float() / 255, clip))
# => True
frame = codec[0].flip(0).permute(1, 2, 0).contiguous().numpy()
print(frame.shape, frame[0, 0])
# => (4, 6, 3) [  0   0 255]

# %%
# Frames of two decoders can differ by a few levels, where they convert YUV to RGB with other rounding. Compare
# with a tolerance, in a dtype that has negative numbers.

other = np.clip(rgb.astype(np.int16) - 1, 0, 255).astype(np.uint8)
print(np.abs(rgb.astype(np.int16) - other).max(), (rgb - other).max())
# => 1 1

# %%
# Decode few frames: ask for indices such as ``range(0, n, 10)``, and keep ``uint8`` until the batch is on the
# device. A float clip takes four times the memory.

print(clip.element_size() * clip.numel() // rgb.nbytes)
# => 4
