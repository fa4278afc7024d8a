"""
RuntimeError: from_dlpack received an invalid capsule
=====================================================

A DLPack capsule can be imported once: pass the tensor or array itself, which makes a new capsule
for the next import.

.. fix::

   - torch.from_dlpack(capsule)
   + second = torch.from_dlpack(tensor)
"""

# sphinx_gallery_tags = ["dlpack", "error"]

import array
import copy

import numpy as np
import torch

# %%
# The error
# ---------
#
# A capsule carries one reference to the memory, and `the first import takes it
# <https://dmlc.github.io/dlpack/latest/python_spec.html>`__. The capsule is then marked as used,
# and a second import raises.

tensor = torch.tensor([1.0, 2.0])
capsule = torch.utils.dlpack.to_dlpack(tensor)
first = torch.from_dlpack(capsule)
try:
    torch.from_dlpack(capsule)
except RuntimeError as error:
    print(error)
# => from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only once, so you might have already constructed a tensor from it once.

# %%
# A list or a buffer, which has no ``__dlpack__``, raises the same error.

for value in [[1.0, 2.0], array.array("f", [1.0, 2.0])]:
    try:
        torch.from_dlpack(value)
    except RuntimeError as error:
        print(str(error).split(".")[0])
# => from_dlpack received an invalid capsule
# => from_dlpack received an invalid capsule

# %%
# The fix
# -------
#
# Pass the tensor or array itself. Each import then gets a new capsule, and the results share the
# memory.

second = torch.from_dlpack(tensor)
third = np.from_dlpack(tensor)
third[0] = 7
print(first, second)
# => tensor([7., 2.]) tensor([7., 2.])

# %%
# If a function requires a capsule, make a new one for each call and do not keep it.

for _ in range(2):
    print(torch.from_dlpack(torch.utils.dlpack.to_dlpack(tensor)))
# => tensor([7., 2.])
# => tensor([7., 2.])

# %%
# For other objects, call the function for their type: :func:`torch.tensor` for a list,
# :func:`torch.frombuffer` for a buffer.

print(torch.frombuffer(array.array("f", [1.0, 2.0]), dtype=torch.float32))
# => tensor([1., 2.])

# %%
# What does not help
# ------------------
#
# Copying the capsule in advance raises.

try:
    copy.copy(torch.utils.dlpack.to_dlpack(tensor))
except TypeError as error:
    print(error)
# => cannot pickle 'PyCapsule' object

# %%
# ``torch.utils.dlpack.from_dlpack`` raises too, because it is the same function.

try:
    torch.utils.dlpack.from_dlpack(capsule)
except RuntimeError as error:
    print(str(error).split(".")[0])
# => from_dlpack received an invalid capsule

# %%
# :func:`numpy.from_dlpack` does not accept a capsule (:doc:`/gallery/09_protocols/capsules`).

try:
    np.from_dlpack(torch.utils.dlpack.to_dlpack(tensor))
except AttributeError as error:
    print(error)
# => 'PyCapsule' object has no attribute '__dlpack__'
