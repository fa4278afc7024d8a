"""
uint8 image to float32 and back: is precision lost?
===================================================

``x.float() / 255`` loses nothing, and ``(y * 255).round().clamp(0, 255).byte()`` restores each of the 256
values. Without ``round``, 0.9999 becomes 254; without ``clamp``, 1.01 can become 2.
"""

# sphinx_gallery_tags = ["image", "precision", "uint8", "range", "overflow", "dtype"]

import numpy as np
import torch

# %%
# The 256 values survive the way to ``float32`` and back, also in NumPy.

x = torch.arange(256).to(torch.uint8)
scaled = x.float() / 255
print(torch.equal((scaled * 255).round().byte(), x))
# => True
array = (x.numpy() / np.float32(255) * 255).round().astype(np.uint8)
print(array.dtype, np.array_equal(array, x.numpy()))
# => uint8 True

# %%
# They survive in half precision, too, if the way back is computed in ``float32``.

for dtype in (torch.float16, torch.bfloat16):
    half = x.to(dtype) / 255
    print(dtype, torch.equal((half.float() * 255).round().byte(), x))
# => torch.float16 True
# => torch.bfloat16 True

# %%
# A cast cuts off what is behind the point, so a value just below 1 becomes 254: round first.

white = torch.tensor([0.9999])
print((white * 255).byte(), (white * 255).round().byte())
# => tensor([254], dtype=torch.uint8) tensor([255], dtype=torch.uint8)

# %%
# A cast without the factor leaves 0 and 1: the picture is nearly black.

print(scaled.byte().unique())
# => tensor([0, 1], dtype=torch.uint8)

# %%
# Values outside of 0 to 1, such as a network or a resize filter can give, can wrap around to the other end:
# bright dots in dark places. Clamp them.

outside = torch.tensor([-0.01, 1.01])
print((outside * 255).round().to(torch.int32).byte(), (outside * 255).round().clamp(0, 255).byte())
# => tensor([253,   2], dtype=torch.uint8) tensor([  0, 255], dtype=torch.uint8)

# %%
# A picture that is divided by 255 twice is nearly black as well. Look at the largest value first. Give tools
# that scale by themselves, such as ``ToTensor``, ``uint8``. Image processors of transformers also
# take ``do_rescale=False`` for floats.

print(x.max(), scaled.max(), (scaled / 255).max())
# => tensor(255, dtype=torch.uint8) tensor(1.) tensor(0.0039)
