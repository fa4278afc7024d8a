"""
tensor.numpy() is a method and takes no dtype
=============================================

Call ``tensor.numpy()``, with parentheses: it is a method of the tensor, there is no
``torch.numpy``, and it does not take a dtype. Pass its parameter ``force`` by name.
"""

# sphinx_gallery_tags = ["numpy", "error"]

import torch

# %%
# To convert a tensor, call its method :meth:`torch.Tensor.numpy`.

tensor = torch.tensor([0.5, 1.5, 2.5])
print(tensor.numpy())
# => [0.5 1.5 2.5]

# %%
# There is no function ``torch.numpy``. For :func:`torch.from_numpy` it is the other way round: it
# is a function and not a method. See :doc:`/gallery/13_errors/wrong_method`.

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
# Pass the parameter ``force`` by name. See :doc:`/gallery/02_tensor_to_numpy/force_true`.

print(tensor.numpy(force=True))
# => [0.5 1.5 2.5]
try:
    tensor.numpy(True)
except TypeError as error:
    print(error)
# => numpy() takes 0 positional arguments but 1 was given

# %%
# There is no parameter for a dtype. Convert the tensor before the call or the array after it: here
# both make one copy.

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
# If you forget the parentheses, you get the method itself. Here the error appears later, where the
# code asks for ``shape``. A method that is written in Python, as that of a library's result, is a ``'function'``
# or a ``'method'`` in the message.

method = tensor.numpy
try:
    method.shape
except AttributeError as error:
    print(error)
# => 'builtin_function_or_method' object has no attribute 'shape'
print(method().shape)
# => (3,)
