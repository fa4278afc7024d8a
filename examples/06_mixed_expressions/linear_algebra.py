"""
svd, eigh, inv: why torch and NumPy give other signs or digits
==============================================================

Eigenvectors and singular vectors are right with either sign, so compare products such as ``U @ diag(S) @ Vh``.
Other digits often come from ``float32``, torch's default, against ``float64`` in NumPy.
"""

# sphinx_gallery_tags = ["linalg", "svd", "eigenvectors", "inverse", "sign", "precision", "pca", "cov"]

import numpy as np
import torch

# %%
# On the CPU both libraries call LAPACK, and each may return a vector or its negative. The product is the
# same.

array = np.random.default_rng(0).standard_normal((4, 3))
tensor = torch.from_numpy(array)
u, s, vh = torch.linalg.svd(tensor, full_matrices=False)
un, sn, vhn = np.linalg.svd(array, full_matrices=False)
print(np.allclose(s, sn), np.allclose(u.abs(), np.abs(un)))
# => True True
print(torch.allclose(u @ s.diag() @ vh, tensor))
# => True

# %%
# To get the same signs from both, make the largest entry of each vector positive. If you go on to use ``U``,
# multiply its columns by the same signs: otherwise the product changes.


def fix_signs(vh):
    largest = np.take_along_axis(vh, np.abs(vh).argmax(axis=1)[:, None], axis=1)
    return vh * np.sign(largest)


print(np.allclose(fix_signs(vh.numpy()), fix_signs(vhn)))
# => True

# %%
# ``torch.linalg.svd`` returns ``Vh`` as NumPy does, and takes ``full_matrices``. The older ``torch.svd``
# returns ``V``, the transpose of ``Vh``, and by default the reduced matrices.

print(torch.svd(tensor).V.shape, torch.allclose(torch.svd(tensor).V.T.abs(), vh.abs()))
# => torch.Size([3, 3]) True

# %%
# An inverse in ``float32`` has at most about seven right digits, and fewer for an ill-conditioned matrix.
# With ``float64`` in both, the difference is rounding.

square = array[:3]
difference = torch.linalg.inv(torch.from_numpy(square)).numpy() - np.linalg.inv(square)
single = torch.linalg.inv(torch.from_numpy(square).float()).numpy() - np.linalg.inv(square)
print(np.abs(difference).max() < 1e-12, np.abs(single).max() < 1e-4)
# => True True

# %%
# ``solve`` is usually more exact than a product with the inverse, in both.

b = np.ones(3)
solution = torch.linalg.solve(torch.from_numpy(square), torch.from_numpy(b))
print(np.allclose(solution, np.linalg.solve(square, b)))
# => True

# %%
# ``torch.cov`` and ``np.cov`` take variables as rows, so transpose a table of samples.

print(torch.allclose(torch.cov(tensor.T), torch.from_numpy(np.cov(array, rowvar=False))))
# => True
