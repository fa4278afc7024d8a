"""
ValueError: Classification metrics can't handle a mix of …
==========================================================

Often the metric compares classes with a model's scores: take ``argmax`` of the scores, or compare them with
a threshold, before you call it.

.. fix::

   - metrics.accuracy_score(labels, logits)
   + predicted = logits.argmax(axis=1)
   + metrics.accuracy_score(labels, predicted)
"""

# sphinx_gallery_tags = ["scikit-learn", "metrics", "shape", "error"]

import numpy as np
import torch
from sklearn import metrics
from sklearn.linear_model import LogisticRegression

# %%
# The error
# ---------
#
# ``accuracy_score``, ``f1_score``, ``confusion_matrix`` and similar functions compare classes. Many models
# return a score for each class: ``continuous-multioutput`` is such a table.

labels = np.array([0, 2, 1, 1])
logits = torch.tensor([[3.5, 1, 0], [0, 1, 2.5], [0, 4, 1], [2, 1, 0]]).numpy()
try:
    metrics.accuracy_score(labels, logits)
except ValueError as error:
    print(error)
# => Classification metrics can't handle a mix of multiclass and continuous-multioutput targets

# %%
# One fraction for each sample, as of a sigmoid, is ``continuous``.

scores = torch.tensor([0.2, 0.7, 0.9, 0.1]).numpy()
try:
    metrics.accuracy_score(np.array([0, 1, 1, 0]), scores)
except ValueError as error:
    print(error)
# => Classification metrics can't handle a mix of binary and continuous targets

# %%
# One-hot labels of three classes beside class indices are ``multilabel-indicator`` beside ``multiclass``.

one_hot = np.eye(3)[labels]
try:
    metrics.accuracy_score(one_hot, logits.argmax(axis=1))
except ValueError as error:
    print(error)
# => Classification metrics can't handle a mix of multilabel-indicator and multiclass targets

# %%
# A tensor without an axis has no samples. Older releases say ``TypeError: Singleton array tensor(1) cannot be
# considered a valid collection.``

try:
    metrics.accuracy_score(torch.tensor(1), torch.tensor(1))
except TypeError as error:
    print(error)
# => Input should have at least 1 dimension i.e. satisfy `len(x.shape) > 0`, got scalar `tensor(1)` instead.

# %%
# ``LogisticRegression`` wants classes, too. Fractions are a target for a regressor.

try:
    LogisticRegression().fit(np.ones((4, 1)), scores)
except ValueError as error:
    print(error)
# => Unknown label type: continuous. Maybe you are trying to fit a classifier, which expects discrete classes on a regression target with continuous values.

# %%
# The fix
# -------
#
# Turn both into class indices. These metrics take CPU tensors of integers as they are; of outputs with gradients or on
# a GPU pass ``tensor.detach().cpu().numpy()``.

predicted = logits.argmax(axis=1)
print(metrics.accuracy_score(labels, predicted))
# => 0.75
print(metrics.accuracy_score(np.array([0, 1, 1, 0]), scores > 0.5))
# => 1.0
print(metrics.accuracy_score(one_hot.argmax(axis=1), predicted))
# => 0.75

# %%
# Give a single label its axis.

print(metrics.accuracy_score(torch.tensor(1).reshape(-1), torch.tensor(1).reshape(-1)))
# => 1.0

# %%
# ``roc_auc_score`` does take scores. For class indices of several classes it wants probabilities and ``multi_class``.

print(metrics.roc_auc_score(np.array([0, 1, 1, 0]), scores))
# => 1.0
probabilities = torch.from_numpy(logits).softmax(1).numpy()
print(round(metrics.roc_auc_score(labels, probabilities, multi_class="ovr"), 3))
# => 1.0

# %%
# Other errors of metrics
# -----------------------
#
# With three classes as here, ``f1_score``, ``precision_score`` and ``recall_score`` need ``average``.

try:
    metrics.f1_score(labels, predicted)
except ValueError as error:
    print(error)
# => Target is multiclass but average='binary'. Please choose another average setting, one of [None, 'micro', 'macro', 'weighted'].
print(round(metrics.f1_score(labels, predicted, average="macro"), 3))
# => 0.778

# %%
# Labels of the whole dataset beside predictions of the last batch differ in length. Collect the
# predictions of each batch and concatenate them.

try:
    metrics.accuracy_score(labels, predicted[:2])
except ValueError as error:
    print(error)
# => Found input variables with inconsistent numbers of samples: [4, 2]
print(metrics.accuracy_score(labels, np.concatenate([predicted[:2], predicted[2:]])))
# => 0.75

# %%
# A model that has become NaN raises here: find where its output stops being finite.

diverged = torch.tensor([0.5, float("nan")])
try:
    metrics.mean_squared_error(np.zeros(2), diverged.numpy())
except ValueError as error:
    print(error)
# => Input contains NaN.
print(torch.isfinite(diverged))
# => tensor([ True, False])

# %%
# What does not help
# ------------------
#
# Rounding this table keeps a column for each class.

try:
    metrics.accuracy_score(labels, logits.round())
except ValueError as error:
    print(error)
# => Classification metrics can't handle a mix of multiclass and multiclass-multioutput targets
