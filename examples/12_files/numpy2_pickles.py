"""
No module named 'numpy._core': pickles written with NumPy 2
===========================================================

The file was pickled with NumPy 2 and is read with NumPy 1: upgrade NumPy, and save the numbers again
as ``npy`` or as tensors, which name no module of NumPy.
"""

# sphinx_gallery_tags = ["files", "checkpoint", "numpy"]

import io
import pickle

import numpy as np
import torch

# %%
# A pickle of an array does not hold the code that builds the array. It names a function and its
# module, and NumPy 2 renamed the module ``numpy.core`` to ``numpy._core``. For a contiguous array
# of numbers, the protocol of the pickle decides which function it is.

array = np.arange(3.0)
print(b"numpy._core.multiarray" in pickle.dumps(array, protocol=4))
# => True
print(b"numpy._core.numeric" in pickle.dumps(array, protocol=5))
# => True

# %%
# These short pickles name the two functions. To load them, Python imports the
# module. `NumPy 1.26.1 <https://github.com/numpy/numpy/pull/24906>`__ added the first for this
# purpose, but not the second; an older NumPy has neither.

of_protocol_4 = b"cnumpy._core.multiarray\n_reconstruct\n."
of_protocol_5 = b"cnumpy._core.numeric\n_frombuffer\n."
for data in [of_protocol_4, of_protocol_5]:
    try:
        print(pickle.loads(data).__name__)
    except ModuleNotFoundError as error:
        print(error)
# => _reconstruct
# => _frombuffer

# %%
# NumPy 2 reads files that were written with NumPy 1: it still has the old names.

print(pickle.loads(b"cnumpy.core.multiarray\n_reconstruct\n.").__name__)
# => _reconstruct

# %%
# :func:`torch.save` pickles arrays and NumPy scalars, so a checkpoint that holds one names the
# module, too. A checkpoint of tensors and Python numbers does not.


def names_numpy(checkpoint):
    file = io.BytesIO()
    torch.save(checkpoint, file)
    return b"numpy" in file.getvalue()


loss = np.float64(0.5)
print(names_numpy({"mean": array}), names_numpy({"loss": loss}))
# => True True
print(names_numpy({"mean": torch.from_numpy(array)}), names_numpy({"loss": loss.item()}))
# => False False

# %%
# The best fix is to read the file once with NumPy 2 and to save its arrays with :func:`numpy.save`
# or :func:`numpy.savez`. An ``npy`` file of numbers holds dtype, shape and bytes, and no module.
# NumPy 1 reads it too.

file = io.BytesIO()
np.save(file, array)
print(b"numpy._core" in file.getvalue(), file.getvalue()[:6])
# => False b'\x93NUMPY'

# %%
# If you must read the file with NumPy 1, give each module its old name while you load. The class
# leaves the names alone where NumPy has the new ones.


class OldNames(pickle.Unpickler):
    def find_class(self, module, name):
        if int(np.__version__.split(".")[0]) < 2:
            module = module.replace("numpy._core", "numpy.core")
        return super().find_class(module, name)


print(OldNames(io.BytesIO(of_protocol_5)).load().__name__)
# => _frombuffer
