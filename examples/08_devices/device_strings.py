"""
Invalid device string: which names are valid
============================================

``Invalid device string`` means a missing type, a bad index or a stray character, as in ``"0"``,
``"cuda:-1"`` or ``"cuda0"``; ``"gpu"`` and ``"CUDA"`` raise ``Expected one of cpu, cuda``. Write
the type in lower case: ``"cuda:0"``.
"""

# sphinx_gallery_tags = ["device", "error"]

import torch


def why(name):
    """Message of the error that ``name`` causes."""
    try:
        torch.device(name)
    except RuntimeError as error:
        return str(error)


# %%
# An index follows one colon and is a plain number without leading zeros. A negative index raises:
# ``-1`` does not mean the last GPU.

for name in ("cuda:", "cuda:x", "cuda:-1", "cuda:01", "cuda 0"):
    print(why(name))
# => Invalid device string: 'cuda:'
# => Invalid device string: 'cuda:x'
# => Invalid device string: 'cuda:-1'
# => Invalid device string: 'cuda:01'
# => Invalid device string: 'cuda 0'

# %%
# A number alone, a blank before the name and an empty string raise too. Convert an index from the
# command line or an environment variable to ``int`` first, and strip blanks.

for name in ("0", " cuda", ""):
    print(why(name))
# => Invalid device string: '0'
# => Invalid device string: ' cuda'
# => Device string must not be empty

# %%
# A type is one of the lower-case names that the message lists
# (:doc:`/gallery/08_devices/device_types`). Names such as ``gpu`` and ``tpu`` are not among them.

for name in ("gpu", "tpu", "CUDA"):
    print(why(name).startswith("Expected one of cpu, cuda,"))
# => True
# => True
# => True

# %%
# An index up to 127 does not raise here, because parsing does not look for the device. Creating a
# tensor on a missing device does raise.

print(torch.device("cuda:31").index)
# => 31
