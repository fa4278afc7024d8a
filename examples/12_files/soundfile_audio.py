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
# This code writes and reads a stereo file in memory. The array is ``float64`` by default, although
# the file has 16 bits per sample, and the channels are last.

time = np.linspace(0, 1, 8, endpoint=False)
stereo = np.stack([np.sin(2 * np.pi * time), np.zeros(8)], axis=1)
buffer = io.BytesIO()
soundfile.write(buffer, stereo, 8000, format="WAV")
buffer.seek(0)
data, rate = soundfile.read(buffer)
print(data.shape, data.dtype, rate)
# => (8, 2) float64 8000

# %%
# This layer has ``float32`` weights, the default, and raises for ``float64``.

layer = torch.nn.Conv1d(2, 1, kernel_size=3)
try:
    layer(torch.from_numpy(data.T))
except RuntimeError as error:
    print(error)
# => Input type (double) and bias type (float) should be the same

# %%
# Read ``float32`` instead: it needs half the memory and no cast. With ``always_2d`` the array has a
# channel axis even if the file has only one channel.

buffer.seek(0)
data, rate = soundfile.read(buffer, dtype="float32", always_2d=True)
waveform = torch.from_numpy(data.T)
print(waveform.shape, waveform.dtype)
# => torch.Size([2, 8]) torch.float32
print(layer(waveform).shape)
# => torch.Size([1, 6])

# %%
# The tensor shares the array's memory and is a transposed view. Call ``contiguous`` to copy it if
# later code needs each channel as one block.

print(np.shares_memory(waveform.numpy(), data), waveform.is_contiguous())
# => True False

# %%
# If you do not pass ``always_2d``, a file of one channel has no channel axis. Add the axis in
# front.

buffer = io.BytesIO()
soundfile.write(buffer, stereo[:, 0], 8000, format="WAV")
buffer.seek(0)
mono, rate = soundfile.read(buffer, dtype="float32")
print(mono.shape, torch.from_numpy(mono)[None].shape)
# => (8,) torch.Size([1, 8])

# %%
# Integers from this 16-bit file are not scaled to 1: ``int16`` goes up to 32767.

buffer.seek(0)
integers, rate = soundfile.read(buffer, dtype="int16")
print(integers.dtype, integers.max())
# => int16 32767

# %%
# To write, put the samples first again. If the channels are first, soundfile treats each sample as
# a channel. It writes a WAV file with far too many channels if the sound is short, and raises if it
# is longer (:doc:`/gallery/13_errors/soundfile_format`).

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
# ``float32`` with the channels first by default, like the tensor above. For more about the layout
# see :doc:`/gallery/12_files/audio_arrays`.

print(waveform.shape, waveform.abs().max() <= 1)
# => torch.Size([2, 8]) tensor(True)
