"""
AttributeError: 'list' object has no attribute 'to'
===================================================

The batch is a list, a tuple or a dictionary of tensors, or a generator: move or convert each tensor in
it.

.. fix::

   - batch.to("cpu")
   + moved = [part.to("cpu") for part in batch]
   + moved = {name: part.to("cpu") for name, part in named.items()}
   + stacked = torch.stack(samples).to("cpu")
"""

# sphinx_gallery_tags = ["dataloader", "list", "device", "error"]

import torch
from torch.utils.data import DataLoader, TensorDataset

# %%
# The error
# ---------
#
# By default, a loader of a ``TensorDataset`` returns a list, with one tensor for each part of a sample. With a dataset
# that returns dictionaries it gives a dictionary, whose numbers are tensors.

loader = DataLoader(TensorDataset(torch.ones(4, 2), torch.zeros(4)), batch_size=2)
batch = next(iter(loader))
try:
    batch.to("cpu")
except AttributeError as error:
    print(error)
# => 'list' object has no attribute 'to'
named = {"x": batch[0], "y": batch[1]}
for name in ["to", "cuda", "size", "float", "unsqueeze"]:
    try:
        getattr(named, name)
    except AttributeError as error:
        print(error)
# => 'dict' object has no attribute 'to'
# => 'dict' object has no attribute 'cuda'
# => 'dict' object has no attribute 'size'
# => 'dict' object has no attribute 'float'
# => 'dict' object has no attribute 'unsqueeze'

# %%
# The samples of a batch come to ``collate_fn`` as a list, and outputs that a loop appends are one, too. A generator,
# such as the result of
# ``model.predict(source, stream=True)`` of ultralytics, has its results one after the other.

samples = [torch.ones(2), torch.zeros(2)]
try:
    samples.numpy()
except AttributeError as error:
    print(error)
# => 'list' object has no attribute 'numpy'
results = (sample for sample in samples)
try:
    results.numpy()
except AttributeError as error:
    print(error)
# => 'generator' object has no attribute 'numpy'

# %%
# The fix
# -------
#
# Unpack the batch, or go through it. The loop of training can name the parts.

moved = [part.to("cpu") for part in batch]
print([part.shape for part in moved])
# => [torch.Size([2, 2]), torch.Size([2])]
for x, y in loader:
    x, y = x.to("cpu"), y.to("cpu")
print(x.shape, y.shape)
# => torch.Size([2, 2]) torch.Size([2])

# %%
# A dictionary keeps its names. Leave out file names and other text.

moved = {name: part.to("cpu") for name, part in named.items()}
print(sorted(moved))
# => ['x', 'y']

# %%
# Samples of one shape become one tensor.

stacked = torch.stack(samples).to("cpu")
print(stacked.numpy())
# => [[1. 1.]
# =>  [0. 0.]]

# %%
# Go through a generator, and convert each result.

print([result.numpy().tolist() for result in results])
# => [[1.0, 1.0], [0.0, 0.0]]

# %%
# With Hugging Face, ``tokenizer(…, return_tensors="pt")`` returns a ``BatchEncoding``, which has ``to``; without
# ``return_tensors`` it holds lists. Its tensors are ``encoding["input_ids"]`` and so on. If a model returned the tuple, see
# :doc:`/gallery/13_errors/tuple_output`.
#
# What does not help
# ------------------
#
# ``torch.tensor`` of a list of tensors takes numbers, not tensors with several elements.

try:
    torch.tensor(samples)
except ValueError as error:
    print(error)
# => only one element tensors can be converted to Python scalars
