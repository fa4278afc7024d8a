"""
Send a tensor over HTTP: npy bytes, base64 or JSON
==================================================

``np.save`` into a ``BytesIO`` gives bytes that carry dtype and shape; ``np.load`` reads them. Where text is
needed, encode them with ``base64``. JSON lists from ``tolist()`` lose the dtype and are often larger.
"""

# sphinx_gallery_tags = ["bytes", "base64", "json", "network", "serialize", "tar", "safetensors", "files"]

import base64
import io
import json
import struct

import numpy as np
import torch
from safetensors.torch import load, save

tensor = torch.linspace(0, 1, 1000).reshape(10, 100)

# %%
# npy bytes
# ---------
#
# The bytes are a whole npy file. This works for the body of a request, an entry of a tar or a database.


def to_bytes(tensor):
    buffer = io.BytesIO()
    np.save(buffer, tensor.detach().cpu().numpy(), allow_pickle=False)
    return buffer.getvalue()


def from_bytes(data):
    return torch.from_numpy(np.load(io.BytesIO(data), allow_pickle=False))


data = to_bytes(tensor)
print(len(data), tensor.nbytes, torch.equal(from_bytes(data), tensor))
# => 4128 4000 True

# %%
# Text: base64 or lists
# ---------------------
#
# ``base64`` makes text a third longer than the bytes. JSON lists of these floats are longer still.

text = base64.b64encode(data).decode()
lists = json.dumps(tensor.tolist())
print(len(text), len(lists) > 3 * len(text))
# => 5504 True
print(torch.equal(from_bytes(base64.b64decode(text)), tensor))
# => True

# %%
# JSON has one kind of number, so name the dtype when you read a list.

print(torch.equal(torch.tensor(json.loads(lists), dtype=torch.float32), tensor))
# => True

# %%
# Raw bytes
# ---------
#
# ``tobytes`` has the elements alone: send dtype and shape beside them. Here it gives the same bytes
# as ``struct.pack`` of a list, without a Python object for each number.

raw = tensor.numpy().tobytes()
print(len(raw), raw == struct.pack(f"<{tensor.numel()}f", *tensor.flatten().tolist()))
# => 4000 True
print(torch.equal(torch.frombuffer(bytearray(raw), dtype=torch.float32).reshape(10, 100), tensor))
# => True

# %%
# Several tensors, or bfloat16
# ----------------------------
#
# ``safetensors`` puts a dictionary of tensors into bytes, ``bfloat16`` among them.


def unpack(data):
    return {name: (value.dtype, value.sum().item()) for name, value in sorted(load(data).items())}


print(unpack(save({"x": torch.ones(2), "half": torch.ones(2).bfloat16()})))
# => {'half': (torch.bfloat16, 2.0), 'x': (torch.float32, 2.0)}

# %%
# Bytes that ``torch.save`` wrote are read from a ``BytesIO``. Keep ``weights_only=True`` for what
# others send: a pickle can run their code.

file = io.BytesIO()
torch.save(tensor, file)
received = torch.load(io.BytesIO(file.getvalue()), weights_only=True)
print(torch.equal(received, tensor))
# => True
