"""
bfloat16, float8 and quantized tensors to NumPy
===============================================

NumPy has no bfloat16 or float8: convert with ``tensor.float().numpy()``, or share the bits through
an integer ``view``. Take ``torch.view_as_real`` of a complex32 tensor and ``to_dense()`` of a
sparse one.
"""

# sphinx_gallery_tags = ["dtype", "sparse", "layout", "error"]

import torch

# %%
# NumPy has one 16-bit float and none of 8 bits. Where torch has more, there is nothing to convert
# to (`issue 110285 <https://github.com/pytorch/pytorch/issues/110285>`__).

values = torch.tensor([1.5, -2.0, 0.25])
for dtype in [torch.bfloat16, torch.float8_e4m3fn]:
    try:
        values.to(dtype).numpy()
    except TypeError as error:
        print(error)
# => Got unsupported ScalarType BFloat16
# => Got unsupported ScalarType Float8_e4m3fn

# %%
# Widening them with ``float()`` is exact, but copies: :doc:`/gallery/13_errors/bfloat16`. A
# :meth:`torch.Tensor.view` shares, and shows the bits as an integer of the same size. NumPy
# stores them or passes them on, and the same view leads back.

narrow = values.to(torch.bfloat16)
bits = narrow.view(torch.uint16).numpy()
restored = torch.from_numpy(bits).view(torch.bfloat16)
print(torch.equal(restored, narrow), restored.data_ptr() == narrow.data_ptr())
# => True True
print(values.to(torch.float8_e4m3fn).view(torch.uint8).numpy().dtype)
# => uint8

# %%
# Complex numbers made of two 16-bit floats are missing too. Their real view has a counterpart.

pairs = torch.view_as_complex(torch.tensor([[1.0, 2.0]], dtype=torch.float16))
try:
    pairs.numpy()
except TypeError as error:
    print(error)
# => Got unsupported ScalarType ComplexHalf
print(torch.view_as_real(pairs).numpy())
# => [[1. 2.]]

# %%
# A quantized tensor stores integers with a scale. :meth:`torch.Tensor.int_repr` returns those,
# ``dequantize`` the numbers they stand for. Its dtypes are on their way out of torch.

quantized = torch.quantize_per_tensor(values, 0.25, 8, torch.quint8)
# => UserWarning: torch.quantize_per_tensor, torch.quantize_per_channel and other quantized tensor creation functions that produce tensors with dtype torch.quint8, torch.qint8, and torch.qint32 are deprecated and will be removed in a future PyTorch release. Please see https://github.com/pytorch/pytorch/issues/184982 for more information.
try:
    quantized.numpy()
except TypeError as error:
    print(error)
# => Got unsupported ScalarType QUInt8
print(quantized.int_repr().numpy(), quantized.dequantize().numpy())
# => [14  0  9] [ 1.5  -2.    0.25]

# %%
# Layouts fail for the same reason as dtypes. A sparse tensor is a set of indices and values, and
# the array would have to be filled up: :doc:`/gallery/13_errors/sparse_layout`.

sparse = torch.eye(2).to_sparse()
try:
    sparse.numpy()
except TypeError as error:
    print(error)
# => can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.
print(sparse.to_dense().numpy().shape)
# => (2, 2)

# %%
# The rows of a nested tensor differ in length. Pad them to a rectangle, or convert each row that
# ``unbind`` returns.

nested = torch.nested.nested_tensor([values, values[:2]], layout=torch.jagged)
try:
    nested.numpy()
except RuntimeError as error:
    print(error)
# => .numpy() is not supported for tensor subclasses.
print(nested.to_padded_tensor(0.0).numpy())
# => [[ 1.5  -2.    0.25]
# =>  [ 1.5  -2.    0.  ]]
