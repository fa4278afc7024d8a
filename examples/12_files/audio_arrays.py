"""
Audio array to tensor: channels first, float32
==============================================

A WAV file holds samples by channels, ``torch.nn.Conv1d`` expects channels by samples in
``float32``: transpose the array, and divide the integers by their range.
"""

# sphinx_gallery_tags = ["audio", "layout", "dtype", "files"]

import io
import wave

import numpy as np
import torch

# %%
# This WAV file stores 16-bit integers. The values of the channels at one moment are next to each
# other. The file has two channels of four samples and is written to memory.

stereo = np.array([[0, 100], [8192, 100], [16384, 100], [-32768, 100]], dtype=np.int16)
buffer = io.BytesIO()
with wave.open(buffer, "wb") as file:
    file.setnchannels(2)
    file.setsampwidth(2)
    file.setframerate(16_000)
    file.writeframes(stereo.tobytes())

# %%
# The bytes become an array of samples by channels, like the result of `scipy.io.wavfile.read
# <https://docs.scipy.org/doc/scipy/reference/generated/scipy.io.wavfile.read.html>`__. The array is
# read-only because bytes are, so ``from_numpy`` would warn:
# :doc:`/gallery/13_errors/read_only_array`.

buffer.seek(0)
with wave.open(buffer, "rb") as file:
    frames = file.readframes(file.getnframes())
samples = np.frombuffer(frames, dtype="<i2").reshape(-1, 2)
print(samples.shape, samples.flags.writeable)
# => (4, 2) False

# %%
# Functions for audio want floats. For ``int16`` samples, as a WAV file, a microphone or Gradio gives
# them, librosa says ``Audio data must be floating-point`` and torchaudio ``Expected floating point type
# for waveform tensor, but received torch.int16``. An array has no ``float()``: that is a method of
# tensors. For the ranges of other dtypes see :doc:`/gallery/12_files/audio_values`.

try:
    torch.stft(torch.tensor(samples[:, 0]), n_fft=4, window=torch.ones(4), return_complex=True)
except RuntimeError as error:
    print(str(error).split(" : ")[-1])
# => expected a tensor of floating point or complex values
try:
    samples.float()
except AttributeError as error:
    print(error)
# => 'numpy.ndarray' object has no attribute 'float'

# %%
# Divide by 32768 to get floats from -1 to 1; this also makes a writable copy. Cast to ``float32``
# first, or the result is ``float64``, which does not match a layer's default dtype.

scaled = samples.astype(np.float32) / 32768
print(scaled.dtype, (samples / 32768).dtype)
# => float32 float64
print(scaled[:, 0])
# => [ 0.    0.25  0.5  -1.  ]

# %%
# :class:`torch.nn.Conv1d` expects the channels first, as `torchaudio returns them
# <https://docs.pytorch.org/audio/stable/generated/torchaudio.load.html>`__. The transposed array is
# a view, and so is its tensor.

waveform = torch.from_numpy(scaled.T)
print(waveform.shape, waveform.is_contiguous())
# => torch.Size([2, 4]) False
print(torch.nn.Conv1d(2, 1, kernel_size=2)(waveform).shape)
# => torch.Size([1, 3])

# %%
# With the samples first, the layer treats each moment as a channel:
# :doc:`/gallery/13_errors/channel_count`. If the file had two samples of two channels, the layer
# would not raise, but confuse time with channels.

try:
    torch.nn.Conv1d(2, 1, kernel_size=2)(torch.from_numpy(scaled))
except RuntimeError as error:
    print(error)
# => Given groups=1, weight of size [1, 2, 2], expected input[1, 4, 2] to have 2 channels, but got 4 channels instead

# %%
# ``reshape`` also gives the right shape, but it splits the interleaved samples in the middle: each
# row then holds both channels of one half of the time.

print(torch.equal(torch.from_numpy(scaled).reshape(2, -1), waveform))
# => False

# %%
# ``scipy.io.wavfile.read`` returns one channel without a channel axis. Add the axis in front. To
# turn several channels into one, take their mean.

mono = torch.from_numpy(scaled[:, 0].copy())
print(mono[None].shape, waveform.mean(dim=0, keepdim=True).shape)
# => torch.Size([1, 4]) torch.Size([1, 4])

# %%
# pyannote and other libraries check the two axes and say ``'waveform' must be provided as a (channel,
# time) torch Tensor``. ``sounddevice`` records samples by channels, so transpose its array as well.
# Whisper and its relatives want one axis: the mean over the channels, ``float32``, at 16 kHz. Where a speech
# pipeline of transformers says ``We expect a numpy ndarray as input``, add ``numpy()`` to it.

print(waveform.mean(dim=0).shape, waveform.mean(dim=0).dtype)
# => torch.Size([4]) torch.float32

# %%
# To write the samples back to a file, transpose again and round before the cast, because a cast
# cuts off the fraction. ``clamp`` keeps 1.0 from overflowing to the lowest value.

integers = (waveform.T * 32768).round().clamp(-32768, 32767).to(torch.int16)
print(np.array_equal(integers.numpy(), stereo))
# => True
