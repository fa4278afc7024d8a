"""
Triton and TensorRT: GPU tensors in and out, without NumPy
==========================================================

In Triton's Python backend, ``torch.from_dlpack(tensor.to_dlpack())`` takes a ``pb_utils.Tensor`` from the GPU;
``as_numpy()`` works on the CPU. TensorRT reads a CUDA tensor at its ``data_ptr()``.
"""

# sphinx_gallery_tags = ["triton", "tensorrt", "openvino", "dlpack", "inference", "server", "pb_utils", "data_ptr", "gpu"]

import numpy as np
import torch
from torch.utils.dlpack import from_dlpack, to_dlpack

# %%
# Triton hands over capsules of DLPack. This class stands for ``pb_utils.Tensor``, with a tensor on the CPU.


class Served:
    def __init__(self, tensor):
        self.tensor = tensor

    def to_dlpack(self):
        return to_dlpack(self.tensor)


served = Served(torch.rand(2, 3))
tensor = from_dlpack(served.to_dlpack())
print(tensor.shape, tensor.data_ptr() == served.tensor.data_ptr())
# => torch.Size([2, 3]) True

# %%
# For "Tensor is stored in GPU and cannot be converted to NumPy", go on with ``cpu().numpy()``. `Triton moves
# inputs to the CPU <https://github.com/triton-inference-server/python_backend#input-tensor-device-placement>`__
# unless ``FORCE_CPU_ONLY_INPUT_TENSORS`` is "no". For the response of another model, set ``preferred_memory``.

array = tensor.cpu().numpy()
print(type(array).__name__)
# => ndarray

# %%
# The answer goes back as ``pb_utils.Tensor.from_dlpack("output", to_dlpack(result.contiguous()))``, or as
# ``pb_utils.Tensor("output", array)``. Cast it to the dtype of the model configuration.

result = tensor.argmax(dim=1)
print(result.dtype, result.to(torch.int32).numpy().dtype)
# => torch.int64 int32

# %%
# TensorRT
# --------
#
# An engine works on addresses: ``context.set_tensor_address("input", x.data_ptr())``, and the same for an
# output that you make with ``torch.empty``. The tensor has the dtype and shape of the binding, is contiguous,
# and lives until ``execute_async_v3`` on torch's current stream is done.

x = torch.rand(1, 4, 4, 3).permute(0, 3, 1, 2)
print(x.is_contiguous(), x.contiguous().is_contiguous())
# => False True
output = torch.empty((1, 10), dtype=torch.float32)
print(isinstance(output.data_ptr(), int))
# => True

# %%
# OpenVINO takes NumPy arrays, and a CPU tensor gives one that shares its memory. ``infer`` returns copies. Copy
# the result yourself if you read it with ``get_output_tensor().data`` or ``share_outputs=True``: the next
# request overwrites it.

inputs = np.ascontiguousarray(x.numpy())
print(inputs.flags.c_contiguous, torch.from_numpy(inputs.copy()).shape)
# => True torch.Size([1, 3, 4, 4])
