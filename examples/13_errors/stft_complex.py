"""
RuntimeError: stft requires the return_complex parameter be given
=================================================================

Pass ``return_complex=True``, give the complex numbers to ``istft``, and use ``torch.view_as_real`` where
code expects two real numbers.

.. fix::

   - torch.stft(wave, n_fft=4, window=window)
   + spectrum = torch.stft(wave, n_fft=4, window=window, return_complex=True)
   + pairs = torch.view_as_real(spectrum)
   + restored = torch.istft(torch.view_as_complex(pairs), n_fft=4, window=window)
"""

# sphinx_gallery_tags = ["audio", "complex", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# Older code calls ``stft`` without ``return_complex`` and expects a last axis of length two, with the real
# and the imaginary part. The message asks for a decision.

wave = torch.from_numpy(np.sin(np.arange(8, dtype=np.float32)))
window = torch.ones(4)
try:
    torch.stft(wave, n_fft=4, window=window)
except RuntimeError as error:
    print(error)
# => stft requires the return_complex parameter be given for real inputs, and will further require that return_complex=True in a future PyTorch release.

# %%
# ``istft`` takes complex numbers and refuses those pairs, since torch 2.14 with a ``TypeError``.

pairs = torch.ones(3, 9, 2)
try:
    torch.istft(pairs, n_fft=4, window=window)
except (RuntimeError, TypeError) as error:
    print(error)
# => istft requires a complex-valued input tensor matching the output from stft with return_complex=True.

# %%
# The fix
# -------
#
# Ask for complex numbers. Magnitude and phase are then ``abs`` and ``angle``.

spectrum = torch.stft(wave, n_fft=4, window=window, return_complex=True)
print(spectrum.dtype, spectrum.shape, spectrum.abs().dtype)
# => torch.complex64 torch.Size([3, 9]) torch.float32

# %%
# Code that reads ``[..., 0]`` and ``[..., 1]`` gets the old form from ``view_as_real``, which shares the
# memory. ``view_as_complex`` goes back; it needs the pairs next to each other, so call
# ``contiguous()`` after a ``permute`` that moves the last axis.

pairs = torch.view_as_real(spectrum)
print(pairs.shape, pairs.data_ptr() == spectrum.data_ptr())
# => torch.Size([3, 9, 2]) True
restored = torch.istft(torch.view_as_complex(pairs), n_fft=4, window=window)
print(torch.allclose(restored, wave, atol=1e-6))
# => True

# %%
# Two tensors for the parts are joined with ``torch.complex``.

joined = torch.complex(pairs[..., 0].contiguous(), pairs[..., 1].contiguous())
print(torch.equal(joined, spectrum))
# => True

# %%
# This complex tensor becomes a complex array. Of librosa or SciPy, ``from_numpy`` takes the spectrum as it
# is.

array = spectrum.numpy()
print(array.dtype, torch.from_numpy(array).dtype)
# => complex64 torch.complex64

# %%
# Works, but is deprecated
# ------------------------
#
# ``return_complex=False`` gives the old form today. It warns once in a process, and the message above
# says that a future release will refuse it.

print(torch.stft(wave, n_fft=4, window=window, return_complex=False).shape)
# => torch.Size([3, 9, 2])
# => UserWarning: stft with return_complex=False is deprecated. In a future pytorch release, stft will return complex tensors for all inputs, and return_complex=False will raise an error. Note: you can still call torch.view_as_real on the complex output to recover the old return format.
