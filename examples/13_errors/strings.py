"""
ValueError: too many dimensions 'str'
=====================================

A tensor holds no text: number the classes with ``np.unique``, convert numbers that were read as text with
``astype(np.float32)``, or tokenize sentences.

.. fix::

   - torch.tensor(labels)
   + classes, codes = np.unique(labels, return_inverse=True)
   + targets = torch.from_numpy(codes)
"""

# sphinx_gallery_tags = ["text", "pandas", "dtype", "error"]

import numpy as np
import pandas as pd
import torch

# %%
# The error
# ---------
#
# :func:`torch.tensor` looks for numbers inside the first string, as it does inside a list.

labels = ["cat", "dog", "cat"]
try:
    torch.tensor(labels)
except ValueError as error:
    print(error)
# => too many dimensions 'str'

# %%
# One string, or text behind a number, has another message. Text in an array has a third.

try:
    torch.tensor("cat")
except TypeError as error:
    print(error)
# => new(): invalid data type 'str'
try:
    torch.tensor([1, "cat"])
except TypeError as error:
    print(error)
# => new(): invalid data type 'str'
try:
    torch.from_numpy(np.array(labels))
except TypeError as error:
    print(str(error).split(". ")[0])
# => can't convert np.ndarray of type numpy.str_

# %%
# A column of words stops the cast of the whole table.

table = pd.DataFrame({"age": [31, 46], "sex": ["female", "male"]})
try:
    table.to_numpy(dtype=np.float32)
except ValueError as error:
    print(error)
# => could not convert string to float: 'female'

# %%
# The fix
# -------
#
# ``np.unique`` sorts the classes and gives each label its place among them. Keep ``classes``, to find the
# name of a prediction.

classes, codes = np.unique(labels, return_inverse=True)
targets = torch.from_numpy(codes)
print(targets, classes[targets.argmax().item()])
# => tensor([0, 1, 0]) dog

# %%
# In pandas, ``factorize`` numbers a column, and ``get_dummies`` with a dtype of numbers makes a column of zeros and ones
# for each different word.

print(torch.from_numpy(table["sex"].factorize()[0]))
# => tensor([0, 1])
print(torch.from_numpy(pd.get_dummies(table, dtype=np.float32).to_numpy(dtype=np.float32)))
# => tensor([[31.,  1.,  0.],
# =>         [46.,  0.,  1.]])

# %%
# Numbers as text are common in files. ``astype`` parses numbers with a decimal point. ``pd.to_numeric`` with ``errors="coerce"`` makes
# NaN of what is no number.

print(torch.from_numpy(np.array(["1.5", "2"]).astype(np.float32)))
# => tensor([1.5000, 2.0000])
print(pd.to_numeric(pd.Series(["1.5", "n/a"]), errors="coerce").to_numpy())
# => [1.5 nan]

# %%
# A tokenizer makes ids of sentences: with Hugging Face, ``tokenizer(texts, padding=True,
# return_tensors="pt")``. File names and other text that the model does not read stay a list.
#
# What does not help
# ------------------
#
# A dtype of ``torch.tensor`` does not make numbers of text.

try:
    torch.tensor(["1.5"], dtype=torch.float32)
except ValueError as error:
    print(error)
# => too many dimensions 'str'
