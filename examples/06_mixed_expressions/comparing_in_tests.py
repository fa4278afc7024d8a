"""
Compare tensor and array in tests: assert_close, assert_allclose
================================================================

``np.testing.assert_allclose`` compares a tensor with an array and ignores dtypes.
``torch.testing.assert_close`` raises for a tensor and an array, and checks the dtype of two
tensors.
"""

# sphinx_gallery_tags = ["comparison", "testing", "dtype", "error"]

import numpy as np
import torch

# %%
# :func:`torch.testing.assert_close` compares two tensors or two arrays of numbers. For a tensor and
# an array it raises, even if all values are equal.

tensor = torch.tensor([0.5, 1.5])
array = np.array([0.5, 1.5])
try:
    torch.testing.assert_close(tensor, array)
except TypeError as error:
    print("No comparison pair" in str(error))
# => True

# %%
# It also checks the dtype. This helps in tests: you notice a ``float64`` array from NumPy that
# slips into a model.

try:
    torch.testing.assert_close(tensor, torch.from_numpy(array))
except AssertionError as error:
    print(error)
# => The values for attribute 'dtype' do not match: torch.float32 != torch.float64.

# %%
# Pass ``check_dtype=False`` to allow different dtypes. The values of these two are then compared in
# ``float64``.

torch.testing.assert_close(tensor, torch.from_numpy(array), check_dtype=False)

# %%
# :func:`numpy.testing.assert_allclose` converts both sides, so it accepts this tensor and this
# array, whose dtypes differ. It raises for a tensor that requires a gradient, as ``numpy()`` does.

np.testing.assert_allclose(tensor, array)
try:
    np.testing.assert_allclose(tensor.requires_grad_(), array)
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
tensor.requires_grad_(False)

# %%
# The two functions use different tolerances. NumPy's default is too strict for the ``float32``
# rounding here; torch `chooses by dtype <https://docs.pytorch.org/docs/stable/testing.html>`__.

thirds = torch.tensor([1.0, 2.0]) / 3
shifted = thirds * (1 + 3e-7)
torch.testing.assert_close(shifted, thirds)
try:
    np.testing.assert_allclose(shifted, thirds)
except AssertionError as error:
    print("rtol=1e-07" in str(error))
# => True
np.testing.assert_allclose(shifted, thirds, rtol=1e-6)

# %%
# For NumPy's function NaN equals NaN; for torch's, pass ``equal_nan=True``.

missing = torch.tensor([float("nan")])
np.testing.assert_allclose(missing, missing)
try:
    torch.testing.assert_close(missing, missing)
except AssertionError as error:
    print(str(error).splitlines()[0])
# => Tensor-likes are not close!
torch.testing.assert_close(missing, missing, equal_nan=True)

# %%
# :func:`torch.allclose` raises for a tensor and an array, and for two different dtypes.

try:
    torch.allclose(tensor, array)
except TypeError as error:
    print(error)
# => allclose(): argument 'other' (position 2) must be Tensor, not numpy.ndarray
try:
    torch.allclose(tensor, torch.from_numpy(array))
except RuntimeError as error:
    print(error)
# => Float did not match Double
