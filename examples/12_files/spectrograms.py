"""
torch.stft, librosa, SciPy: why spectrograms differ
===================================================

The same window, hop and padding give the same numbers. With ``center=True`` torch pads by reflection and
librosa with zeros; ``scipy.signal.stft`` also divides by the window's sum. For mel, librosa uses Slaney's norm
and scale, torchaudio HTK's without a norm.
"""

# sphinx_gallery_tags = ["audio", "stft", "spectrogram", "mel", "librosa", "torchaudio", "scipy", "window-function"]

import numpy as np
import torch
from scipy.signal import ShortTimeFFT

# %%
# ``torch.stft`` gives (frequencies, frames), complex. Give a window: the default is a rectangle, while librosa
# uses Hann.

signal = torch.rand(256, generator=torch.Generator().manual_seed(0))
window = torch.hann_window(64)
spectrum = torch.stft(signal, 64, 16, window=window, center=False, return_complex=True)
print(spectrum.shape, spectrum.dtype)
# => torch.Size([33, 13]) torch.complex64

# %%
# NumPy, frame by frame, gives the same.

frames = np.lib.stride_tricks.sliding_window_view(signal.numpy(), 64)[::16]
manual = np.fft.rfft(frames * window.numpy(), axis=1).T
print(np.allclose(manual, spectrum, atol=1e-4))
# => True

# %%
# SciPy's ``ShortTimeFFT`` counts the time from the middle of a window, so it has other frames at both ends.

transform = ShortTimeFFT(window.numpy(), hop=16, fs=1)
padded = transform.stft(signal.numpy())
start = 2 - transform.p_min  # the first whole window has its middle at sample 32, two hops
print(padded.shape, np.allclose(np.abs(padded[:, start : start + 13]), np.abs(manual), atol=1e-4))
# => (33, 19) True

# %%
# Magnitude or power is the next difference: ``torchaudio.transforms.Spectrogram`` has ``power=2`` by default,
# and ``librosa.feature.melspectrogram`` too, while ``np.abs(librosa.stft(y))`` is the magnitude.

power = spectrum.abs().square()
print(torch.allclose(power, spectrum.real**2 + spectrum.imag**2))
# => True

# %%
# To get librosa's numbers from torchaudio, pass ``norm="slaney", mel_scale="slaney", pad_mode="constant"`` to
# ``MelSpectrogram``, with the same sizes. Without ``pad_mode`` the frames at both ends differ. Decibels are
# ``10 * log10`` of the power, with a floor.

decibels = 10 * power.clamp(min=1e-10).log10()
print(bool(decibels.isfinite().all()))
# => True

# %%
# A layer that wants (frames, frequencies) gets the transpose.

print(power.T.shape)
# => torch.Size([13, 33])
