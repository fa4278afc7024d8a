"""
DICOM pixels to Hounsfield units in a float tensor
==================================================

``torch.from_numpy(pixel_array.astype(np.float32)) * slope + intercept`` gives Hounsfield units of a CT. Cast
first, since the stored integers are often unsigned; then clip to a window, and scale it to 0..1.
"""

# sphinx_gallery_tags = ["dicom", "pydicom", "ct", "medical", "windows", "overflow", "uint16", "int16"]

import numpy as np
import torch

# %%
# pydicom's ``pixel_array`` has the stored numbers, often ``uint16``. ``RescaleSlope`` and
# ``RescaleIntercept`` of a CT file turn them into Hounsfield units, in which air is -1000 and water 0.

pixel_array = np.array([[24, 1024], [1224, 2024]], dtype=np.uint16)
slope, intercept = 1.0, -1024.0
units = torch.from_numpy(pixel_array.astype(np.float32)) * slope + intercept
print(units)
# => tensor([[-1000.,     0.],
# =>         [  200.,  1000.]])

# %%
# In ``uint16`` this subtraction wraps around. With pydicom's own slope and intercept, which are floats, NumPy
# calculates in ``float64`` instead.

print(pixel_array - np.uint16(1024))
# => [[64536     0]
# =>  [  200  1000]]

# %%
# A window keeps the tissue of interest. This is -160 to 240, scaled to 0..1 for a model.

low, high = -160, 240
scaled = (units.clamp(low, high) - low) / (high - low)
print(scaled)
# => tensor([[0.0000, 0.4000],
# =>         [0.9000, 1.0000]])

# %%
# For a PNG, scale to 0..255 after the window.

picture = scaled.mul(255).round().to(torch.uint8).numpy()
print(picture.dtype, picture.max())
# => uint8 255

# %%
# ``int16`` holds whole Hounsfield units in half the memory of ``float32``. Convert a batch to floats in front
# of the model.

stored = units.to(torch.int16)
print(torch.equal(stored.float(), units), stored.element_size())
# => True 2

# %%
# Sort the slices of an axial series by ``ImagePositionPatient[2]``, stack them, and add the axis of channels.
# If ``PhotometricInterpretation`` is ``MONOCHROME1``, invert: white and black are swapped.

slices = [(2.5, picture), (0.0, 255 - picture)]
volume = np.stack([image for _, image in sorted(slices, key=lambda pair: pair[0])])
print(torch.from_numpy(volume)[None].shape, volume[1, 1, 1])
# => torch.Size([1, 2, 2, 2]) 255
