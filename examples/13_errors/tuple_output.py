"""
AttributeError: 'tuple' object has no attribute 'cpu'
=====================================================

The model returns several values, not one tensor: take the tensor out, as in ``output[0]``,
``output["out"]`` or ``output.logits``, and convert that.

.. fix::

   - output.cpu()
   - np.argmax(predictions, axis=2)
   + array = output[0].detach().cpu().numpy()
   + np.argmax(predictions[0], axis=2)
"""

# sphinx_gallery_tags = ["model", "numpy", "list", "error"]

import dataclasses

import numpy as np
import torch

# %%
# The error
# ---------
#
# Print ``type(output)``. An LSTM returns its output and its states as a tuple, a model of segmentation
# a dictionary, and ``max(dim=1)`` values with their indices.

output = torch.nn.LSTM(2, 3)(torch.ones(4, 1, 2))
print(type(output), [type(part) for part in output])
# => <class 'tuple'> [<class 'torch.Tensor'>, <class 'tuple'>]
try:
    output.cpu()
except AttributeError as error:
    print(error)
# => 'tuple' object has no attribute 'cpu'
for value in (list(output), {"out": output[0]}, output[0].max(dim=1)):
    try:
        value.detach()
    except AttributeError as error:
        print(error)
# => 'list' object has no attribute 'detach'
# => 'dict' object has no attribute 'detach'
# => 'torch.return_types.max' object has no attribute 'detach'

# %%
# Models of transformers return an object with fields, and so do other libraries: ``ModelOutput``,
# ``SequenceClassifierOutput``, ``Results`` of ultralytics. The class here, one of our own, does not
# have ``numpy()``. Nor does the distribution ``Normal``.


@dataclasses.dataclass
class ModelOutput:
    logits: torch.Tensor


try:
    ModelOutput(output[0]).numpy()
except AttributeError as error:
    print(error)
# => 'ModelOutput' object has no attribute 'numpy'
print(hasattr(torch.distributions.Normal(0.0, 1.0), "numpy"))
# => False

# %%
# ``model.predict(images)`` of ultralytics returns a list with one ``Results`` for each image, and
# ``stream=True`` a generator of them. Neither has ``boxes``, ``xyxy`` or ``numpy``.

stream = (ModelOutput(part) for part in output[0])
for value in ([ModelOutput(output[0])], stream):
    try:
        value.boxes
    except AttributeError as error:
        print(error)
# => 'list' object has no attribute 'boxes'
# => 'generator' object has no attribute 'boxes'

# %%
# A function that gets such an object names its class.

try:
    torch.softmax(output, dim=-1)
except TypeError as error:
    print(error)
# => softmax(): argument 'input' (position 1) must be Tensor, not tuple
try:
    int(ModelOutput(output[0]))
except TypeError as error:
    print(error)
# => int() argument must be a string, a bytes-like object or a real number, not 'ModelOutput'

# %%
# NumPy tries to make one array of the parts, which have different shapes. In ``compute_metrics`` of the
# transformers ``Trainer``, ``predictions`` is such a tuple if the model returns hidden states too, and
# ``np.argmax(predictions, axis=2)`` raises.

predictions = (np.zeros((2, 5, 3)), (np.zeros((2, 5, 8)), np.zeros((2, 5, 8))))
try:
    np.argmax(predictions, axis=2)
except ValueError as error:
    print(error)
# => setting an array element with a sequence. The requested array has an inhomogeneous shape after 2 dimensions. The detected shape was (2, 2) + inhomogeneous part.

# %%
# The fix
# -------
#
# Take the tensor by its place, key or field. Then the usual conversion works.

array = output[0].detach().cpu().numpy()
print(array.shape)
# => (4, 1, 3)
print(np.argmax(predictions[0], axis=2).shape)
# => (2, 5)
print({"out": output[0]}["out"].shape, ModelOutput(output[0]).logits.shape)
# => torch.Size([4, 1, 3]) torch.Size([4, 1, 3])
print(output[0].max(dim=1).values.shape)
# => torch.Size([4, 3])

# %%
# For the objects of a library look at its documentation: ``results[0].boxes.xyxy`` of `ultralytics
# <https://docs.ultralytics.com/modes/predict/>`__ is a tensor, and ``outputs.logits`` of `transformers
# <https://huggingface.co/docs/transformers/main_classes/output>`__ too. Take samples of a distribution, or
# its parameters.

normal = torch.distributions.Normal(torch.zeros(2), torch.ones(2))
print(normal.mean.numpy(), normal.sample().numpy().shape)
# => [0. 0.] (2,)

# %%
# Take one result of a list, as in ``results[0].boxes.xyxy.cpu().numpy()``, and loop over a generator.

print([ModelOutput(output[0])][0].logits.shape)
# => torch.Size([4, 1, 3])
for result in stream:
    print(result.logits.detach().cpu().numpy().shape)
    break
# => (1, 3)

# %%
# To convert several parts, call the method of each.

arrays = [part.detach().cpu().numpy() for part in (output[0], *output[1])]
print([part.shape for part in arrays])
# => [(4, 1, 3), (1, 1, 3), (1, 1, 3)]

# %%
# What does not help
# ------------------
#
# ``torch.tensor`` on this tuple reads each part as one number, and raises as well.

try:
    torch.tensor(output)
except (TypeError, ValueError) as error:
    print(error)
# => only one element tensors can be converted to Python scalars
# => UserWarning: Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior. Consider using tensor.detach() first.

# %%
# Use the name of the field: the first part can be another one. With labels, transformers `puts the
# loss first <https://huggingface.co/docs/transformers/main_classes/output>`__, which is a tensor of
# one number.

print(torch.tensor(0.7).shape, dataclasses.fields(ModelOutput)[0].name)
# => torch.Size([]) logits
