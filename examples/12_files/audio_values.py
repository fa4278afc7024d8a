"""
Range of audio samples: int16, int32 or floats from -1 to 1
===========================================================

Each dtype has its full scale: 32768 for ``int16``, 2**31 for ``int32``, 1 for floats. Divide by that
before you pass samples to ``torchaudio.save``, ``librosa`` or a model.
"""

# sphinx_gallery_tags = ["audio", "soundfile", "dtype", "silent"]

import io

import numpy as np
import soundfile
import torch

# %%
# Integer samples divided by the full scale of their dtype are floats from -1 to 1, which most
# models expect. WAV readers and microphones often give ``int16``.

loud = torch.tensor([0, 16384, -32768], dtype=torch.int16)
wave = loud.float() / 32768
print(wave)
# => tensor([ 0.0000,  0.5000, -1.0000])

# %%
# A cast alone keeps the numbers. As floats, the samples are then thousands of times too large. A
# writer of 16-bit files clips them: each sample here that is not 0 ends up at full scale, which
# sounds like loud noise.


def write_and_read(samples, **options):
    file = io.BytesIO()
    soundfile.write(file, samples.numpy(), 16_000, format="WAV", **options)
    file.seek(0)
    return torch.from_numpy(soundfile.read(file, dtype="float32")[0])


print(write_and_read(loud.float(), subtype="PCM_16"))
# => tensor([ 0.0000,  1.0000, -1.0000])
print(write_and_read(wave, subtype="PCM_16"))
# => tensor([ 0.0000,  0.5000, -1.0000])

# %%
# The opposite mistake is silent. The full scale of ``int32`` is 2**31, so numbers up to 32767 in
# that dtype are all but silence. The same holds for the ``int64`` tensor of a vocoder after
# ``.to(torch.int32)``.

print(write_and_read(loud.to(torch.int32), subtype="PCM_32").abs().max() < 1e-4)
# => tensor(True)

# %%
# Scale an ``int64`` tensor to floats by the range that it was made for, here 16 bits.

generated = torch.tensor([0, 16384, -32768])
print(write_and_read(generated.float() / 32768, subtype="PCM_16"))
# => tensor([ 0.0000,  0.5000, -1.0000])

# %%
# By default ``torchaudio.load`` returns ``float32`` of channels by time, with the sample rate beside
# it. An array that is already in memory takes the same form: cast, scale, and add or move the channel
# axis.

array = np.array([0, 16384, -32768], dtype=np.int16)
mono = torch.from_numpy(array.astype(np.float32) / 32768)[None]
stereo = torch.from_numpy(np.stack([array, array], axis=1).astype(np.float32) / 32768).T
print(mono.shape, stereo.shape, mono.dtype)
# => torch.Size([1, 3]) torch.Size([2, 3]) torch.float32

# %%
# ``torchaudio.save`` has written with TorchCodec `since release 2.9
# <https://docs.pytorch.org/audio/stable/generated/torchaudio.save.html>`__, which expects floats
# from -1 to 1. Pass ``tensor.float() / 32768`` there instead of the ``int16`` tensor.
