"""
Move a tensor to the GPU and back: to, cuda, cpu
================================================

``tensor.to("cuda")`` and ``tensor.cuda()`` copy a tensor to the GPU, ``tensor.to("cpu")`` and
``tensor.cpu()`` copy it back. Keep the result: the tensor itself does not move.
"""

# sphinx_gallery_tags = ["cuda", "device", "copy", "correction"]

import torch

# %%
# Each of these lines copies a CPU tensor to the GPU and leaves the original
# where it was. Snippets that skip the first line fail with a ``NameError``.

tensor_cpu = torch.tensor([0.25, 0.5, 0.75])
for tensor_gpu in (
    tensor_cpu.to("cuda"),
    tensor_cpu.cuda(),
    tensor_cpu.cuda(0),
):
    print(tensor_gpu)
# => tensor([0.2500, 0.5000, 0.7500], device='cuda:0')
# => tensor([0.2500, 0.5000, 0.7500], device='cuda:0')
# => tensor([0.2500, 0.5000, 0.7500], device='cuda:0')
print(tensor_cpu.device)
# => cpu

# %%
# :meth:`torch.Tensor.cuda` without an argument means the *current* GPU, which
# is the first one until a program selects another. It does not mean index 0.

print(torch.cuda.current_device())
# => 0
print(tensor_cpu.cuda().get_device())
# => 0

# %%
# Two calls fetch a tensor, and they do the same.

print(tensor_gpu.to("cpu"))
# => tensor([0.2500, 0.5000, 0.7500])
print(tensor_gpu.cpu())
# => tensor([0.2500, 0.5000, 0.7500])

# %%
# A move is not in place. Without an assignment the copy is made and dropped.

tensor_cpu.cuda()
print(tensor_cpu.is_cuda)
# => False

# %%
# Prefer :meth:`torch.Tensor.to` where the device is a parameter of the program:
# its argument may be any device. :doc:`/gallery/08_devices/to_cuda` and
# :doc:`/gallery/08_devices/cuda_method` list every way to write it.

for name in ("cpu", "cuda"):
    print(tensor_cpu.to(name).device)
# => cpu
# => cuda:0
