"""
Split tensors into train and test: train_test_split, random_split
=================================================================

``train_test_split`` of scikit-learn takes CPU tensors and returns tensors. For a ``Dataset``, split the
indices, or use ``torch.utils.data.random_split``. Fit a scaler on the training part alone.
"""

# sphinx_gallery_tags = ["scikit-learn", "split", "validation", "scaler", "standardscaler", "subset", "stratify"]

import numpy as np
import torch
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import Subset, TensorDataset, random_split

# %%
# Here a tensor and an array are split by the same indices.

features, labels = torch.arange(20.0).reshape(10, 2), np.arange(10) % 2
train, test, train_labels, test_labels = train_test_split(
    features, labels, test_size=0.3, random_state=0, stratify=labels
)
print(type(train).__name__, train.shape, type(test_labels).__name__, test_labels.shape)
# => Tensor torch.Size([7, 2]) ndarray (3,)

# %%
# Given a ``Dataset``, ``train_test_split`` would return lists of samples. Split indices instead: they choose
# from a ``Dataset`` and from a tensor.

kept, held = train_test_split(np.arange(10), test_size=0.3, random_state=0, stratify=labels)
dataset = TensorDataset(features, torch.from_numpy(labels))
print(len(Subset(dataset, kept.tolist())), features[torch.from_numpy(held)].shape)
# => 7 torch.Size([3, 2])

# %%
# ``random_split`` does it without scikit-learn, and without classes in equal shares.

parts = random_split(dataset, [7, 3], generator=torch.Generator().manual_seed(0))
print([len(part) for part in parts])
# => [7, 3]

# %%
# The scaler sees the training part. It returns an array: in the dtype of a float array, and ``float64`` for
# integers or a tensor.

scaler = StandardScaler().fit(train.numpy())
scaled = torch.from_numpy(scaler.transform(test.numpy())).float()
print(scaled.dtype, scaled.shape)
# => torch.float32 torch.Size([3, 2])

# %%
# Predictions go back through ``inverse_transform``: as an array with two axes and as many columns as it was
# fitted on.

predicted = scaled.clone().requires_grad_()
restored = scaler.inverse_transform(predicted.detach().cpu().numpy())
print(np.allclose(restored, test.numpy()))
# => True
