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
# A CPU tensor is taken as it is. The line keeps an array of its own, so the plot does not follow
# later changes.

figure, axes = plt.subplots()
losses = torch.tensor([3.0, 2.0, 1.5])
(line,) = axes.plot(losses)
losses[0] = 100
print(type(line.get_ydata()), line.get_ydata())
# => <class 'numpy.ndarray'> [3.  2.  1.5]

# %%
# Most of what a model returns is refused: it requires grad, is bfloat16 from autocast, or is on
# another device. The conversion that fails is ``numpy()``, so the messages are those of
# :doc:`/gallery/13_errors/numpy_requires_grad` and its neighbours.

weights = torch.ones(2, requires_grad=True)
for values in [weights * 2, weights.detach().bfloat16()]:
    try:
        axes.plot(values)
    except (RuntimeError, TypeError) as error:
        print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
# => Got unsupported ScalarType BFloat16

# %%
# One helper takes them all, from any device. ``float()`` is there for bfloat16, and makes float32
# of the other dtypes too.


def plottable(tensor):
    return tensor.detach().cpu().float().numpy()


for values in [weights * 2, weights.detach().bfloat16(), torch.tensor([1, 2])]:
    (line,) = axes.plot(plottable(values))
    print(line.get_ydata())
# => [2. 2.]
# => [1. 1.]
# => [1. 2.]

# %%
# A list of losses fails for the same reason as one loss. Collect numbers, with
# :meth:`torch.Tensor.item`, and the list also stops holding the graph of every step.

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
# A histogram looks at the shape. A matrix is one data set per column, in tensor and array alike, so
# flatten it to see all values together.

matrix = torch.arange(6.0).reshape(3, 2)
counts, edges, bars = axes.hist(matrix, bins=2)
print(np.shape(counts))
# => (2, 2)
counts, edges, bars = axes.hist(matrix.flatten(), bins=2)
print(np.shape(counts), counts)
# => (2,) [3. 3.]
