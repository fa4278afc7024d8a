"""
Token ids between tokenizers, arrays and tensors
================================================

Replace ``-100`` before a tokenizer decodes ids, and pad rows of different lengths before they become a
tensor: a fast tokenizer takes non-negative numbers, and a dense tensor rows of one length.
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
# ``Trainer`` of Hugging Face pads predictions and labels with ``-100``, which ``cross_entropy`` ignores by default. The
# ids of a fast tokenizer are unsigned, and its ``batch_decode`` raises ``OverflowError``: ``can't convert negative int to
# unsigned``, or ``out of range integral type conversion attempted``, or ``number too small to fit
# in target type`` in newer releases.

labels = np.array([[5, 7, -100], [8, -100, -100]])

# %%
# Put the tokenizer's padding there instead, and let ``skip_special_tokens=True`` drop it. Predictions may need this,
# too.

pad_token_id = 0
print(np.where(labels < 0, pad_token_id, labels))
# => [[5 7 0]
# =>  [8 0 0]]

# %%
# Scores come before ids: from logits of shape ``(batch, length, words)`` take the best word. In a tuple of outputs, the
# logits are usually first.

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
# 'truncation=True'``: the exception above it in the traceback says why. Often it is this one, for rows
# of different lengths.

rows = [[5, 7, 9], [8]]
try:
    torch.tensor(rows)
except ValueError as error:
    print(error)
# => expected sequence of length 3 at dim 1 (got 1)

# %%
# Ask the tokenizer for rows of one length, ``tokenizer(texts, padding=True, truncation=True,
# return_tensors="pt")``, or pad when the batch is made. ``DataCollatorWithPadding`` pads ``input_ids``; a column of labels
# of different lengths needs ``DataCollatorForSeq2Seq`` or ``DataCollatorForTokenClassification``, which pad labels with
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
# The message goes on that features may ``have excessive nesting``, even if the lengths alone differ. Otherwise a feature
# may have an axis too many, or be text. Call the tokenizer in ``map`` without ``return_tensors``, which adds an axis to a
# single text's ids, and drop columns of text with ``remove_columns``.

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
# text input must be of type str``: the input is neither a ``str`` nor a list of them. In a table an item is often NaN,
# where the text is missing. Pass a list, not the series or an array.

texts = pd.Series(["one", None, "two"])
print(texts.fillna("").astype(str).tolist())
# => ['one', '', 'two']
print(np.array(["one", "two"]).tolist())
# => ['one', 'two']
