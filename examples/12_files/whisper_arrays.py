"""
Transcribe a tensor or NumPy array with Whisper, not a file
===========================================================

Pass ``waveform.mean(0).cpu().numpy()``: one axis, ``float32`` from -1 to 1, at 16 kHz. An array carries no
sampling rate, so it is not resampled: at 44.1 kHz the text is wrong.
"""

# sphinx_gallery_tags = ["whisper", "faster-whisper", "transcription", "audio", "speech", "resample", "waveform", "float32"]

import numpy as np
import torch

# %%
# From a file, Whisper decodes mono ``float32`` at 16 kHz. Your own array is taken as just that. torchaudio loads
# (channels, samples): average the channels.

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
# Microphones and ``.wav`` files give ``int16``. Divide by 32768 to get floats from -1 to 1: without the
# division the samples are 30,000 times too loud.

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
# :doc:`/gallery/12_files/audio_resample` shows the ways to resample. Pipelines of transformers take the rate beside the
# array, and resample by it.

sample = {"array": loud, "sampling_rate": 48_000}
print(sorted(sample), sample["array"].dtype)
# => ['array', 'sampling_rate'] float32

# %%
# A ``float64`` array is refused by models in ``float32``, and ``soundfile.read`` returns one by default.

print(loud.astype(np.float64).astype(np.float32).dtype)
# => float32
