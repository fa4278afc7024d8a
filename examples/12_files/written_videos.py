"""
Write frames to a video: write_video, PyAV, imageio, OpenCV
===========================================================

Give frames by height by width by channels as a ``uint8`` array, and the rate as an ``int`` or a
``Fraction``. PyAV 14 broke ``torchvision.io.write_video`` up to 0.20: ``TypeError: an integer is required``.
"""

# sphinx_gallery_tags = ["video", "pillow", "image", "layout", "dtype", "files", "error"]

from fractions import Fraction

import numpy as np
import torch
from PIL import Image

# %%
# From a tensor to frames
# -----------------------
#
# Models often give floats with the channels first. Scale, round, cast and move the channels to the end. For
# ``rgb24`` PyAV refuses floats with ``Expected numpy array with dtype `uint8```, and the channels in front with
# ``Unexpected numpy array shape``.

video = torch.rand(2, 3, 4, 6)
frames = (video * 255).round().to(torch.uint8).permute(0, 2, 3, 1).cpu().numpy()
print(frames.shape, frames.dtype)
# => (2, 4, 6, 3) uint8

# %%
# The rate
# --------
#
# PyAV reads ``rate.numerator``, which an ``int`` and a ``Fraction`` have. A ``float`` has none, nor has the
# ``numpy.float64`` that ``write_video`` of torchvision makes by rounding.

for rate in (29.97, np.float64(30.0)):
    try:
        print(rate.numerator)
    except AttributeError as error:
        print(error)
# => 'float' object has no attribute 'numerator'
# => 'numpy.float64' object has no attribute 'numerator'

# %%
# Convert it before the call. ``int`` is right for a whole rate, ``Fraction`` for 29.97, which is
# 30000 frames in 1001 seconds.

print(int(np.float64(30.0)), Fraction(30_000, 1001))
# => 30 30000/1001

# %%
# ``TypeError: an integer is required``
# -------------------------------------
#
# ``write_video`` of torchvision up to 0.20 sets ``frame.pict_type`` to a string, which PyAV 14 refuses:
# see `issue 8779 <https://github.com/pytorch/vision/issues/8779>`__. The frames are right. Install
# ``"av<14"`` or a newer torchvision, or write the file with PyAV itself:
#
# .. code-block:: python
#
#     with av.open("out.mp4", "w") as container:
#         stream = container.add_stream("libx264", rate=30)
#         stream.height, stream.width = frames.shape[1:3]
#         stream.pix_fmt = "yuv420p"
#         for frame in frames:
#             container.mux(stream.encode(av.VideoFrame.from_ndarray(frame, format="rgb24")))
#         container.mux(stream.encode())
#
# This also replaces ``torchvision.io.write_video`` where it is no longer there, and ``av.open`` with
# ``container.decode(video=0)`` replaces ``read_video``.

# %%
# Other writers
# -------------
#
# ``imageio`` wants ``uint8`` arrays as well. Older releases say ``Image must be a numpy array`` for PIL
# images. ``Image must be 2D (grayscale, RGB, or RGBA)`` means that the channels are first, and ``Cannot
# handle this data type`` floats, or a GIF with the channels first: :doc:`/gallery/13_errors/pillow_data_type`.

pictures = [Image.fromarray(frame) for frame in frames]
arrays = [np.array(picture) for picture in pictures]
print(arrays[0].shape, arrays[0].dtype)
# => (4, 6, 3) uint8

# %%
# ``cv2.VideoWriter`` wants blue, green and red, and the size as width and height. A frame of another size is
# left out without an error. The copy makes a frame in one piece.

blue_first = np.ascontiguousarray(frames[0][..., ::-1])
print(blue_first.flags.c_contiguous, frames.shape[2:0:-1])
# => True (6, 4)

# %%
# H.264 in ``yuv420p`` wants an even height and width. For frames to floats see :doc:`/gallery/12_files/video_frames`.
