"""
Keras weights to PyTorch: which axes to transpose
=================================================

A ``Dense`` kernel becomes ``kernel.T``, and a ``Conv2D`` kernel ``kernel.transpose(3, 2, 0, 1)``, because
``Linear`` and ``Conv2d`` keep the outputs first. Compare an output afterwards: square kernels fit either way.
"""

# sphinx_gallery_tags = ["keras", "weights", "modules", "transpose"]

import numpy as np
import torch

rng = np.random.default_rng(0)

# %%
# Dense to Linear
# ---------------
#
# Keras stores the kernel of a dense layer as inputs by outputs, so its layer computes ``x @ kernel +
# bias``. The weight of ``torch.nn.Linear`` is outputs by inputs.

kernel = rng.random((4, 4), dtype=np.float32)
bias = rng.random(4, dtype=np.float32)
x = rng.random((2, 4), dtype=np.float32)
linear = torch.nn.Linear(4, 4)
linear.load_state_dict({"weight": torch.from_numpy(kernel.T), "bias": torch.from_numpy(bias)})
print(np.allclose(linear(torch.from_numpy(x)).detach(), x @ kernel + bias))
# => True

# %%
# Without the transpose this kernel fits as well, because it is square, and the outputs are wrong.
# Compare an output of both models.

linear.load_state_dict({"weight": torch.from_numpy(kernel), "bias": torch.from_numpy(bias)})
print(np.allclose(linear(torch.from_numpy(x)).detach(), x @ kernel + bias))
# => False

# %%
# Conv2D to Conv2d
# ----------------
#
# The kernel of ``Conv2D`` has height, width, inputs and outputs, that of ``Conv2d`` outputs,
# inputs, height and width. ``kernel.T`` would also exchange height and width.

kernel = rng.random((3, 3, 2, 5), dtype=np.float32)
images = rng.random((1, 6, 6, 2), dtype=np.float32)
windows = np.lib.stride_tricks.sliding_window_view(images, (3, 3), axis=(1, 2))
expected = np.einsum("nhwcij,ijco->nhwo", windows, kernel)

conv = torch.nn.Conv2d(2, 5, 3, bias=False)
conv.load_state_dict({"weight": torch.from_numpy(kernel.transpose(3, 2, 0, 1))})
channels_first = torch.from_numpy(images).permute(0, 3, 1, 2)
output = conv(channels_first).permute(0, 2, 3, 1)
print(np.allclose(output.detach(), expected, atol=1e-5))
# => True
conv.load_state_dict({"weight": torch.from_numpy(kernel.T)})
print(np.allclose(conv(channels_first).permute(0, 2, 3, 1).detach(), expected, atol=1e-5))
# => False

# %%
# A dense layer behind ``Flatten`` has its inputs in the order height, width, channels. Permute before you flatten
# in torch, or reorder the rows of the kernel.

flat = channels_first.permute(0, 2, 3, 1).flatten(1)
print(np.array_equal(flat, images.reshape(1, -1)))
# => True
print(np.array_equal(channels_first.flatten(1), images.reshape(1, -1)))
# => False
