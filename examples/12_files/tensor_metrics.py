"""
Accuracy, ROC AUC and confusion matrix from tensors
===================================================

scikit-learn's metrics take CPU tensors; call ``.detach().cpu()`` on others, ``.float()`` on ``bfloat16``.
Collect predictions on the device and convert once: each copy from a GPU waits for it. ``torch.bincount`` counts a confusion matrix.
"""

# sphinx_gallery_tags = ["metrics", "scikit-learn", "evaluation", "torchmetrics", "classification", "device"]

import numpy as np
import torch
from sklearn.metrics import accuracy_score, confusion_matrix, roc_auc_score

# %%
# These metrics convert their arguments to arrays, and a CPU tensor is converted as ``np.asarray`` does it.

labels = torch.tensor([0, 1, 1, 0])
scores = torch.tensor([0.1, 0.8, 0.4, 0.3])
print(accuracy_score(labels, scores > 0.5), roc_auc_score(labels, scores))
# => 0.75 1.0

# %%
# A tensor that requires gradients is refused. Move one on a GPU to the CPU.

try:
    roc_auc_score(labels, scores.clone().requires_grad_())
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
print(roc_auc_score(labels, scores.clone().requires_grad_().detach().cpu()))
# => 1.0

# %%
# During an epoch
# ---------------
#
# Keep the outputs of the batches where they are, and join them once at the end. ``item`` in each step
# would wait for the GPU.

batches = [(scores[:2], labels[:2]), (scores[2:], labels[2:])]
seen = [score.detach() for score, _ in batches]
true = [label for _, label in batches]
print(roc_auc_score(torch.cat(true).cpu(), torch.cat(seen).cpu()))
# => 1.0

# %%
# Accuracy needs no array: add up a tensor on the device, and convert the sum.

correct = torch.zeros((), dtype=torch.int64)
for score, label in batches:
    correct += ((score > 0.5) == label).sum()
print(correct.item() / len(labels))
# => 0.75

# %%
# Confusion matrix
# ----------------
#
# ``bincount`` counts each pair of a true and a predicted class, without a loop.

classes = 3
target = torch.tensor([0, 1, 2, 2, 1])
predicted = torch.tensor([0, 2, 2, 2, 1])
pairs = target * classes + predicted
matrix = torch.bincount(pairs, minlength=classes**2).reshape(classes, classes)
print(matrix.numpy())
# => [[1 0 0]
# =>  [0 1 1]
# =>  [0 0 2]]
print(np.array_equal(matrix, confusion_matrix(target, predicted)))
# => True

# %%
# Libraries of metrics for torch, such as torchmetrics, expect tensors: pass ``torch.from_numpy(array)``. Of a
# result with one element, ``item`` gives the number.

print(torch.from_numpy(np.array([0, 1])).dtype, torch.tensor(0.75).item())
# => torch.int64 0.75
