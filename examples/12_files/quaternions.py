"""
SciPy Rotation and tensors: x, y, z, w order, float64, no gradient
==================================================================

``Rotation.from_quat`` takes arrays with the scalar last, as ``float64``: reorder a tensor that has w first with
``q[:, [1, 2, 3, 0]]``. By default its results are arrays, so no gradient flows through them.
"""

# sphinx_gallery_tags = ["scipy", "rotation", "quaternion", "pose", "matrix", "robotics", "float64", "wxyz", "xyzw"]

import numpy as np
import torch
from scipy.spatial.transform import Rotation

# %%
# PyTorch3D, MuJoCo and nuScenes put w first, SciPy and ROS put it last. The wrong order does not raise, since
# it is a valid rotation too. SciPy 1.14 added ``scalar_first=True``.

w_first = torch.tensor([[0.5**0.5, 0.0, 0.0, 0.5**0.5]])
turned = Rotation.from_quat(w_first[:, [1, 2, 3, 0]].numpy())
print(turned.as_euler("xyz", degrees=True).round())
# => [[ 0.  0. 90.]]

# %%
# ``as_matrix`` gives ``float64``. Cast it for a model.

matrix = torch.from_numpy(turned.as_matrix()).float()
print(matrix.shape, matrix.dtype)
# => torch.Size([1, 3, 3]) torch.float32

# %%
# Back to a tensor with w first: ``roll`` moves the last column to the front.

back = torch.from_numpy(turned.as_quat()).float().roll(1, dims=-1)
print(torch.allclose(back, w_first))
# => True

# %%
# A quaternion and its negative are the same rotation. Compare matrices, or the absolute value of the dot
# product.

print(np.allclose(Rotation.from_quat(-turned.as_quat()).as_matrix(), matrix.numpy()))
# => True

# %%
# Where a loss needs the gradient, write the matrix in torch. SciPy 1.17 can take tensors and keep the gradient
# if ``SCIPY_ARRAY_API=1`` is set before it is imported.


def to_matrix(q):
    w, x, y, z = torch.nn.functional.normalize(q, dim=-1).unbind(-1)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return torch.stack([torch.stack(row, -1) for row in rows], -2)


q = w_first.clone().requires_grad_()
own = to_matrix(q)
print(torch.allclose(own, matrix, atol=1e-6), own.requires_grad)
# => True True
