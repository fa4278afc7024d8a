"""
ONNX Runtime: tensors and arrays in and out
===========================================

``session.run`` takes a dictionary of NumPy arrays and returns a list of them: ``tensor.numpy()`` goes
in, and ``torch.from_numpy`` brings the result back without a copy.
"""

# sphinx_gallery_tags = ["onnxruntime", "onnx", "dtype", "sharing", "silent"]

import numpy as np
import onnxruntime
import torch
from onnx import TensorProto, helper

# %%
# A model has named inputs, each with a dtype and a shape. This model adds its input to itself. A
# model exported from torch is used in the same way.

x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3])
y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 3])
graph = helper.make_graph([helper.make_node("Add", ["x", "x"], ["y"])], "double", [x], [y])
opset = helper.make_opsetid("", 17)
model = helper.make_model(graph, opset_imports=[opset], ir_version=8).SerializeToString()
session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
print([(given.name, given.type, given.shape) for given in session.get_inputs()])
# => [('x', 'tensor(float)', ['batch', 3])]

# %%
# Pass the tensor's array under the input's name. If the tensor requires gradients or is on a GPU,
# call ``detach().cpu()`` first. A nested list is converted; a tensor raises.

batch = torch.ones(2, 3)
(doubled,) = session.run(None, {"x": batch.numpy()})
print(type(doubled).__name__, doubled.dtype, doubled.shape)
# => ndarray float32 (2, 3)

# %%
# The result is a writable array, and ``from_numpy`` shares its memory. The next ``run`` returns a
# new array.

result = torch.from_numpy(doubled)
result[0, 0] = 9
(again,) = session.run(None, {"x": batch.numpy()})
print(doubled[0], again[0])
# => [9. 2. 2.] [2. 2. 2.]

# %%
# Pass an array of the declared dtype. ``float64`` :doc:`raises
# </gallery/13_errors/onnx_input_type>`; it is not cast.

try:
    session.run(None, {"x": np.ones((2, 3))})
except Exception as error:
    print(str(error).split(" : ")[-1])
# => Unexpected input data type. Actual: (tensor(double)) , expected: (tensor(float))

# %%
# ONNX Runtime does not check the byte order. It accepts ``>f4`` as ``float32`` but misreads the
# bytes, without an error. Cast such an array to ``np.float32`` first.

foreign = np.ones((1, 3), dtype=">f4")
(misread,) = session.run(None, {"x": foreign})
(right,) = session.run(None, {"x": foreign.astype(np.float32)})
print(misread[0, 0] == 2, right[0, 0] == 2)
# => False True

# %%
# A transposed array, or the array of a permuted tensor, works: ONNX Runtime copies an array that is
# not contiguous.

columns = torch.arange(6.0).reshape(3, 2).T
print(session.run(None, {"x": columns.numpy()})[0][1])
# => [ 2.  6. 10.]

# %%
# The ``OrtValue`` of this array shares its memory, so it shows later writes.

array = np.ones((2, 3), dtype=np.float32)
value = onnxruntime.OrtValue.ortvalue_from_numpy(array)
array[0, 0] = 7
print(value.numpy()[0])
# => [7. 1. 1.]

# %%
# ``io_binding`` writes the result directly into your tensor. Keep the tensor alive and contiguous,
# because ONNX Runtime stores its address.

output = torch.zeros(2, 3)
binding = session.io_binding()
binding.bind_cpu_input("x", batch.numpy())
binding.bind_output("y", "cpu", 0, np.float32, tuple(output.shape), output.data_ptr())
session.run_with_iobinding(binding)
print(output)
# => tensor([[2., 2., 2.],
# =>         [2., 2., 2.]])
