"""
Device strings that fail
========================

Decide how to repair a device string that PyTorch does not accept.
"""

# sphinx_gallery_tags = ["device", "error"]

import torch


def why(name):
    """Message of the error that ``name`` causes, up to the list of types."""
    try:
        torch.device(name)
    except RuntimeError as error:
        return str(error)[-50:]


# %%
# A type is lower case and one of the known names. ``gpu`` and ``tpu``, known
# from other libraries, are not among them; the message ends in the culprit.

for name in ("gpu", "tpu", "CUDA"):
    print(why(name))
# => euseone device type at start of device string: gpu
# => euseone device type at start of device string: tpu
# => useone device type at start of device string: CUDA

# %%
# An index follows one colon and is a plain number without leading zeros. -1 is
# not "the last one".

for name in ("cuda:", "cuda:x", "cuda:-1", "cuda:01", "cuda 0"):
    print(why(name))
# => Invalid device string: 'cuda:'
# => Invalid device string: 'cuda:x'
# => Invalid device string: 'cuda:-1'
# => Invalid device string: 'cuda:01'
# => Invalid device string: 'cuda 0'

# %%
# Settings are read as text: an index from the command line or an environment
# variable must become an ``int`` first, and an unset variable is no device.

for name in ("0", " cuda", ""):
    print(why(name))
# => Invalid device string: '0'
# => Invalid device string: ' cuda'
# => Device string must not be empty

# %%
# A high index parses, because no device is looked for. The error comes with
# the first tensor.

print(torch.device("cuda:31").index)
# => 31
