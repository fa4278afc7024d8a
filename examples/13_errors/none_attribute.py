"""
AttributeError: 'NoneType' object has no attribute 'numpy'
==========================================================

The value is ``None``, and the line that made it tells why: a gradient that ``backward`` has not
filled, a function without ``return``, or an image that ``cv2.imread`` did not find.

.. fix::

   - inputs.grad.numpy()
   - image.shape
   + if image is None:
   +     print("OpenCV could not read missing.png")
   + inputs.requires_grad_()
   + gradient = inputs.grad.numpy()
"""

# sphinx_gallery_tags = ["gradient", "opencv", "numpy", "error"]

import cv2
import numpy as np
import torch

# %%
# The error
# ---------
#
# ``.grad`` is ``None`` until ``backward`` fills it. It stays ``None`` here, because these inputs were
# created without ``requires_grad``.

layer = torch.nn.Linear(3, 1)
inputs = torch.from_numpy(np.ones((2, 3), dtype=np.float32))
layer(inputs).sum().backward()
try:
    inputs.grad.numpy()
except AttributeError as error:
    print(error)
# => 'NoneType' object has no attribute 'numpy'

# %%
# A parameter that the loss did not use keeps ``None`` as well. Loops that log the gradients of a model, as in
# ``writer.add_histogram(name, value.grad.data.cpu().numpy())``, can meet such a parameter.

unused = torch.nn.Linear(3, 3)
try:
    unused.weight.grad.data
except AttributeError as error:
    print(error)
# => 'NoneType' object has no attribute 'data'

# %%
# ``to`` with another dtype returns a new tensor, and so does ``view``. Gradients are kept for the
# tensor that you created with ``requires_grad``, not for what was computed from it.

leaf = torch.ones(3, requires_grad=True)
moved = leaf.to(torch.float64)
moved.sum().backward()
print(moved.is_leaf, leaf.grad)
# => False tensor([1., 1., 1.])

# %%
# ``cv2.imread`` returns ``None`` for a file that it does not find, and does not raise. The line that
# asks for ``shape``, ``astype`` or ``copy`` does.

cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
image = cv2.imread("missing.png")
try:
    image.shape
except AttributeError as error:
    print(error)
# => 'NoneType' object has no attribute 'shape'

# %%
# The same happens with a function of your own that has no ``return``, such as a transform in a dataset.


def to_tensor(array):
    torch.from_numpy(array)


try:
    to_tensor(np.ones(2)).cpu()
except AttributeError as error:
    print(error)
# => 'NoneType' object has no attribute 'cpu'

# %%
# The fix
# -------
#
# An image: test for ``None`` after ``cv2.imread``, so that the message names the file. A gradient: ask for
# it before the forward pass.

if image is None:
    print("OpenCV could not read missing.png")
# => OpenCV could not read missing.png
inputs.requires_grad_()
layer(inputs).sum().backward()
gradient = inputs.grad.numpy()
print(gradient.shape)
# => (2, 3)

# %%
# For a tensor that was computed from another one, call ``retain_grad()`` before ``backward``.

moved = leaf.to(torch.float64)
moved.retain_grad()
moved.sum().backward()
print(moved.grad.numpy())
# => [1. 1. 1.]

# %%
# Skip the parameters without a gradient when you log them.

for name, value in [*layer.named_parameters(), *unused.named_parameters()]:
    if value.grad is not None:
        print(name, value.grad.detach().cpu().numpy().shape)
# => weight (1, 3)
# => bias (1,)

# %%
# The fields of some results are ``None`` if the model gave nothing of that kind. ``results[0].masks`` of
# ultralytics is ``None`` if no object was found, and for a model without segmentation: test it
# before ``.data``.
