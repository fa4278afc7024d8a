"""
Token ids between tokenizers, arrays and tensors
================================================

Replace ``-100`` before a tokenizer decodes ids, and pad rows of different lengths before they become a
tensor: a tokenizer takes non-negative numbers, and a tensor rows of one length.
"""

# sphinx_gallery_tags = ["pandas", "text", "tokenizer", "list", "error"]

import numpy as np
import pandas as pd
import torch
from torch.nn.utils.rnn import pad_sequence

# %%
# Decode predictions and labels
# -----------------------------
#
# ``Trainer`` of Hugging Face pads predictions and labels with ``-100``, which losses ignore. The ids of a
# tokenizer are unsigned, and ``tokenizer.batch_decode`` raises ``OverflowError``: ``can't convert negative int to
# unsigned``, or ``out of range integral type conversion attempted``, or ``number too small to fit
# in target type`` in newer releases.

labels = np.array([[5, 7, -100], [8, -100, -100]])

# %%
# Put the tokenizer's padding there instead, and let ``skip_special_tokens=True`` drop it. Predictions need this
# too.

pad_token_id = 0
print(np.where(labels < 0, pad_token_id, labels))
# => [[5 7 0]
# =>  [8 0 0]]

# %%
# Scores come before ids: from logits of shape ``(batch, length, words)`` take the best word. A tuple of outputs has the
# logits first.

logits = np.zeros((2, 3, 10), dtype=np.float32)
logits[..., 4] = 1
print(logits.argmax(axis=-1))
# => [[4 4 4]
# =>  [4 4 4]]

# %%
# Make a tensor of rows
# ---------------------
#
# ``Unable to create tensor, you should probably activate truncation and/or padding with 'padding=True'
# 'truncation=True'``: the exception above it in the traceback says why. Mostly it is this one, for rows
# of different lengths.

rows = [[5, 7, 9], [8]]
try:
    torch.tensor(rows)
except ValueError as error:
    print(error)
# => expected sequence of length 3 at dim 1 (got 1)

# %%
# Ask the tokenizer for rows of one length, ``tokenizer(texts, padding=True, truncation=True,
# return_tensors="pt")``, or pad when the batch is made. A data collator pads ``input_ids``; a column of labels of
# its own needs ``DataCollatorForSeq2Seq`` or ``DataCollatorForTokenClassification``, which pad labels with
# ``-100``.

ids = pad_sequence(
    [torch.tensor(row) for row in rows], batch_first=True, padding_value=pad_token_id
)
print(ids)
# => tensor([[5, 7, 9],
# =>         [8, 0, 0]])
print((ids != pad_token_id).long())
# => tensor([[1, 1, 1],
# =>         [1, 0, 0]])

# %%
# A feature that ``has excessive nesting`` has an axis too many, or is text. Call the tokenizer in ``map`` without
# ``return_tensors``, which adds an axis, and drop columns of text with ``remove_columns``.

nested = torch.tensor([[5, 7, 9]])
print(nested.shape, nested[0].tolist())
# => torch.Size([1, 3]) [5, 7, 9]

# %%
# If the exception above is ``Numpy is not available``, padding is not the problem:
# :doc:`/gallery/13_errors/numpy_not_available`.
#
# Give a tokenizer text
# ---------------------
#
# ``TypeError: TextEncodeInput must be Union[TextInputSequence, Tuple[InputSequence, InputSequence]]``, or ``ValueError:
# text input must be of type str``: an item is no ``str``. In a table it is often NaN, where the text is missing. Pass a list,
# not the series or an array.

texts = pd.Series(["one", None, "two"])
print(texts.fillna("").astype(str).tolist())
# => ['one', '', 'two']
print(np.array(["one", "two"]).tolist())
# => ['one', 'two']
