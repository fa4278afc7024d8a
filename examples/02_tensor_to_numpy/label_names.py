"""
Predicted ids to label names: argmax and tolist
===============================================

``[names[i] for i in logits.argmax(dim=-1).tolist()]``: ``argmax`` gives ``int64`` ids, and ``tolist`` Python
integers, which a list or a dictionary takes. Convert ids that are floats with ``long()`` or ``astype(int)``.
"""

# sphinx_gallery_tags = ["classification", "label", "index", "logits", "predictions", "dtype"]

import numpy as np
import torch

names = ["cat", "dog", "bird"]
logits = torch.tensor([[2.0, 0.5, 0.1], [0.2, 0.1, 3.0]])

# %%
# The outputs of a classifier are often scores, its *logits*. The largest one is the predicted class; ``softmax``
# makes probabilities of them.

print([names[i] for i in logits.argmax(dim=-1).tolist()])
# => ['cat', 'bird']
print(logits.softmax(dim=-1).max(dim=-1).values)
# => tensor([0.7285, 0.8962])

# %%
# With arrays, as the Trainer of transformers passes them to ``compute_metrics``, it is the same. Some classifiers
# give a tuple of arrays, with the logits first.

predictions = (logits.numpy(), np.zeros((2, 4)))
scores = predictions[0] if isinstance(predictions, tuple) else predictions
print(scores.argmax(axis=-1).tolist())
# => [0, 2]

# %%
# A dictionary of numbers finds no tensor, because a tensor is equal to a number but has another hash. ``item`` or
# ``tolist`` makes the number.

by_id = dict(enumerate(names))
one = logits.argmax(dim=-1)[0]
print(one in by_id, by_id[one.item()])
# => False cat

# %%
# Ids that are floats
# -------------------
#
# Ids can become floats where they are joined with floats, padded with NaN, or read from a table
# with gaps. A list refuses them.

ids = np.array([0.0, 2.0])
try:
    names[ids[0]]
except TypeError as error:
    print(error)
# => list indices must be integers or slices, not numpy.float64
print(
    [names[i] for i in ids.astype(int).tolist()],
    [names[i] for i in torch.from_numpy(ids).long().tolist()],
)
# => ['cat', 'bird'] ['cat', 'bird']

# %%
# Leave out what is padding before the cast: NaN has no integer, and -100 stands for no class.

padded = np.array([1.0, np.nan, 0.0])
print([names[i] for i in padded[~np.isnan(padded)].astype(int).tolist()])
# => ['dog', 'cat']
labels = np.array([1, -100, 2])
print([names[i] for i in labels[labels != -100].tolist()])
# => ['dog', 'bird']

# %%
# An array of names takes an array of integer ids.

print(np.array(names)[logits.argmax(dim=-1).numpy()])
# => ['cat' 'bird']

# %%
# For several labels at once, compare the ``sigmoid`` of each score with a threshold.

print([[names[i] for i in row.nonzero().flatten().tolist()] for row in logits.sigmoid() > 0.6])
# => [['cat', 'dog'], ['bird']]
