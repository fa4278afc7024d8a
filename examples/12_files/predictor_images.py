"""
Batch tensor to images for SAM and other one-image predictors
=============================================================

``SamAutomaticMaskGenerator.generate`` and ``SamPredictor.set_image`` take one ``uint8`` RGB array of shape
(H, W, 3). Loop over the batch: channels last, times 255, round, ``uint8``, ``cpu().numpy()``.
"""

# sphinx_gallery_tags = ["sam", "segment-anything", "mediapipe", "face", "image", "batch", "uint8", "gradio", "streamlit"]

import numpy as np
import torch

# %%
# A batch (N, 3, H, W) of floats from 0 to 1 becomes a list of arrays. The same image suits Gradio, Streamlit
# and MediaPipe.


def to_images(batch):
    scaled = batch.detach().clamp(0, 1).mul(255).round().to(torch.uint8)
    return list(scaled.permute(0, 2, 3, 1).cpu().numpy())


batch = torch.rand(16, 3, 8, 10)
images = to_images(batch)
print(len(images), images[0].shape, images[0].dtype)
# => 16 (8, 10, 3) uint8

# %%
# These arrays are views with other strides than a C array. Code in C may ask for contiguous memory, as
# ``cv2.circle`` does.

print(images[0].flags.c_contiguous, np.ascontiguousarray(images[0]).flags.c_contiguous)
# => False True

# %%
# ``generate`` returns a list of dictionaries, each with a mask under ``"segmentation"``: a ``bool`` array (H,
# W). Stack them into a tensor.

masks = [image[..., 0] > 127 for image in images]
print(torch.from_numpy(np.stack(masks)).shape)
# => torch.Size([16, 8, 10])

# %%
# Grey images need three channels. Bring a batch that was normalised by mean and standard deviation back to 0..1
# first: :doc:`/gallery/12_files/normalised_images`.

print(to_images(torch.rand(1, 1, 8, 10).expand(-1, 3, -1, -1))[0].shape)
# => (8, 10, 3)

# %%
# The way in, from a ``uint8`` array such as Gradio gives to a model.

tensor = torch.from_numpy(images[0].copy()).permute(2, 0, 1)[None].float() / 255
print(tensor.shape, tensor.max() <= 1)
# => torch.Size([1, 3, 8, 10]) tensor(True)
