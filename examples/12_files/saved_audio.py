"""
Save a waveform: torchaudio.save, soundfile.write, wavfile.write
================================================================

Pass ``float32`` on the CPU. ``torchaudio.save`` wants channels by samples, so ``wave[None]`` for
mono; ``soundfile`` and ``scipy`` want samples by channels, so ``wave.T.numpy()``.
"""

# sphinx_gallery_tags = ["audio", "soundfile", "scipy", "layout", "dtype", "files", "error"]

import io

import numpy as np
import soundfile
import torch
from scipy.io import wavfile

# %%
# The error
# ---------
#
# Models of speech often return one axis of samples. Older releases of ``torchaudio.save`` then say ``Expected 2D
# Tensor, got 1D.`` or ``Input Tensor has to be 2D.``: they want an axis of channels in front.

speech = np.sin(np.arange(8, dtype=np.float32))
wave = torch.from_numpy(speech)
print(wave.shape, wave[None].shape, wave.unsqueeze(0).shape)
# => torch.Size([8]) torch.Size([1, 8]) torch.Size([1, 8])

# %%
# SciPy and soundfile refuse ``float16``, which a model in half precision returns.

half = wave.half()
try:
    wavfile.write(io.BytesIO(), 24_000, half.numpy())
except ValueError as error:
    print(error)
# => Unsupported data type 'float16'
try:
    soundfile.write(io.BytesIO(), half.numpy(), 24_000, format="WAV")
except ValueError as error:
    print(error)
# => dtype must be one of ['float32', 'float64', 'int16', 'int32'] and not 'float16'

# %%
# The fix
# -------
#
# One line makes a plain waveform of a model's output: detached, on the CPU, as ``float32``. A batch axis is
# removed by its index, and a missing axis of channels added with ``wave[None]``.

output = torch.zeros(1, 2, 8, dtype=torch.bfloat16, requires_grad=True)
stereo = output[0].detach().cpu().float()
print(stereo.shape, stereo.dtype)
# => torch.Size([2, 8]) torch.float32

# %%
# That is the form for ``torchaudio.save(path, stereo, rate)``. For soundfile and SciPy transpose it.

file = io.BytesIO()
soundfile.write(file, stereo.T.numpy(), 24_000, format="WAV")
file.seek(0)
about = soundfile.info(file)
print(about.channels, about.frames)
# => 2 8
file = io.BytesIO()
wavfile.write(file, 24_000, stereo.T.numpy())
file.seek(0)
print(wavfile.read(file)[1].shape)
# => (8, 2)

# %%
# SciPy writes floats as floats. For a file of 16 bits, scale, round and cast; soundfile does that for WAV
# by default.

integers = (wave * 32767).round().clamp(-32768, 32767).to(torch.int16)
print(integers.numpy().dtype)
# => int16

# %%
# Gradio plays a pair of rate and array of samples by channels. For floats it warns ``Trying to convert
# audio automatically from float32 to 16-bit int format`` and scales the loudest sample to full scale;
# the ``int16`` array above is played as it is.

# %%
# For soundfile, a file in memory needs its format: ``format="WAV"``. For the message ``Format not recognised`` see
# :doc:`/gallery/13_errors/soundfile_format`, for the ranges of samples
# :doc:`/gallery/12_files/audio_values`, and for torchaudio 2.9 and newer
# :doc:`/gallery/12_files/torchaudio_torchcodec`.

# %%
# What does not help
# ------------------
#
# ``reshape`` from samples by channels to channels by samples mixes the channels: transpose instead.

pair = torch.tensor([[1.0, -1.0], [2.0, -2.0]])
print(pair.T.tolist(), pair.reshape(2, 2).tolist())
# => [[1.0, 2.0], [-1.0, -2.0]] [[1.0, -1.0], [2.0, -2.0]]

# %%
# soundfile asks a tensor for an array, and one with gradients raises.

try:
    soundfile.write(io.BytesIO(), wave.clone().requires_grad_(), 24_000, format="WAV")
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
