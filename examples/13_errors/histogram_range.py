"""
ValueError: autodetected range of [nan, nan] is not finite
==========================================================

``np.histogram`` got NaN or infinity, as from ``wandb.Histogram``, or ``add_histogram`` of TensorBoard with
``bins="auto"``, when a loss or a gradient has become NaN: keep the finite values, and look for the cause.

.. fix::

   - np.histogram(gradient)
   + np.histogram(gradient[np.isfinite(gradient)])
"""

# sphinx_gallery_tags = ["tensorboard", "logging", "gradient", "numpy", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# The writers of TensorBoard and Weights & Biases convert the tensor and call NumPy. The message tells the
# smallest and the largest value that it found. The default bins of ``add_histogram`` leave NaN out.

gradient = torch.tensor([0.5, float("nan")]).numpy()
try:
    np.histogram(gradient)
except ValueError as error:
    print(error)
# => autodetected range of [nan, nan] is not finite
try:
    np.histogram(np.array([0.5, np.inf]))
except ValueError as error:
    print(error)
# => autodetected range of [0.5, inf] is not finite

# %%
# With the default bins of TensorBoard, a tensor in which no value is finite has another message: ``The
# histogram is empty, please file a bug report.``

# %%
# The fix
# -------
#
# Log the finite values, and how many were not.

counts, edges = np.histogram(gradient[np.isfinite(gradient)])
print(counts.sum(), np.count_nonzero(~np.isfinite(gradient)))
# => 1 1

# %%
# NaN in gradients often comes from the training: too high a learning rate, ``log(0)``, a division by 0 or
# ``float16``. ``torch.autograd.set_detect_anomaly(True)`` names the operation, and ``isfinite`` the step.

loss = torch.tensor(float("nan"))
if not torch.isfinite(loss):
    print("stop here")
# => stop here

# %%
# Other tensors in a histogram
# ----------------------------
#
# Convert what you log with one expression: detached, on the CPU and as ``float32``.

weights = torch.ones(3, dtype=torch.bfloat16, requires_grad=True)
print(np.histogram(weights.detach().cpu().float().numpy())[0].sum())
# => 3

# %%
# ``torch.histc``, which ``wandb.watch`` calls, refuses ``int8`` weights without ``float()``. Newer releases of
# wandb convert them. ``wandb.watch(model, log=None)`` turns the histograms off, and so does ``WANDB_WATCH=false``
# for the Trainer of transformers.

try:
    torch.histc(torch.ones(3, dtype=torch.int8), bins=2)
except NotImplementedError as error:
    print(error)
# => "histogram_cpu" not implemented for 'Char'

# %%
# An old ``add_histogram`` calls NumPy like this, which NumPy 1.24 refuses: upgrade torch, or install
# ``numpy<1.24``, which needs Python 3.11 or older.

try:
    np.greater(np.arange(3), 0, dtype=np.int32)
except TypeError as error:
    print(error)
# => No loop matching the specified signature and casting was found for ufunc greater

# %%
# A parameter without a gradient is ``None``: :doc:`/gallery/13_errors/none_attribute`.

# %%
# What does not help
# ------------------
#
# ``nan_to_num`` turns NaN into 0, and infinity into a huge number. Beside that, the finite values fall into
# one bar.

print(np.histogram(np.nan_to_num(np.array([0.5, np.inf], dtype=np.float32)))[0])
# => [1 0 0 0 0 0 0 0 0 1]
