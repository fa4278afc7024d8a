"""
AttributeError: Can't get attribute 'Net' on <module 'train'>
=============================================================

A pickle names the class that it needs, and the program that reads it has no such class: define or
import it there first, and next time save the ``state_dict``.

.. fix::

   - torch.load(file, weights_only=False)
   + train.Net = Net
   + torch.save(model.state_dict(), file)
"""

# sphinx_gallery_tags = ["pickle", "checkpoint", "workers", "notebook", "error"]

import io
import sys
import types

import torch

# %%
# The error
# ---------
#
# ``torch.save(model)`` pickles the object with the name of its class, not with the code. In a script the
# module is ``__main__``. The message then ends with ``<module '__main__'>`` in a notebook, and in a script that
# reads the file with ``<module '__main__' from 'load.py'>``. Here the module has the name ``train``.

train = types.ModuleType("train")
sys.modules["train"] = train


class Net(torch.nn.Linear):
    """A model of the script that trained it."""


Net.__module__, Net.__qualname__ = "train", "Net"
train.Net = Net
model = Net(2, 1)
file = io.BytesIO()
torch.save(model, file)

# %%
# The program that loads the file has a ``train`` without the class.

del train.Net
file.seek(0)
try:
    torch.load(file, weights_only=False)
except AttributeError as error:
    print(error)
# => Can't get attribute 'Net' on <module 'train'>

# %%
# An object of a class of your own in the checkpoint, such as a scaler, has the same effect. If the
# module itself is missing, the message is ``No module named 'models'``: add the folder of the
# repository to ``sys.path``.

# %%
# The fix
# -------
#
# Give the module the class, from the code that trained the model. If the module is the script that you
# start, import the class there.

train.Net = Net
file.seek(0)
print(type(torch.load(file, weights_only=False)).__name__)
# => Net

# %%
# A file with the ``state_dict`` holds tensors, needs no class to be loaded, and fits
# ``weights_only=True``, the default since torch 2.6 (:doc:`/gallery/13_errors/weights_only`).

file = io.BytesIO()
torch.save(model.state_dict(), file)
file.seek(0)
again = Net(2, 1)
print(again.load_state_dict(torch.load(file)))
# => <All keys matched successfully>

# %%
# Workers of a ``DataLoader``
# ---------------------------
#
# On Windows and macOS the dataset is pickled for each worker. A class of a notebook's cell is not there in
# the worker, which says ``Can't get attribute 'MyDataset' on <module '__main__' (built-in)>`` and ends; the
# notebook shows ``DataLoader worker (pid(s) …) exited unexpectedly``
# (:doc:`/gallery/13_errors/worker_exited`). Put the class in a file and import it, or use
# ``num_workers=0``.

# %%
# What does not help
# ------------------
#
# ``strict=False`` and ``map_location`` concern the tensors. Here the reader stops before it comes to them.
