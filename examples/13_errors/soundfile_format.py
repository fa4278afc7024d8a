"""
LibsndfileError: Error opening … Format not recognised
======================================================

``soundfile.write`` expects samples by channels, and your array has the channels first: transpose
it.

.. fix::

   - soundfile.write("stereo.wav", waveform.numpy(), 16_000)
   + soundfile.write("stereo.wav", waveform.T.numpy(), 16_000)
"""

# sphinx_gallery_tags = ["soundfile", "audio", "layout", "files", "error"]

import contextlib
import tempfile

import numpy as np
import soundfile
import torch

# %%
# The error
# ---------
#
# The shape of this tensor is ``(2, samples)``, for two channels. ``soundfile`` treats the last axis
# as the channels, and raises for 16,000 of them. The message mentions the format instead.

folder = tempfile.TemporaryDirectory()
waveform = torch.zeros(2, 16_000)
with contextlib.chdir(folder.name):
    try:
        soundfile.write("stereo.wav", waveform.numpy(), 16_000)
    except soundfile.LibsndfileError as error:
        print(error)
# => Error opening 'stereo.wav': Format not recognised.

# %%
# The fix
# -------
#
# Transpose the tensor.

with contextlib.chdir(folder.name):
    soundfile.write("stereo.wav", waveform.T.numpy(), 16_000)
    print(soundfile.info("stereo.wav").channels)
# => 2

# %%
# One channel of this sound with its axis, ``waveform[:1]``, raises the same error. Transpose it too,
# or drop the axis.

with contextlib.chdir(folder.name):
    soundfile.write("mono.wav", waveform[:1].T.numpy(), 16_000)
    soundfile.write("flat.wav", waveform[0].numpy(), 16_000)
    print(soundfile.info("mono.wav").channels, soundfile.info("flat.wav").channels)
# => 1 1

# %%
# Detach a model's output and move it to the CPU first.

output = waveform.requires_grad_()
with contextlib.chdir(folder.name):
    soundfile.write("output.wav", output.detach().cpu().T.numpy(), 16_000)
    print(soundfile.info("output.wav").frames)
# => 16000

# %%
# ``float16`` raises because of its dtype. Convert it to ``float32``.

half = torch.zeros(16_000, dtype=torch.float16)
try:
    soundfile.write(folder.name + "/half.wav", half.numpy(), 16_000)
except ValueError as error:
    print(error)
# => dtype must be one of ['float32', 'float64', 'int16', 'int32'] and not 'float16'
soundfile.write(folder.name + "/half.wav", half.float().numpy(), 16_000)

# %%
# What does not help
# ------------------
#
# Passing a ``format`` or ``subtype`` does not help, because the number of channels is the problem.

with contextlib.chdir(folder.name):
    try:
        soundfile.write("named.wav", waveform.detach().numpy(), 16_000, "PCM_16", format="WAV")
    except soundfile.LibsndfileError as error:
        print(error)
# => Error opening 'named.wav': Format not recognised.

# %%
# ``reshape`` to the right shape does not raise, but it mixes up the channels of a stereo sound:
# :doc:`/gallery/12_files/audio_arrays`.

ramp = np.arange(6).reshape(2, 3)
print(np.array_equal(ramp.reshape(3, 2), ramp.T))
# => False
folder.cleanup()
