"""
Resample audio to 16 kHz mono, as Whisper expects
=================================================

Average the channels, then resample: ``resample_poly(mono, 160, 441)`` of ``scipy.signal`` takes 44.1 kHz
to 16 kHz. Convert integer samples to floats from -1 to 1 before both.
"""

# sphinx_gallery_tags = ["audio", "scipy", "dtype", "channels", "resample", "whisper", "datasets audio"]

from math import gcd

import numpy as np
import torch
from scipy.signal import resample_poly

# %%
# This second of stereo sound has samples by channels, as ``soundfile`` and SciPy read it. The
# function brings floats and signed integers, with one or two channels, into one form.

rate = 44100
time = np.arange(rate) / rate
wave = np.sin(2 * np.pi * 440 * time)
stereo = (np.stack([wave, 0.5 * wave], axis=1) * 32767).astype(np.int16)


def to_mono(samples):
    if samples.dtype.kind == "i":
        samples = samples / np.float32(-np.iinfo(samples.dtype).min)
    mono = samples if samples.ndim == 1 else samples.mean(axis=1)
    return mono.astype(np.float32)


mono = to_mono(stereo)
print(mono.shape, mono.dtype, mono.max().round(2))
# => (44100,) float32 0.75

# %%
# Resampling changes the number of samples and keeps the seconds, up to a sample. ``resample_poly``
# takes the new and the old rate, here divided by what they have in common.

common = gcd(16000, rate)
resampled = resample_poly(mono, 16000 // common, rate // common)
print(16000 // common, rate // common, resampled.shape, resampled.dtype)
# => 160 441 (16000,) float32

# %%
# The order matters for the work, not for the result: both steps are linear, so resampling each channel
# first gives the same samples up to rounding, from twice as many.

channels = stereo.astype(np.float32) / 32768
later = resample_poly(channels, 160, 441, axis=0).mean(axis=1)
print(np.allclose(later, resampled, atol=1e-5))
# => True

# %%
# Take each third sample of 48 kHz only after a filter. Unfiltered, this tone of 10 kHz comes back as
# a lower one; ``resample_poly`` filters it out.

tone = np.sin(2 * np.pi * 10000 * np.arange(48000) / 48000).astype(np.float32)
print(np.abs(tone[::3]).max() > 0.5, np.abs(resample_poly(tone, 1, 3)[100:-100]).max() < 0.1)
# => True True

# %%
# A decoder such as
# `TorchCodec's <https://meta-pytorch.org/torchcodec/stable/generated/torchcodec.decoders.AudioDecoder.html>`__
# ``AudioDecoder`` gives ``get_all_samples().data``, a tensor of channels by samples. Average the
# first axis. The one that `datasets <https://huggingface.co/docs/datasets/audio_load>`__ returns
# since version 4 also has ``["array"]``, which is that average.

samples = torch.from_numpy(channels.T.copy())
print(samples.shape, torch.allclose(samples.mean(dim=0), torch.from_numpy(mono), atol=1e-6))
# => torch.Size([2, 44100]) True

# %%
# The result becomes a tensor without a copy. Processors such as
# `Whisper's <https://huggingface.co/docs/transformers/model_doc/whisper>`__ take the array with one
# axis and its rate; torchaudio's transforms also take channels by samples.

waveform = torch.from_numpy(resampled)[None]
print(waveform.shape, waveform.dtype)
# => torch.Size([1, 16000]) torch.float32
