"""
Video frames to floats from 0 to 1, and back to images
======================================================

Divide by 255 after the move to the device, ``frames.to(device).float() / 255``: as ``uint8`` the frames
are a quarter as large. On the way back, round and cast before ``cpu()``.
"""

# sphinx_gallery_tags = ["video", "image", "pillow", "dtype", "device"]

import io

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
# Order of the axes
# -----------------
#
# Readers that return arrays have time, height, width and channels. Transforms of torchvision want the channels before
# height and width, and 3D convolutions the channels before the time.

clip = torch.from_numpy(np.zeros((8, 4, 5, 3), dtype=np.uint8))
print(clip.permute(0, 3, 1, 2).shape, clip.permute(3, 0, 1, 2).shape)
# => torch.Size([8, 3, 4, 5]) torch.Size([3, 8, 4, 5])

# %%
# A model takes a batch of clips: add its axis first. Of a long clip, index the frames that you need,
# here each fourth.

print(clip.permute(3, 0, 1, 2)[None].shape, clip[::4].shape)
# => torch.Size([1, 3, 8, 4, 5]) torch.Size([2, 4, 5, 3])

# %%
# Back to images
# --------------
#
# For the way back to images, scale, round and cast on the device. Then a quarter of the bytes are
# copied to the CPU, and no floats take up memory there.

generated = torch.full((2, 3, 4, 5), 0.999, device=device)
pixels = (generated * 255).round().clamp(0, 255).to(torch.uint8)
pixels = pixels.permute(0, 2, 3, 1).cpu().numpy()
images = [Image.fromarray(image) for image in pixels]
print(images[0].size, images[0].getpixel((0, 0)))
# => (5, 4) (255, 255, 255)

# %%
# If even that is too much at once, convert and save one frame at a time, as PNG without loss.
# Writers of videos may take another range: `export_to_video
# <https://huggingface.co/docs/diffusers/api/utilities>`__ of diffusers takes arrays of floats from 0
# to 1, or PIL images.

for frame in generated:
    image = Image.fromarray((frame * 255).round().byte().permute(1, 2, 0).cpu().numpy())
    file = io.BytesIO()
    image.save(file, format="png")
print(image.mode, np.array_equal(Image.open(file), image))
# => RGB True
