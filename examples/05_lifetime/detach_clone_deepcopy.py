"""
detach, clone or deepcopy: what is copied?
==========================================

``detach`` shares memory but not the graph, ``clone`` copies the memory and stays in the graph, and
``copy.deepcopy`` copies a leaf into a new leaf. For a snapshot call ``detach().clone()``.
"""

# sphinx_gallery_tags = ["copy", "sharing", "autograd", "error"]

import copy

import numpy as np
import torch

# %%
# After each of the three calls, the code changes the tensor. The result of
# :meth:`torch.Tensor.detach` changes too, because it uses the same memory.

weights = torch.tensor([1.0, 2.0], requires_grad=True)
detached = weights.detach()
cloned = weights.clone()
deep = copy.deepcopy(weights)
with torch.no_grad():
    weights[0] = 7
print(detached.tolist(), cloned.tolist(), deep.tolist())
# => [7.0, 2.0] [1.0, 2.0] [1.0, 2.0]

# %%
# Gradients flow through :meth:`torch.Tensor.clone` to the original. The detached tensor has no
# graph. The deep copy is a new leaf with its own gradient.

print(detached.requires_grad, cloned.requires_grad, deep.requires_grad)
# => False True True
(cloned * 3).sum().backward()
print(weights.grad, deep.grad)
# => tensor([3., 3.]) None

# %%
# Neither ``detach`` nor ``clone`` alone is enough for a snapshot: ``detach`` still shares memory,
# and ``clone`` keeps the graph in memory. Call both. The result also converts to an array.

snapshot = weights.detach().clone()
array = snapshot.numpy()
array[:] = 0
print(weights.detach())
# => tensor([7., 2.])

# %%
# :func:`copy.deepcopy` raises for a tensor computed from ``weights``, because that is not a leaf.

result = weights * 2
try:
    copy.deepcopy(result)
except RuntimeError as error:
    print(str(error).split(".")[0])
# => Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment
print(result.detach().clone())
# => tensor([14.,  4.])

# %%
# ``deepcopy`` also copies the accumulated gradient; ``detach`` and ``clone`` do not.

print(copy.deepcopy(weights).grad, weights.detach().clone().grad)
# => tensor([3., 3.]) None

# %%
# For a view the copies differ in size. ``clone`` copies the view's elements; ``deepcopy`` copies
# the whole storage and keeps the offset.

table = torch.zeros(1000, 3)
row = table[999]
print(row.clone().storage_offset(), copy.deepcopy(row).storage_offset())
# => 0 2997

# %%
# The attribute ``data`` is an older form of ``detach``. Both share memory, but here autograd does
# not notice the write through ``data`` and computes a wrong gradient, zero. After the same write
# through ``detach()`` it raises.

leaf = torch.ones(1, requires_grad=True)
result = leaf.sigmoid()
result.data.zero_()
result.backward()
print(leaf.grad)
# => tensor([0.])
result = leaf.sigmoid()
result.detach().zero_()
try:
    result.backward()
except RuntimeError as error:
    print(str(error).split(":")[0])
# => one of the variables needed for gradient computation has been modified by an inplace operation

# %%
# In NumPy one method is enough: the array's ``copy`` copies the elements. If you call it on the
# array of a detached tensor, you get the same kind of snapshot.

print(np.shares_memory(weights.detach().numpy().copy(), weights.detach().numpy()))
# => False
