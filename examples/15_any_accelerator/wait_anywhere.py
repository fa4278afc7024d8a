"""
Wait for any accelerator before you read a clock
================================================

Call ``torch.accelerator.synchronize()`` (torch 2.6 and newer) before and after what you measure, or
convert a result to NumPy: ``.cpu()``, ``item`` and ``numpy(force=True)`` wait too.
"""

# sphinx_gallery_tags = ["device", "timing", "accelerator"]

import time

import numpy as np
import torch
import torch._lazy.ts_backend

# %%
# ``lazy`` shows the reason more clearly than a GPU: the multiplication below only records what to
# compute.
# :func:`!torch._C._lazy._get_tensors_text` lists the operations that have not run yet.

torch._lazy.ts_backend.init()
tensor = torch.from_numpy(np.ones(3)).to("lazy")
doubled = tensor * 2
waiting = torch._C._lazy._get_tensors_text([doubled])
print("aten::mul" in waiting)
# => True

# %%
# If you stopped the clock now, you would measure the call, not the work. The conversion to NumPy
# runs the work and waits for it, so the array has its values.

print(doubled.cpu().numpy())
# => [2. 2. 2.]

# %%
# This function waits for the device of a tensor. ``torch.accelerator`` covers CUDA, MPS, XPU and
# others. An ordinary operation on the CPU has ended when the call returns, and in a CPU build
# ``synchronize`` raises.


def wait_for(tensor):
    """Return when ``tensor`` has its values."""
    if tensor.device.type == "lazy":
        torch._lazy.mark_step()
        torch._lazy.wait_device_ops()
    elif tensor.device.type == "cpu":
        return
    elif hasattr(torch, "accelerator"):
        torch.accelerator.synchronize(tensor.device)
    else:
        getattr(torch, tensor.device.type).synchronize()


# %%
# A measurement has to wait twice: before it starts, so that earlier work is not counted, and before
# it stops the clock.


def measure(operate, tensor):
    """Seconds that ``operate(tensor)`` takes, with all its values."""
    wait_for(tensor)
    start = time.perf_counter()
    result = operate(tensor)
    wait_for(result)
    return time.perf_counter() - start


for device in ("cpu", "lazy"):
    print(measure(lambda value: value @ value, torch.ones((64, 64), device=device)) > 0)
# => True
# => True

# %%
# If you need just the values, you need not synchronise: ``item``, ``tolist`` and
# ``numpy(force=True)`` wait for the current stream by themselves. A copy with ``non_blocking=True``
# may not: :doc:`/gallery/07_cuda/early_download`, :doc:`/gallery/08_devices/which_synchronize`.

tripled = tensor * 3
print(tripled.sum().item(), tripled.tolist(), tripled.numpy(force=True))
# => 9.0 [3.0, 3.0, 3.0] [3. 3. 3.]
