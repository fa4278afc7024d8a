"""
InvalidArgument: Unexpected input data type. Actual: (tensor(double))
=====================================================================

ONNX Runtime does not cast an array: pass ``run`` one of the dtype that the model declares.

.. fix::

   - session.run(None, {"x": rows})
   + outputs = session.run(None, {"x": rows.astype(dtypes[wanted.type])})
"""

# sphinx_gallery_tags = ["onnxruntime", "onnx", "dtype", "error"]

import numpy as np
import onnxruntime
import torch
from onnx import TensorProto, helper

# %%
# The error
# ---------
#
# A model declares the dtype of each input. ``double`` is NumPy's ``float64``, the default of
# :func:`numpy.zeros` and similar functions; ``float`` is ``float32``. This example's model adds its
# input to itself.

x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3])
y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 3])
graph = helper.make_graph([helper.make_node("Add", ["x", "x"], ["y"])], "double", [x], [y])
opset = helper.make_opsetid("", 17)
model = helper.make_model(graph, opset_imports=[opset], ir_version=8).SerializeToString()
session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])

rows = np.ones((2, 3))
try:
    session.run(None, {"x": rows})
except Exception as error:
    print(error)
# => [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Unexpected input data type. Actual: (tensor(double)) , expected: (tensor(float))

# %%
# The tensor and the NumPy scalar here are not accepted as input.

try:
    session.run(None, {"x": torch.ones(2, 3)})
except RuntimeError as error:
    print(error)
# => Input must be a list of dictionaries or a single numpy array for input 'x'.
try:
    session.run(None, {"x": np.float32(1)})
except RuntimeError as error:
    print(error)
# => Unable to handle object of type <class 'numpy.float32'>

# %%
# The fix
# -------
#
# Read the expected dtype from the session, and cast the array to it. ``tensor(float)`` is ``np.float32``,
# ``tensor(float16)`` is ``np.float16``, ``tensor(int64)`` is ``np.int64``.

dtypes = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(double)": np.float64}
dtypes |= {"tensor(int64)": np.int64, "tensor(int32)": np.int32, "tensor(uint8)": np.uint8}
wanted = session.get_inputs()[0]
outputs = session.run(None, {"x": rows.astype(dtypes[wanted.type])})
print(wanted.name, wanted.type, wanted.shape)
# => x tensor(float) ['batch', 3]
print(outputs[0])
# => [[2. 2. 2.]
# =>  [2. 2. 2.]]

# %%
# For a tensor, call ``detach().cpu()``, cast it, then convert. ``numpy()`` does not change the
# dtype.

tensor = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
outputs = session.run(None, {"x": tensor.detach().cpu().float().numpy()})
print(outputs[0].dtype)
# => float32

# %%
# Token ids are usually ``tensor(int64)``, the default for integers in torch and in NumPy on Linux.
# A model that declares ``int32`` raises for them too.

ids = torch.tensor([[1, 2, 3]])
print(ids.numpy().dtype, ids.to(torch.int32).numpy().dtype)
# => int64 int32

# %%
# What does not help
# ------------------
#
# ``astype`` returns a new array, so use the result.

rows.astype(np.float32)
try:
    session.run(None, {"x": rows})
except Exception as error:
    print(type(error).__name__)
# => InvalidArgument

# %%
# A wrong rank, size or name raises a different error. For rank and size its class is ONNX Runtime's
# own and derives from ``Exception``, so ``except RuntimeError`` does not catch it.

for shape in [(3,), (2, 4)]:
    try:
        session.run(None, {"x": np.ones(shape, dtype=np.float32)})
    except Exception as error:
        print(isinstance(error, RuntimeError), str(error).split(" : ")[-1].splitlines()[0])
# => False Invalid rank for input: x Got: 1 Expected: 2 Please fix either the inputs/outputs or the model.
# => False Got invalid dimensions for input: x for the following indices
try:
    session.run(None, {"input": np.ones((2, 3), dtype=np.float32)})
except ValueError as error:
    print(error)
# => Required inputs (['x']) are missing from input feed (['input']).
