"""
tensor.numpy() is a method and takes no dtype
=============================================

Call ``tensor.numpy()``, with parentheses: it is a method of the tensor, there is no
``torch.numpy``, and it takes no dtype. Its only parameter is ``force``, which must be named.
"""

# sphinx_gallery_tags = ["numpy", "error"]

import torch

# %%
# The conversion is a method of the tensor: :meth:`torch.Tensor.numpy`.

tensor = torch.tensor([0.5, 1.5, 2.5])
print(tensor.numpy())
# => [0.5 1.5 2.5]

# %%
# There is no function of that name in ``torch``. This is the mirror image of
# :func:`torch.from_numpy`, which is a function and not a method:
# :doc:`/gallery/13_errors/wrong_method`.

print(hasattr(torch, "numpy"), hasattr(torch.Tensor, "numpy"))
# => False True
print(hasattr(torch, "from_numpy"), hasattr(torch.Tensor, "from_numpy"))
# => True False
try:
    torch.numpy(tensor)
except AttributeError as error:
    print(error)
# => module 'torch' has no attribute 'numpy'

# %%
# The only parameter, ``force``, must be named. What it does is the subject of
# :doc:`/gallery/02_tensor_to_numpy/force_true`.

print(tensor.numpy(force=True))
# => [0.5 1.5 2.5]
try:
    tensor.numpy(True)
except TypeError as error:
    print(error)
# => numpy() takes 0 positional arguments but 1 was given

# %%
# A dtype is not accepted either. Convert the tensor before the call or the array after it: either
# makes the copy that a new dtype needs.

try:
    tensor.numpy(dtype="float64")
except TypeError as error:
    print(error)
# => numpy() got an unexpected keyword argument 'dtype'
print(tensor.double().numpy().dtype)
# => float64
print(tensor.numpy().astype("float64").dtype)
# => float64

# %%
# Without parentheses nothing is converted: the name is then the method itself, and the mistake
# shows only where the result is used.

method = tensor.numpy
try:
    method.shape
except AttributeError as error:
    print(error)
# => 'builtin_function_or_method' object has no attribute 'shape'
print(method().shape)
# => (3,)
