"""
torchaudio 2.9: no attribute 'list_audio_backends', TorchCodec needed
=====================================================================

torchaudio 2.9 removed ``info``, ``list_audio_backends`` and ``set_audio_backend``, and ``load`` and
``save`` need TorchCodec and FFmpeg. Read files with ``soundfile``, or install ``torchaudio<2.9``.
"""

# sphinx_gallery_tags = ["audio", "soundfile", "torchaudio", "files", "error"]

import io

import numpy as np
import soundfile
import torch

# %%
# The error
# ---------
#
# With torchaudio 2.9 or newer, older code says ``module 'torchaudio' has no attribute
# 'list_audio_backends'``, ``'set_audio_backend'``, ``'info'`` or ``'AudioMetaData'``. Until TorchCodec is
# installed, ``torchaudio.load`` says ``TorchCodec is required for load_with_torchcodec``. See the `note of the
# project <https://github.com/pytorch/audio/issues/3902>`__.
#
# ``Could not load libtorchcodec`` names its likely causes itself: FFmpeg is not installed, or this TorchCodec
# was built for another release of torch. Its `table
# <https://github.com/meta-pytorch/torchcodec#installing-torchcodec>`__ tells which two fit.

# %%
# The fix
# -------
#
# ``soundfile`` reads and writes WAV, FLAC, OGG and MP3 without FFmpeg. This file is in memory.

file = io.BytesIO()
soundfile.write(file, np.zeros((8, 2), dtype=np.float32), 16_000, format="WAV")

# %%
# Instead of ``torchaudio.load``: ``float32``, two axes even for mono, and the channels first.

file.seek(0)
data, rate = soundfile.read(file, dtype="float32", always_2d=True)
waveform = torch.from_numpy(data.T)
print(waveform.shape, waveform.dtype, rate)
# => torch.Size([2, 8]) torch.float32 16000

# %%
# Instead of ``torchaudio.info``: rate, frames and channels.

file.seek(0)
about = soundfile.info(file)
print(about.samplerate, about.frames, about.channels)
# => 16000 8 2

# %%
# Instead of ``torchaudio.save``: samples by channels, on the CPU.

file = io.BytesIO()
soundfile.write(file, waveform.T.cpu().numpy(), rate, format="FLAC")
file.seek(0)
print(soundfile.info(file).format)
# => FLAC

# %%
# Delete calls of ``set_audio_backend``. Where a library calls
# ``torchaudio.list_audio_backends``, upgrade it, or install an older torchaudio with the torch that fits:
#
# .. code-block:: bash
#
#     pip install "torch<2.9" "torchaudio<2.9"

# %%
# Or install TorchCodec
# ---------------------
#
# ``pip install torchcodec`` and FFmpeg make ``load`` and ``save`` of torchaudio work. Hugging Face datasets
# decodes audio with it as well, and says ``To support decoding audio data, please install 'torchcodec'``.
# ``Audio(decode=False)`` gives the path or the bytes of the file, which soundfile reads without it.

encoded = file.getvalue()
samples, rate = soundfile.read(io.BytesIO(encoded), dtype="float32")
print(samples.shape, rate)
# => (8, 2) 16000

# %%
# The decoder of TorchCodec returns an object: its ``data`` is the tensor of channels by samples, and
# ``data.numpy()`` the array. For layout and ranges see :doc:`/gallery/12_files/soundfile_audio` and
# :doc:`/gallery/12_files/saved_audio`.
