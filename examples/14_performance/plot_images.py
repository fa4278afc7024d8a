"""
Image to batch: which order of steps is fastest
===============================================

Four orders of permuting, casting and dividing an image give the same values at different speeds.
The chart compares them by size; leaving the image channels last moves no channels.
"""

# %%
# A loaded image is height × width × channel in bytes; a network needs channel × height × width in
# floats. Four orders of the same steps give the same values. The last one, called channels last in
# torch, keeps the order of the elements in memory.
#
# .. timings:: an image
#    :base: permute, float, left as channels last
#    :unit: pixels

# %%
# Measure it on your machine:

# sphinx_gallery_tags = ["performance", "layout", "image"]

from timeit import timeit

import torch

image = torch.zeros(1024, 1024, 3, dtype=torch.uint8)
last = timeit(lambda: image.permute(2, 0, 1).float() / 255, number=10) / 10
first = timeit(lambda: image.permute(2, 0, 1).float().contiguous() / 255, number=10) / 10
print(f"channels last {last * 1e3:.1f} ms, channels first {first * 1e3:.1f} ms")

# %%
# :doc:`/gallery/04_layout/channels_last_batches` shows which operations keep that layout and which
# do not.
