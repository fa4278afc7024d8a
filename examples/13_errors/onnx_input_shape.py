"""
InvalidArgument: Got invalid dimensions for input: x for the …
==============================================================

The model was exported with fixed sizes, and the array has others: resize or pad it to
``session.get_inputs()[0].shape``, or export the model with dynamic axes.

.. fix::

   - session.run(None, {"x": images})
   + resized = F.interpolate(torch.from_numpy(images), size=tuple(wanted.shape[2:]))
   + outputs = session.run(None, {wanted.name: resized.numpy()})
"""

# sphinx_gallery_tags = ["onnxruntime", "onnx", "shape", "image", "error"]

import numpy as np
import onnxruntime
import torch
import torch.nn.functional as F
from onnx import TensorProto, helper

# %%
# The error
# ---------
#
# ``index`` counts axes from 0, so 2 and 3 are height and width in this model, which adds its input to itself.


def build_session(shape):
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)
    graph = helper.make_graph([helper.make_node("Add", ["x", "x"], ["y"])], "double", [x], [y])
    opset = helper.make_opsetid("", 17)
    model = helper.make_model(graph, opset_imports=[opset], ir_version=8).SerializeToString()
    return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])


session = build_session([1, 3, 8, 8])
images = np.ones((1, 3, 6, 6), dtype=np.float32)
try:
    session.run(None, {"x": images})
except Exception as error:
    print(error)
# => [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Got invalid dimensions for input: x for the following indices
# =>  index: 2 Got: 6 Expected: 8
# =>  index: 3 Got: 6 Expected: 8
# =>  Please fix either the inputs/outputs or the model.

# %%
# An image without the axis of the batch has one axis too few.

try:
    session.run(None, {"x": images[0]})
except Exception as error:
    print(error)
# => [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Invalid rank for input: x Got: 3 Expected: 4 Please fix either the inputs/outputs or the model.

# %%
# A name that the model does not have raises as well, and so does a missing one.

try:
    session.run(None, {"images": images})
except ValueError as error:
    print(error)
# => Required inputs (['x']) are missing from input feed (['images']).
sized = np.ones((1, 3, 8, 8), dtype=np.float32)
try:
    session.run(None, {"x": sized, "mask": sized})
except Exception as error:
    print(error)
# => [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Invalid input name: mask

# %%
# The fix
# -------
#
# Read name and shape from the session.

wanted = session.get_inputs()[0]
print(wanted.name, wanted.shape)
# => x [1, 3, 8, 8]
resized = F.interpolate(torch.from_numpy(images), size=tuple(wanted.shape[2:]))
outputs = session.run(None, {wanted.name: resized.numpy()})
print(outputs[0].shape)
# => (1, 3, 8, 8)

# %%
# Add the axis of the batch with ``[None]``. For this model, an image with the channels last needs
# ``transpose(2, 0, 1)`` before.

picture = np.ones((8, 8, 3), dtype=np.float32)
outputs = session.run(None, {wanted.name: picture.transpose(2, 0, 1)[None]})
print(outputs[0].shape)
# => (1, 3, 8, 8)

# %%
# With a batch size of 1 in the model, run the samples one after the other.

batch = np.ones((2, 3, 8, 8), dtype=np.float32)
rows = [session.run(None, {wanted.name: sample[None]})[0] for sample in batch]
print(np.concatenate(rows).shape)
# => (2, 3, 8, 8)

# %%
# This model with names in place of numbers takes other sizes there: ``torch.onnx.export`` makes one with
# ``dynamic_shapes``, or ``dynamic_axes={"x": {0: "batch", 2: "height", 3: "width"}}`` in older releases.

dynamic = build_session(["batch", 3, "height", "width"])
print(dynamic.get_inputs()[0].shape, dynamic.run(None, {"x": images})[0].shape)
# => ['batch', 3, 'height', 'width'] (1, 3, 6, 6)

# %%
# A model of transformers may want ``attention_mask`` and not ``token_type_ids``: feed the names that it has.

names = {value.name for value in session.get_inputs()}
feed = {"x": resized.numpy(), "token_type_ids": images}
print(len(session.run(None, {name: feed[name] for name in names})))
# => 1

# %%
# What does not help
# ------------------
#
# ``reshape`` to the sizes of the model raises, since the number of pixels differs.

try:
    images.reshape(1, 3, 8, 8)
except ValueError as error:
    print(error)
# => cannot reshape array of size 108 into shape (1,3,8,8)
