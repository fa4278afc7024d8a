"""
bfloat16, float8 and quantized tensors to NumPy
===============================================

NumPy has no bfloat16 or float8: convert with ``tensor.float().numpy()``, or share the bits through
an integer ``view``. Call ``torch.view_as_real`` on a complex32 tensor and ``to_dense()`` on a
sparse tensor.
"""

# sphinx_gallery_tags = ["dtype", "sparse", "layout", "error"]

import torch

# %%
# NumPy has only one 16-bit float and no 8-bit float, so ``bfloat16`` and the float8 dtypes have no
# counterpart (`issue 110285 <https://github.com/pytorch/pytorch/issues/110285>`__).

values = torch.tensor([1.5, -2.0, 0.25])
for dtype in [torch.bfloat16, torch.float8_e4m3fn]:
    try:
        values.to(dtype).numpy()
    except TypeError as error:
        print(error)
# => Got unsupported ScalarType BFloat16
# => Got unsupported ScalarType Float8_e4m3fn

# %%
# ``float()`` converts them exactly, but copies: :doc:`/gallery/13_errors/bfloat16`.
# :meth:`torch.Tensor.view` shares memory instead, and shows the bits as integers of the same size.
# NumPy can store these integers, and ``view`` restores the tensor.

narrow = values.to(torch.bfloat16)
bits = narrow.view(torch.int16).numpy()
restored = torch.from_numpy(bits).view(torch.bfloat16)
print(torch.equal(restored, narrow), restored.data_ptr() == narrow.data_ptr())
# => True True
print(values.to(torch.float8_e4m3fn).view(torch.uint8).numpy().dtype)
# => uint8

# %%
# NumPy has no complex dtype of two 16-bit floats either. :func:`torch.view_as_real` gives a
# ``float16`` tensor, which does convert.

pairs = torch.view_as_complex(torch.tensor([[1.0, 2.0]], dtype=torch.float16))
try:
    pairs.numpy()
except TypeError as error:
    print(error)
# => Got unsupported ScalarType ComplexHalf
print(torch.view_as_real(pairs).numpy())
# => [[1. 2.]]

# %%
# A quantised tensor stores integers and a scale. :meth:`torch.Tensor.int_repr` returns the
# integers, and ``dequantize`` the numbers that they represent. These dtypes are deprecated.

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
# A tensor can also fail because of its layout. A sparse tensor stores indices and values, so make
# it dense first: :doc:`/gallery/13_errors/sparse_layout`.

sparse = torch.eye(2).to_sparse()
try:
    sparse.numpy()
except TypeError as error:
    print(error)
# => can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.
print(sparse.to_dense().numpy().shape)
# => (2, 2)

# %%
# The rows of this nested tensor differ in length. Pad them to equal length, or convert each row
# that ``unbind`` returns.

nested = torch.nested.nested_tensor([values, values[:2]], layout=torch.jagged)
try:
    nested.numpy()
except RuntimeError as error:
    print(error)
# => .numpy() is not supported for tensor subclasses.
print(nested.to_padded_tensor(0.0).numpy())
# => [[ 1.5  -2.    0.25]
# =>  [ 1.5  -2.    0.  ]]
