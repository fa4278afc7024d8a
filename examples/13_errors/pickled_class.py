"""
AttributeError: Can't get attribute 'Net' on <module '__main__' …
=================================================================

The file pickles an object of a class that the loading program does not have under that name: import or
define it there first, and save the ``state_dict`` next time.

.. fix::

   - torch.load(file, weights_only=False)
   + Net = define()
   + torch.load(file, weights_only=False)
"""

# sphinx_gallery_tags = ["files", "load", "pickle", "checkpoint", "error"]

import io
import pickle
import sys
import types

import torch

# %%
# The error
# ---------
#
# Pickle stores a class by module and name. A model that was saved whole from a script or a notebook
# belongs to ``__main__``, and the program that loads it has another ``__main__``. Functions and settings
# that the checkpoint holds are looked up in the same way.


def define():
    class Net(torch.nn.Linear):
        pass

    Net.__qualname__ = "Net"
    return Net


Net = define()
model = Net(2, 1)
file = io.BytesIO()
torch.save(model, file)

# %%
# Another program does not have the name, as here after ``del``.

del Net
file.seek(0)
try:
    torch.load(file, weights_only=False)
except AttributeError as error:
    print(str(error).split(" from ")[0])
# => Can't get attribute 'Net' on <module '__main__'

# %%
# The fix
# -------
#
# Before you load, give the program the name: ``from train import Net``, or define it there. A pickle can
# run code, so load it from people whom you trust.

Net = define()
file.seek(0)
print(torch.load(file, weights_only=False))
# => Net(in_features=2, out_features=1, bias=True)

# %%
# If the class was in a module of its own, such as ``models.py``, the loading program has to find that
# module, too: the error is a ``ModuleNotFoundError`` then. Put its folder on the path, or register the module
# under its old name.

models = types.ModuleType("models")
models.Net = define()
models.Net.__module__ = "models"
sys.modules["models"] = models
other = io.BytesIO()
torch.save(models.Net(2, 1), other)
del sys.modules["models"]
other.seek(0)
try:
    torch.load(other, weights_only=False)
except ModuleNotFoundError as error:
    print(error.name)
# => models
sys.modules["models"] = models
other.seek(0)
print(torch.load(other, weights_only=False))
# => Net(in_features=2, out_features=1, bias=True)
del sys.modules["models"]

# %%
# To have no class in the file, save tensors by name. A file like this loads without the class, and in
# ``weights_only`` mode.

state = io.BytesIO()
torch.save(model.state_dict(), state)
state.seek(0)
print(Net(2, 1).load_state_dict(torch.load(state, weights_only=True)))
# => <All keys matched successfully>

# %%
# Is the module one of torch or NumPy, as in ``Can't get attribute '_rebuild_tensor_v3' on <module
# 'torch._utils'``? Then a newer release wrote the file: upgrade the package. For ``numpy._core`` see
# :doc:`/gallery/12_files/numpy2_pickles`.
#
# Other errors of old pickles
# ---------------------------
#
# A pickle that Python 2 wrote has text as bytes. ``np.load`` takes ``encoding="latin1"`` as well, with
# ``allow_pickle=True``, and so does ``torch.load``.

of_python_2 = b"S'\\xe9'\n."
try:
    pickle.loads(of_python_2)
except UnicodeDecodeError as error:
    print(error)
# => 'ascii' codec can't decode byte 0xe9 in position 0: ordinal not in range(128)
print(len(pickle.loads(of_python_2, encoding="latin1")))
# => 1

# %%
# ``torch.load`` reads files of ``torch.save``. For a file of ``pickle.dump`` it raises; read it with
# ``pickle.load``. The reverse, ``pickle.load`` for a file of torch, asks for a ``persistent_load``.

dumped = pickle.dumps({"x": 1})
try:
    torch.load(io.BytesIO(dumped), weights_only=False)
except RuntimeError as error:
    print(error)
# => Invalid magic number; corrupt file?
print(pickle.loads(dumped))
# => {'x': 1}

# %%
# A newer protocol needs a newer Python: protocol 5 came with Python 3.8.

try:
    pickle.loads(b"\x80\x09.")
except ValueError as error:
    print(error)
# => unsupported pickle protocol: 9

# %%
# What does not help
# ------------------
#
# With ``weights_only=True`` torch asks for the class before it looks for it.

file.seek(0)
try:
    torch.load(file, weights_only=True)
except Exception as error:
    print(str(error).split(".")[0])
# => Weights only load failed
