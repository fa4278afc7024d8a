"""
Video frames to floats from 0 to 1, and back to images
======================================================

Divide by 255 after the move to the device, ``frames.to(device).float() / 255``: as ``uint8`` the frames
are a quarter as large. On the way back, round and cast before ``cpu()``.
"""

# sphinx_gallery_tags = ["video", "image", "pillow", "dtype", "device"]

import numpy as np
import torch
from PIL import Image

# %%
# Decoders of video, such as `TorchCodec
# <https://meta-pytorch.org/torchcodec/stable/generated/torchcodec.decoders.VideoDecoder.html>`__, by
# default return ``uint8`` tensors of frames by channels by height by width. A model expects floats, usually from 0
# to 1. A cast alone leaves values up to 255.

frames = torch.full((2, 3, 4, 5), 255, dtype=torch.uint8)
print(frames.float().max(), (frames.float() / 255).max())
# => tensor(255.) tensor(1.)

# %%
# In torchvision, ``v2.ToDtype(torch.float32, scale=True)`` does the same, up to rounding. Keep
# ``uint8`` as long as you store or move the frames. Here ``device`` may be ``"cuda"`` as well.

device = "cpu"
batch = frames.to(device).float() / 255
print(batch.nbytes // frames.nbytes)
# => 4

# %%
# Other readers, such as OpenCV and PyAV, return arrays with the channels last. Convert what is an
# array, and leave a tensor where it is: ``cpu().numpy()`` followed by ``from_numpy`` would take a
# frame from the GPU to the CPU.


def to_frame(frame):
    if isinstance(frame, torch.Tensor):
        return frame
    return torch.from_numpy(frame).permute(2, 0, 1)


frame = frames[0]
print(to_frame(np.zeros((4, 5, 3), dtype=np.uint8)).shape, to_frame(frame) is frame)
# => torch.Size([3, 4, 5]) True

# %%
# For the way back to images, scale, round and cast on the device. Then a quarter of the bytes are
# copied to the CPU, and no floats take up memory there.

generated = torch.full((2, 3, 4, 5), 0.999, device=device)
pixels = (generated * 255).round().clamp(0, 255).to(torch.uint8)
pixels = pixels.permute(0, 2, 3, 1).cpu().numpy()
images = [Image.fromarray(image) for image in pixels]
print(images[0].size, images[0].getpixel((0, 0)))
# => (5, 4) (255, 255, 255)

# %%
# If even that is too much at once, convert and save one frame at a time.

for frame in generated:
    image = Image.fromarray((frame * 255).round().byte().permute(1, 2, 0).cpu().numpy())
print(image.mode)
# => RGB
