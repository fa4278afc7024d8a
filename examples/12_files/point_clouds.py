"""
Point cloud to and from a tensor: Open3D, trimesh, KITTI .bin
=============================================================

``o3d.utility.Vector3dVector`` takes an array of shape (N, 3), stored as ``float64``:
``points.detach().cpu().numpy().reshape(-1, 3).astype(np.float64)``. The way back is
``torch.from_numpy(np.asarray(cloud.points)).float()``.
"""

# sphinx_gallery_tags = ["open3d", "trimesh", "kitti", "lidar", "mesh", "float64", "point-cloud", "3d", "ply"]

import tempfile
from pathlib import Path

import numpy as np
import torch

# %%
# A model predicts ``float32`` points, perhaps one for each pixel. Open3D and trimesh keep ``float64``.

predicted = torch.rand(1, 4, 5, 3, requires_grad=True)
points = predicted.detach().cpu().numpy().reshape(-1, 3).astype(np.float64)
print(points.shape, points.dtype, points.flags.c_contiguous)
# => (20, 3) float64 True

# %%
# With the channels first, move them to the end before the reshape: otherwise the coordinates of different
# points are mixed.

first = predicted.detach().movedim(-1, 1)
print(np.array_equal(first.movedim(1, -1).reshape(-1, 3).numpy(), points))
# => True
print(np.array_equal(first.reshape(-1, 3).numpy(), points))
# => False

# %%
# Open3D wants colours as floats from 0 to 1. Drop invalid points together with their colours.

colours = torch.randint(0, 256, (20, 3), dtype=torch.uint8)
points[0] = np.nan
valid = np.isfinite(points).all(axis=1)
kept, shades = points[valid], (colours.numpy() / 255)[valid]
print(kept.shape, shades.shape, shades.dtype)
# => (19, 3) (19, 3) float64

# %%
# Back to torch: ``np.asarray(cloud.points)`` of Open3D is a view of the cloud, and ``mesh.vertices`` of trimesh
# a subclass of ``ndarray``. ``float`` copies ``float64``, so the tensor does not depend on them. Faces are
# ``int64`` in trimesh and ``int32`` in Open3D.

vertices = torch.from_numpy(np.asarray(kept)).float()
faces = torch.from_numpy(np.array([[0, 1, 2]])).long()
print(vertices.dtype, vertices[faces].shape)
# => torch.float32 torch.Size([1, 3, 3])

# %%
# A ``.bin`` of KITTI has four ``float32`` per point: x, y, z and the intensity.

path = Path(tempfile.mkdtemp()) / "000000.bin"
np.arange(8, dtype=np.float32).tofile(path)
scan = torch.from_numpy(np.fromfile(path, dtype=np.float32).reshape(-1, 4))
print(scan[:, :3])
# => tensor([[0., 1., 2.],
# =>         [4., 5., 6.]])
