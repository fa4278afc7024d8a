"""
autocast output as a NumPy array
================================

Under ``autocast`` a ``float32`` linear layer returns bfloat16, which NumPy lacks, or ``float16``,
which can overflow to ``inf``. Call ``output.float().cpu().numpy()``, or compute the values that you
store outside ``autocast``.
"""

# sphinx_gallery_tags = ["cuda", "autocast", "dtype", "numpy", "silent", "error"]

import torch

# %%
# Under :class:`torch.autocast` a linear layer accepts ``float32`` and returns a narrower dtype, so
# the output's dtype differs from that of the weights and the batch.

layer = torch.nn.Linear(2, 1, bias=False, device="cuda")
torch.nn.init.constant_(layer.weight, 300.0)
batch = torch.tensor([[100.0, 200.0]], device="cuda")
with torch.autocast("cuda", dtype=torch.bfloat16):
    output = layer(batch).detach()
print(layer.weight.dtype, batch.dtype, output.dtype)
# => torch.float32 torch.float32 torch.bfloat16

# %%
# NumPy has no bfloat16. Copying the tensor to the CPU works, converting it to an array does not.

try:
    output.cpu().numpy()
except TypeError as error:
    print(error)
# => Got unsupported ScalarType BFloat16

# %%
# Call :meth:`torch.Tensor.float` before or after the copy. If you cast after it, half as many bytes
# are copied. Either way, the digits that the layer rounded off are lost.

print(output.cpu().float().numpy())
# => [[90112.]]
print(layer(batch).detach().cpu().numpy())
# => [[90000.]]

# %%
# The default on CUDA is ``float16``, as `the documentation
# <https://docs.pytorch.org/docs/stable/amp.html>`__ lists; on the CPU it is ``bfloat16``. NumPy has
# ``float16``, so the conversion works, but a number beyond its range becomes infinite without an
# error.

with torch.autocast("cuda"):
    output = layer(batch).detach()
array = output.cpu().numpy()
print(array.dtype, array)
# => float16 [[inf]]

# %%
# Widening the array afterwards does not restore the number. Autocast itself computes this loss in
# ``float32``.

print(array.astype("float32"))
# => [[inf]]
with torch.autocast("cuda", dtype=torch.bfloat16):
    loss = torch.nn.functional.mse_loss(layer(batch), torch.zeros(1, 1, device="cuda"))
print(loss.dtype)
# => torch.float32

# %%
# If you compare, store or plot values, compute them outside ``autocast``; a cast does not restore
# what the narrow dtype has lost. To keep the bits of a bfloat16 tensor, see
# :doc:`/gallery/13_errors/bfloat16`.

print(layer(batch).detach().cpu().numpy().dtype)
# => float32
