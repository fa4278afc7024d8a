"""
savefig gives a blank picture, or cv2.imwrite swaps the colours
===============================================================

Call ``savefig`` before ``plt.show()``: once its window is closed, ``plt.savefig`` writes a new, empty figure.
matplotlib's ``imshow`` wants RGB and ``cv2.imwrite`` BGR, so an array that shows well is saved with red and
blue swapped.
"""

# sphinx_gallery_tags = ["matplotlib", "opencv", "image", "savefig", "imshow", "imwrite", "bgr", "colours"]

import io

import cv2
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import torch

mpl.use("Agg")

# %%
# In a script with a window, ``plt.show()`` waits until you close it, and then pyplot forgets the figure.
# ``plt.close`` stands for that here. The pixels say whether a picture is blank.


def save(target):
    file = io.BytesIO()
    target.savefig(file, format="png")
    return cv2.imdecode(np.frombuffer(file.getvalue(), np.uint8), cv2.IMREAD_COLOR)


figure, axes = plt.subplots()
axes.imshow(torch.rand(8, 8).numpy())
print("before", save(plt).std() > 0)
# => before True
plt.close(figure)
print("after", save(plt).std() > 0)
# => after False
plt.close("all")

# %%
# A figure that you keep can be saved at a later time: call the method of the figure, not of ``plt``.

print("figure.savefig", save(figure).std() > 0)
# => figure.savefig True

# %%
# Colours
# -------
#
# OpenCV reads and writes BGR. Convert for matplotlib, and write the array as OpenCV read it.

bgr = np.zeros((2, 2, 3), dtype=np.uint8)
bgr[..., 2] = 255  # red
rgb = cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB)


def write(array):
    return cv2.imdecode(cv2.imencode(".png", array)[1], cv2.IMREAD_COLOR)


print(np.array_equal(write(bgr), bgr), np.array_equal(write(rgb), bgr))
# => True False

# %%
# A picture of a model or from Pillow is RGB: turn it to BGR before ``imwrite``.

predicted = torch.tensor([1.0, 0.0, 0.0])[:, None, None].expand(3, 2, 2)
array = predicted.permute(1, 2, 0).mul(255).byte().numpy()
print(np.array_equal(write(cv2.cvtColor(array, cv2.COLOR_RGB2BGR)), bgr))
# => True

# %%
# ``plt.imsave(path, array)`` and ``Image.fromarray(array).save(path)`` take ``uint8`` RGB, and save the pixels
# without axes.

file = io.BytesIO()
plt.imsave(file, array, format="png")
print(cv2.imdecode(np.frombuffer(file.getvalue(), np.uint8), cv2.IMREAD_COLOR)[0, 0])
# => [  0   0 255]
