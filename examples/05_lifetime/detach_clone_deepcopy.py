"""
detach, clone or deepcopy: what is copied?
==========================================

``detach`` shares the memory and leaves the graph, ``clone`` copies the memory and stays in the
graph, and ``copy.deepcopy`` copies a leaf into a new leaf; for a snapshot write ``detach().clone()``.
"""

# sphinx_gallery_tags = ["copy", "sharing", "autograd", "error"]

import copy

import numpy as np
import torch

# %%
# Change the tensor after each of the calls. What :meth:`torch.Tensor.detach` returned changes too,
# because it is another view of the same memory.

weights = torch.tensor([1.0, 2.0], requires_grad=True)
detached = weights.detach()
cloned = weights.clone()
deep = copy.deepcopy(weights)
with torch.no_grad():
    weights[0] = 7
print(detached.tolist(), cloned.tolist(), deep.tolist())
# => [7.0, 2.0] [1.0, 2.0] [1.0, 2.0]

# %%
# A gradient flows through :meth:`torch.Tensor.clone` to the original. The detached tensor has no
# graph. The deep copy is a leaf of its own, which collects its own gradient.

print(detached.requires_grad, cloned.requires_grad, deep.requires_grad)
# => False True True
(cloned * 3).sum().backward()
print(weights.grad, deep.grad)
# => tensor([3., 3.]) None

# %%
# So neither ``detach`` alone nor ``clone`` alone is a snapshot: one still shares, the other still
# holds the graph in memory. Together they are, and the tensor then converts to an array as well.

snapshot = weights.detach().clone()
array = snapshot.numpy()
array[:] = 0
print(weights.detach())
# => tensor([7., 2.])

# %%
# :func:`copy.deepcopy` refuses what was computed, because a copied graph would lead nowhere.

result = weights * 2
try:
    copy.deepcopy(result)
except RuntimeError as error:
    print(str(error).split(".")[0])
# => Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment
print(result.detach().clone())
# => tensor([14.,  4.])

# %%
# It copies the accumulated gradient too, which the other two leave behind.

print(copy.deepcopy(weights).grad, weights.detach().clone().grad)
# => tensor([3., 3.]) None

# %%
# For a view the copies differ in size. ``clone`` takes the elements that are seen; ``deepcopy``
# takes the whole storage and keeps the offset into it.

table = torch.zeros(1000, 3)
row = table[999]
print(row.clone().storage_offset(), copy.deepcopy(row).storage_offset())
# => 0 2997

# %%
# The attribute ``data`` is an older ``detach``. Both share the memory, but autograd does not notice
# a write through ``data`` and computes a wrong gradient, here zero.

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
# NumPy has one such method: ``copy`` of an array is always a copy of its elements. Called
# on the array of a detached tensor, it is the same snapshot.

print(np.shares_memory(weights.detach().numpy().copy(), weights.detach().numpy()))
# => False
