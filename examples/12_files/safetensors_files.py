"""
safetensors files in torch and NumPy
====================================

``safetensors.torch`` and ``safetensors.numpy`` read and write the same files. If a value is not
contiguous, the first raises, but version 0.8.0 of the second saves wrong numbers: call
``np.ascontiguousarray`` on such an array.
"""

# sphinx_gallery_tags = ["safetensors", "files", "checkpoint", "save", "error", "silent"]

import pathlib
import tempfile

import numpy as np
import safetensors
import safetensors.numpy
import safetensors.torch
import torch

# %%
# NumPy can load a file that torch saved if it has the dtypes in it. The usual exception is
# ``bfloat16``: :doc:`/gallery/13_errors/safetensors_bfloat16`.

folder = tempfile.TemporaryDirectory()
path = pathlib.Path(folder.name, "model.safetensors")
weights = torch.arange(6.0).reshape(2, 3).requires_grad_()
safetensors.torch.save_file({"weight": weights, "steps": torch.tensor([3])}, path)
arrays = safetensors.numpy.load_file(path)
print(arrays["weight"].dtype, arrays["steps"])
# => float32 [3]

# %%
# The loaded array is a writable copy. The file does not store whether a tensor required gradients.

arrays["weight"][0] = 0
loaded = safetensors.torch.load_file(path)["weight"]
print(loaded.requires_grad, loaded[0])
# => False tensor([0., 1., 2.])

# %%
# You can read one tensor of many without the others, as a tensor (``pt``) or an array (``np``). You
# can also read a slice of it.

with safetensors.safe_open(path, framework="np") as file:
    print(sorted(file.keys()), file.get_slice("weight")[:, :1].shape)
# => ['steps', 'weight'] (2, 1)

# %%
# ``safetensors.torch`` saves tensors, ``safetensors.numpy`` arrays. Convert the values first, with
# ``numpy()`` or ``from_numpy``.

try:
    safetensors.torch.save({"weight": np.zeros(2)})
except ValueError as error:
    print(error)
# => Key `weight` is invalid, expected torch.Tensor but received <class 'numpy.ndarray'>
print(type(safetensors.numpy.save({"weight": weights.detach().numpy()})).__name__)
# => bytes

# %%
# ``safetensors.torch`` raises for this transposed tensor: make it contiguous first.

try:
    safetensors.torch.save({"weight": weights.T})
except ValueError as error:
    print(str(error).split(":")[0])
# => You are trying to save a non contiguous tensor

# %%
# ``safetensors.numpy`` does not check this. For this transposed array, `version 0.8.0
# <https://github.com/safetensors/safetensors/issues/825>`__ saves the right shape but the wrong
# numbers, without an error. Slices with a step and arrays in Fortran order are affected, too.

transposed = weights.detach().numpy().T
stored = safetensors.numpy.load(safetensors.numpy.save({"weight": transposed}))
print(transposed)
# => [[0. 3.]
# =>  [1. 4.]
# =>  [2. 5.]]
print(stored["weight"])
# => [[0. 1.]
# =>  [2. 3.]
# =>  [4. 5.]]

# %%
# Make such an array contiguous before you save it. Files that 0.8.0 wrote from such arrays hold wrong
# numbers: save them again.

contiguous = np.ascontiguousarray(transposed)
stored = safetensors.numpy.load(safetensors.numpy.save({"weight": contiguous}))
print(np.array_equal(stored["weight"], transposed))
# => True

# %%
# Two names for the same memory, as with tied weights, raise, because the file would hold the values
# twice. ``save_model`` saves them once, as `the documentation
# <https://huggingface.co/docs/safetensors/torch_shared_tensors>`__ explains. If the names are of different
# layers, their weights are views of one buffer: clone each of them.

try:
    safetensors.torch.save({"embedding": weights, "head": weights})
except RuntimeError as error:
    print("Some tensors share memory" in str(error))
# => True
tied = {"embedding": weights, "head": weights}
owned = {name: tensor.detach().clone().contiguous() for name, tensor in tied.items()}
data = safetensors.torch.save(owned)
print(sorted(safetensors.torch.load(data)))
# => ['embedding', 'head']

# %%
# For a view its own elements are saved, while :func:`torch.save` writes the whole storage.

table = torch.zeros(1000, 1000)
print(len(safetensors.torch.save({"row": table[0]})) < 2 * 1000 * table.element_size())
# => True
folder.cleanup()
