"""
Plot a tensor with matplotlib
=============================

A plain CPU tensor goes to matplotlib as it is; call ``tensor.detach().cpu().float().numpy()`` if it
requires grad, is ``bfloat16`` or is on another device.
"""

# sphinx_gallery_tags = ["matplotlib", "plotting", "error"]

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import torch

# %%
# Pass a CPU tensor directly. The line keeps its own array, so the plot does not change with the
# tensor.

figure, axes = plt.subplots()
losses = torch.tensor([3.0, 2.0, 1.5])
(line,) = axes.plot(losses)
losses[0] = 100
print(type(line.get_ydata()), line.get_ydata())
# => <class 'numpy.ndarray'> [3.  2.  1.5]

# %%
# Outputs of a model raise if they require gradients, are ``bfloat16`` from autocast, or are on a
# GPU. Matplotlib calls ``numpy()``, so the messages are those of
# :doc:`/gallery/13_errors/numpy_requires_grad` and similar pages.

weights = torch.ones(2, requires_grad=True)
for values in [weights * 2, weights.detach().bfloat16()]:
    try:
        axes.plot(values)
    except (RuntimeError, TypeError) as error:
        print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
# => Got unsupported ScalarType BFloat16

# %%
# One helper function converts tensors from a GPU too. ``float()`` is needed for ``bfloat16`` and
# makes ``float32`` of other dtypes as well.


def plottable(tensor):
    return tensor.detach().cpu().float().numpy()


for values in [weights * 2, weights.detach().bfloat16(), torch.tensor([1, 2])]:
    (line,) = axes.plot(plottable(values))
    print(line.get_ydata())
# => [2. 2.]
# => [1. 1.]
# => [1. 2.]

# %%
# A list of losses raises for the same reason. Collect numbers with :meth:`torch.Tensor.item`; the
# list then no longer keeps the graphs of the steps alive.

history = [(weights * step).sum() for step in range(3)]
try:
    axes.plot(history)
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
(line,) = axes.plot([loss.item() for loss in history])
print(line.get_ydata())
# => [0. 2. 4.]

# %%
# ``hist`` treats each column of a matrix as a data set, for tensors and arrays. Flatten the matrix
# to see the values together.

matrix = torch.arange(6.0).reshape(3, 2)
counts, edges, bars = axes.hist(matrix, bins=2)
print(np.shape(counts))
# => (2, 2)
counts, edges, bars = axes.hist(matrix.flatten(), bins=2)
print(np.shape(counts), counts)
# => (2,) [3. 3.]
