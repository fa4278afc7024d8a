"""
TypeError: data type 'bfloat16' not understood
==============================================

NumPy has no ``bfloat16`` unless ``ml_dtypes`` is imported: load such weights with torch and convert
them to ``float32``.

.. fix::

   - safetensors.numpy.load_file(path)
   + tensors = safetensors.torch.load_file(path)
   + arrays = {name: tensor.float().numpy() for name, tensor in tensors.items()}
"""

# sphinx_gallery_tags = ["safetensors", "ml_dtypes", "dtype", "files", "checkpoint", "error"]

import pathlib
import subprocess
import sys
import tempfile

import safetensors
import safetensors.numpy
import safetensors.torch
import torch

# %%
# The error
# ---------
#
# The weight in this file is ``bfloat16``. Loading it as an array raises, although the other tensor
# of the file can be loaded.

folder = tempfile.TemporaryDirectory()
path = pathlib.Path(folder.name, "model.safetensors")
weights = {"weight": torch.tensor([1.5, 70_000.0], dtype=torch.bfloat16), "scale": torch.ones(1)}
safetensors.torch.save_file(weights, path)
try:
    safetensors.numpy.load_file(path)
except TypeError as error:
    print(error)
# => data type 'bfloat16' not understood
with safetensors.safe_open(path, framework="np") as file:
    print(file.get_tensor("scale"))
# => [1.]

# %%
# If you load from bytes instead of a file, you get a ``KeyError`` with the name that the dtype has
# in the file.

try:
    safetensors.numpy.load(path.read_bytes())
except KeyError as error:
    print(error)
# => 'BF16'

# %%
# The fix
# -------
#
# Load with torch and convert to ``float32``, which holds the values exactly in twice the memory.

tensors = safetensors.torch.load_file(path)
arrays = {name: tensor.float().numpy() for name, tensor in tensors.items()}
print(arrays["weight"].dtype, arrays["weight"])
# => float32 [1.5000e+00 7.0144e+04]

# %%
# If the file is large, convert one tensor at a time. With ``framework="pt"`` you can load them one
# by one.

with safetensors.safe_open(path, framework="pt") as file:
    for name in sorted(file.keys()):
        print(name, file.get_tensor(name).float().numpy().dtype)
# => scale float32
# => weight float32

# %%
# To keep the 16 bits, view them as integers. ``view`` also converts them back.

bits = tensors["weight"].view(torch.int16).numpy()
print(torch.equal(torch.from_numpy(bits).view(torch.bfloat16), tensors["weight"]))
# => True

# %%
# The package ``ml_dtypes``, which is installed with JAX, adds the dtype to NumPy. Once it is
# imported, ``load_file`` works, but ``load`` from bytes still raises, and torch does not accept an
# array of that dtype. The code below runs in a separate process.

code = """
import sys, ml_dtypes, safetensors.numpy, torch
array = safetensors.numpy.load_file(sys.argv[1])["weight"]
print(array.dtype)
try:
    torch.from_numpy(array)
except TypeError as error:
    print(str(error).split(". ")[0])
"""
child = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True)
print(child.stdout, end="")
# => bfloat16
# => can't convert np.ndarray of type ml_dtypes.bfloat16

# %%
# What does not help
# ------------------
#
# Calling ``numpy()`` on the loaded tensor fails for the same reason, with a different message:
# :doc:`/gallery/13_errors/bfloat16`.

try:
    tensors["weight"].numpy()
except TypeError as error:
    print(error)
# => Got unsupported ScalarType BFloat16

# %%
# ``half()`` converts, but numbers too large for ``float16`` become infinite.

print(tensors["weight"].half().numpy())
# => [1.5 inf]
folder.cleanup()
