"""
AxisError: axis 1 is out of bounds for array of dimension 1
===========================================================

The array has fewer axes than the call names, as after ``squeeze()`` or in an object array of several outputs:
take the last axis, ``-1``, or the output itself.

.. fix::

   - scores.argmax(axis=1)
   + scores.argmax(axis=-1)
   + predictions[0].argmax(axis=1)
"""

# sphinx_gallery_tags = ["shape", "axis", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# ``squeeze()`` also takes away the axis of a batch that has one sample. The class in the traceback is
# ``numpy.exceptions.AxisError``, or ``numpy.AxisError`` before NumPy 1.25.

logits = torch.tensor([[0.5, 2.0, 1.0]])
scores = logits.squeeze().numpy()
try:
    scores.argmax(axis=1)
except ValueError as error:
    print(error)
# => axis 1 is out of bounds for array of dimension 1

# %%
# torch has another message for it.

try:
    logits.squeeze().argmax(dim=1)
except IndexError as error:
    print(error)
# => Dimension out of range (expected to be in range of [-1, 0], but got 1)

# %%
# In ``compute_metrics`` of Hugging Face's ``Trainer``, ``predictions`` can be a tuple if the model returns more
# than logits. An object array with one place for each output has one axis.

outputs = (np.ones((2, 3)), np.ones((2, 4, 8)))
predictions = np.empty(2, dtype=object)
predictions[:] = outputs
try:
    np.argmax(predictions, axis=1)
except ValueError as error:
    print(error)
# => axis 1 is out of bounds for array of dimension 1

# %%
# The fix
# -------
#
# Print the shape first. With classes in the last axis, ``-1`` works with a batch and without.

print(scores.shape, predictions.shape)
# => (3,) (2,)
print(scores.argmax(axis=-1), logits.numpy().argmax(axis=-1))
# => 1 [1]

# %%
# Of several outputs, take the logits; see :doc:`/gallery/13_errors/tuple_output`.

print(predictions[0].argmax(axis=1))
# => [0 0]

# %%
# Squeeze the axis that you mean, or keep it.

print(logits.squeeze(-1).numpy().argmax(axis=1))
# => [1]

# %%
# A binary classifier with one output for each sample has no axis of classes. Compare with a threshold.

binary = torch.tensor([0.2, 0.9]).numpy()
print((binary > 0.5).astype(int))
# => [0 1]

# %%
# What does not help
# ------------------
#
# ``axis=0`` raises nothing, and is right without a batch. With a batch of two it chooses a sample for each class,
# instead of a class for each sample.

pair = np.array([[0.5, 2.0, 1.0], [3.0, 0.0, 0.0]])
print(pair.argmax(axis=0), pair.argmax(axis=1))
# => [1 0 0] [1 0]
