"""
GeoTIFF bands of rasterio to a tensor: uint16, nodata, float32
==============================================================

``torch.from_numpy(src.read().astype(np.float32))`` gives (bands, height, width), channels first already.
Replace ``src.nodata`` by ``nan`` or 0 after the cast, and keep a mask of the valid pixels.
"""

# sphinx_gallery_tags = ["rasterio", "geotiff", "satellite", "sentinel", "nodata", "torchgeo", "uint16", "bands", "mask"]

import numpy as np
import torch

# %%
# ``src.read()`` of rasterio returns (bands, height, width), often ``uint16``. This array stands for it, with 0
# for pixels without data.

nodata = 0
bands = np.array([[[0, 1200], [3000, 10000]], [[0, 800], [2500, 9000]]], dtype=np.uint16)
image = torch.from_numpy(bands.astype(np.float32))
print(image.shape, image.dtype)
# => torch.Size([2, 2, 2]) torch.float32

# %%
# Take the mask from the integers: a pixel is invalid if a band has no data there.

valid = torch.from_numpy((bands != nodata).all(axis=0))
print(valid)
# => tensor([[False,  True],
# =>         [ True,  True]])

# %%
# Statistics per band leave the invalid pixels out, and the model gets 0 for them after the normalisation.

values = image[:, valid]
mean, std = values.mean(1)[:, None, None], values.std(1)[:, None, None]
x = torch.where(valid, (image - mean) / std, 0)
print(x[:, 0, 0], x[:, valid].mean(1).abs().max() < 1e-6)
# => tensor([0., 0.]) tensor(True)

# %%
# Reflectances of Sentinel-2 are stored times 10,000. Divide by that, not by 255 or by the maximum of the
# tile, which differs from tile to tile. Products since January 2022 also have `an offset
# <https://github.com/microsoft/PlanetaryComputerExamples/pull/247>`__: subtract 1,000 first, unless your
# provider has done so.

print((image / 10_000)[:, 1, 1])
# => tensor([1.0000, 0.9000])

# %%
# A nodata value such as -9999 or ``nan`` stays in the sums if you forget it. ``uint16`` cannot hold a
# negative one, and rasterio refuses it: use ``int32`` or floats.

elevation = torch.tensor([120.0, -9999.0, 130.0])
print(elevation.mean(), elevation.where(elevation != -9999, torch.nan).nanmean())
# => tensor(-3249.6667) tensor(125.)

# %%
# To show it, pick three bands, put the channels last, and scale: :doc:`/gallery/12_files/imshow_channels`. To
# write a prediction, give rasterio an array (bands, height, width) in the dtype of its profile: it casts
# others without a warning.

prediction = (x.argmax(0) + 1).to(torch.uint8)[None].numpy()
print(prediction.shape, prediction.dtype)
# => (1, 2, 2) uint8
