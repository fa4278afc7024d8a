"""
autocast output as a NumPy array
================================

Under ``autocast`` a layer returns bfloat16, which NumPy lacks, or ``float16``, which overflows to
``inf``. Call ``output.float().cpu().numpy()``, or compute outside ``autocast`` what you store.
"""

# sphinx_gallery_tags = ["cuda", "autocast", "dtype", "numpy", "silent", "error"]

import torch

# %%
# Under :class:`torch.autocast` a linear layer takes ``float32`` and returns a narrower type, so the
# output has another dtype than the weights and the batch.

layer = torch.nn.Linear(2, 1, bias=False, device="cuda")
torch.nn.init.constant_(layer.weight, 300.0)
batch = torch.tensor([[100.0, 200.0]], device="cuda")
with torch.autocast("cuda", dtype=torch.bfloat16):
    output = layer(batch).detach()
print(layer.weight.dtype, batch.dtype, output.dtype)
# => torch.float32 torch.float32 torch.bfloat16

# %%
# NumPy has no such type. The copy to the host succeeds, the conversion does not.

try:
    output.cpu().numpy()
except TypeError as error:
    print(error)
# => Got unsupported ScalarType BFloat16

# %%
# :meth:`torch.Tensor.float` before or after the copy makes it an array. Casting after sends half as
# many bytes; what was rounded by the layer stays so.

print(output.cpu().float().numpy())
# => [[90112.]]
print(layer(batch).detach().cpu().numpy())
# => [[90000.]]

# %%
# The default on CUDA is ``float16``, as `the documentation
# <https://docs.pytorch.org/docs/stable/amp.html>`__ lists; on the CPU it is ``bfloat16``. This one
# NumPy knows, so nothing fails, and a number beyond its range is lost without an error.

with torch.autocast("cuda"):
    output = layer(batch).detach()
array = output.cpu().numpy()
print(array.dtype, array)
# => float16 [[inf]]

# %%
# Widening the array afterwards does not bring it back. Losses and other functions that need the
# range are computed in ``float32`` by autocast itself.

print(array.astype("float32"))
# => [[inf]]
with torch.autocast("cuda", dtype=torch.bfloat16):
    loss = torch.nn.functional.mse_loss(layer(batch), torch.zeros(1, 1, device="cuda"))
print(loss.dtype)
# => torch.float32

# %%
# So compute outside of the context what is compared, stored or plotted; no cast restores what the
# narrow type has lost. See :doc:`/gallery/13_errors/bfloat16` for keeping the bits of such a type.

print(layer(batch).detach().cpu().numpy().dtype)
# => float32
