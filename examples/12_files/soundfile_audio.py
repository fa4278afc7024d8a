"""
soundfile.read to a tensor, and write
=====================================

``soundfile.read`` returns ``float64`` samples by channels; read ``float32``, always with two axes,
and transpose for torch.
"""

# sphinx_gallery_tags = ["soundfile", "audio", "layout", "dtype", "files", "error"]

import io

import numpy as np
import soundfile
import torch

# %%
# Writing and reading a stereo file, here in memory. The array is ``float64`` by default, although
# the file has 16 bits, and the channels are last.

time = np.linspace(0, 1, 8, endpoint=False)
stereo = np.stack([np.sin(2 * np.pi * time), np.zeros(8)], axis=1)
buffer = io.BytesIO()
soundfile.write(buffer, stereo, 8000, format="WAV")
buffer.seek(0)
data, rate = soundfile.read(buffer)
print(data.shape, data.dtype, rate)
# => (8, 2) float64 8000

# %%
# A layer has ``float32`` weights and refuses the doubles.

layer = torch.nn.Conv1d(2, 1, kernel_size=3)
try:
    layer(torch.from_numpy(data.T))
except RuntimeError as error:
    print(error)
# => Input type (double) and bias type (float) should be the same

# %%
# So ask for ``float32`` while reading: half the memory, and no cast. ``always_2d`` keeps the axis of
# the channels for a file with one of them.

buffer.seek(0)
data, rate = soundfile.read(buffer, dtype="float32", always_2d=True)
waveform = torch.from_numpy(data.T)
print(waveform.shape, waveform.dtype)
# => torch.Size([2, 8]) torch.float32
print(layer(waveform).shape)
# => torch.Size([1, 6])

# %%
# The tensor shares the array's memory, and is a transposed view. ``contiguous`` copies it where a
# kernel or ``view`` needs the channels one after the other.

print(np.shares_memory(waveform.numpy(), data), waveform.is_contiguous())
# => True False

# %%
# Without ``always_2d`` a file of one channel gives one axis. The missing axis goes in front.

buffer = io.BytesIO()
soundfile.write(buffer, stereo[:, 0], 8000, format="WAV")
buffer.seek(0)
mono, rate = soundfile.read(buffer, dtype="float32")
print(mono.shape, torch.from_numpy(mono)[None].shape)
# => (8,) torch.Size([1, 8])

# %%
# Integers are read as they are stored, without the division: ``int16`` runs to 32767.

buffer.seek(0)
integers, rate = soundfile.read(buffer, dtype="int16")
print(integers.dtype, integers.max())
# => int16 32767

# %%
# For writing, the samples go to the front again. Channels first are taken for as many channels as
# there are samples: a file that nothing plays for a short sound, an error for a longer one
# (:doc:`/gallery/13_errors/soundfile_format`).

buffer = io.BytesIO()
soundfile.write(buffer, waveform.numpy(), 8000, format="WAV")
buffer.seek(0)
print(soundfile.info(buffer).channels)
# => 8
buffer = io.BytesIO()
soundfile.write(buffer, waveform.T.numpy(), 8000, format="WAV")
buffer.seek(0)
print(soundfile.info(buffer).channels)
# => 2

# %%
# `torchaudio.load <https://docs.pytorch.org/audio/stable/generated/torchaudio.load.html>`__ returns
# ``float32`` with the channels in front by default, so its result is the tensor above. More about
# the layout: :doc:`/gallery/12_files/audio_arrays`.

print(waveform.shape, waveform.abs().max() <= 1)
# => torch.Size([2, 8]) tensor(True)
