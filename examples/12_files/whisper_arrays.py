"""
Transcribe a tensor or NumPy array with Whisper, not a file
===========================================================

Pass ``waveform.mean(0).cpu().numpy()``: one axis, ``float32`` from -1 to 1, at 16 kHz. An array carries no
sampling rate, so it is not resampled: 10 seconds at 44.1 kHz are taken for 27.6.
"""

# sphinx_gallery_tags = ["whisper", "faster-whisper", "transcription", "audio", "speech", "resample", "waveform", "float32"]

import numpy as np
import torch

# %%
# From a file, Whisper decodes mono ``float32`` at 16 kHz. Your own array is taken as just that. ``whisper``
# takes a tensor too, ``faster_whisper`` does not. torchaudio loads (channels, samples): average the channels.

waveform = torch.rand(2, 16_000) * 2 - 1
mono = waveform.mean(0).cpu().numpy()
print(mono.shape, mono.dtype)
# => (16000,) float32

# %%
# ``numpy()`` on a CPU tensor shares its memory: the array is not a copy.

single = waveform[0]
print(np.shares_memory(single.numpy(), single.numpy()))
# => True

# %%
# Microphones and many ``.wav`` files give ``int16``. Divide by 32768 to get floats from -1 to 1: without the
# division the samples are 32,768 times too large.

recorded = np.frombuffer(np.array([0, 16384, -32768], dtype=np.int16).tobytes(), dtype=np.int16)
print(recorded.astype(np.float32) / 32768)
# => [ 0.   0.5 -1. ]

# %%
# Another rate
# ------------
#
# Resample first. Three times 16 kHz is 48 kHz: the length tells what the model would take for the duration.

loud = np.sin(np.arange(48_000, dtype=np.float32))
print(len(loud) / 16_000, "seconds instead of", len(loud) / 48_000)
# => 3.0 seconds instead of 1.0

# %%
# :doc:`/gallery/12_files/audio_resample` shows the ways to resample. The speech recognition pipeline of
# transformers takes the rate beside the array, and resamples with torchaudio.

sample = {"array": loud, "sampling_rate": 48_000}
print(sorted(sample), sample["array"].dtype)
# => ['array', 'sampling_rate'] float32

# %%
# ``whisper`` of OpenAI refuses a ``float64`` array, which ``soundfile.read`` returns by default.
# ``faster_whisper`` and the feature extractor of transformers cast it.

print(loud.astype(np.float64).astype(np.float32).dtype)
# => float32
