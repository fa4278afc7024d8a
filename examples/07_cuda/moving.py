"""
Move a tensor to the GPU and back: to, cuda, cpu
================================================

``tensor.to("cuda")`` and ``tensor.cuda()`` copy a tensor to the GPU, ``tensor.to("cpu")`` and
``tensor.cpu()`` copy it back. Keep the result: the tensor itself does not move.
"""

# sphinx_gallery_tags = ["cuda", "device", "copy", "correction"]

import torch

# %%
# Each of these calls copies a CPU tensor to the GPU and leaves the original unchanged. Snippets
# that leave out the first line raise a ``NameError``.

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
# If you pass no device, :meth:`torch.Tensor.cuda` uses the *current* GPU. That is the first one
# until the program selects another, so its index need not be 0.

print(torch.cuda.current_device())
# => 0
print(tensor_cpu.cuda().get_device())
# => 0

# %%
# ``to("cpu")`` and ``cpu()`` both copy a tensor back.

print(tensor_gpu.to("cpu"))
# => tensor([0.2500, 0.5000, 0.7500])
print(tensor_gpu.cpu())
# => tensor([0.2500, 0.5000, 0.7500])

# %%
# A move is not in place. If you do not assign the result, it is lost.

tensor_cpu.cuda()
print(tensor_cpu.is_cuda)
# => False

# %%
# Prefer :meth:`torch.Tensor.to` if the device can vary, because its argument can be the CPU as
# well. For other ways to write it see :doc:`/gallery/08_devices/to_cuda` and
# :doc:`/gallery/08_devices/cuda_method`.

for name in ("cpu", "cuda"):
    print(tensor_cpu.to(name).device)
# => cpu
# => cuda:0
