"""
Log a tensor: one number for TensorBoard, Lightning, wandb and MLflow
=====================================================================

A logged metric is one number: pass ``loss.item()``, or ``values.mean().item()`` of several. Images
and histograms take arrays: ``tensor.detach().cpu().float().numpy()``.
"""

# sphinx_gallery_tags = ["logging", "tensorboard", "lightning", "scalar", "json", "error"]

import json

import numpy as np
import torch

# %%
# One number
# ----------
#
# ``item()`` makes a Python number of a tensor or an array with one element. It copies from a GPU, and
# leaves the graph behind. JSON wants such a number; MLflow and
# Optuna convert a tensor with one element themselves.

loss = torch.tensor(0.25, requires_grad=True) * 2
print(json.dumps({"loss": loss.item()}), type(np.float32(0.5).item()).__name__)
# => {"loss": 0.5} float
try:
    json.dumps({"loss": loss})
except TypeError as error:
    print(error)
# => Object of type Tensor is not JSON serializable

# %%
# ``item()`` refuses several values. Lightning says ``the tensor must have a single element`` or ``The metric does
# not contain a single element, thus it cannot be converted to a scalar``, TensorBoard ``Tensor should contain one
# element`` (older releases ``scalar should be 0D``), and Optuna ``could not be cast to float``. Reduce them first.

per_class = torch.tensor([0.5, 0.75])
try:
    per_class.item()
except RuntimeError as error:
    print(error)
# => a Tensor with 2 elements cannot be converted to Scalar
print(
    per_class.mean().item(), {f"accuracy/{i}": value for i, value in enumerate(per_class.tolist())}
)
# => 0.625 {'accuracy/0': 0.5, 'accuracy/1': 0.75}

# %%
# Arrays in ``self.log``
# ----------------------
#
# ``self.log`` of Lightning takes numbers, tensors and metrics. An array is refused with ```ndarray` values
# cannot be logged``; log a matrix of confusion as an image instead.

confusion = np.array([[3, 1], [0, 4]])
print(torch.from_numpy(confusion).float().div(confusion.sum()).diagonal().sum())
# => tensor(0.8750)

# %%
# A tensor of ``float64``, as from NumPy, fails on an Apple GPU
# (:doc:`/gallery/13_errors/float64_on_mps`): pass a Python number, or ``torch.tensor(value,
# dtype=torch.float32)``. With ``sync_dist=True`` and NCCL the tensor has to be on the GPU:
# :doc:`/gallery/13_errors/no_backend_type`.

print(torch.tensor(np.float64(0.5), dtype=torch.float32).dtype)
# => torch.float32

# %%
# Text
# ----
#
# A format such as ``:.4f`` wants one number too.

for value in (per_class, per_class.numpy()):
    try:
        print(f"{value:.4f}")
    except TypeError as error:
        print(error)
# => unsupported format string passed to Tensor.__format__
# => unsupported format string passed to numpy.ndarray.__format__
print(f"{per_class.mean():.4f}", f"{per_class.numpy().mean():.4f}")
# => 0.6250 0.6250
try:
    round(loss)
except TypeError as error:
    print(error)
# => type Tensor doesn't define __round__ method
print(round(loss.item(), 2))
# => 0.5

# %%
# Images and lists
# ----------------
#
# ``add_image`` takes channels, height, width, and ``size of input tensor and input format are
# different`` says that an axis is missing or that there is a batch. Add the axis, or pass
# ``dataformats="HW"`` or ``"HWC"``.

mask = torch.zeros(4, 5)
print(mask[None].shape, torch.zeros(2, 3, 4, 5)[0].shape)
# => torch.Size([1, 4, 5]) torch.Size([3, 4, 5])

# %%
# ``add_histogram`` takes a tensor or an array. ``Got <class 'list'>, but numpy array or torch tensor are
# expected`` is answered by ``np.array``, and NaN by :doc:`/gallery/13_errors/histogram_range`.

print(np.array([0.5, 0.25]).shape)
# => (2,)

# %%
# ``wandb.Image`` makes a Pillow image of a mask: for its dtypes see :doc:`/gallery/13_errors/pillow_data_type`.
