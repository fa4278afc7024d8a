"""
Which dtype do losses, targets and labels need?
===============================================

Cast targets from NumPy with ``float()`` and class labels with ``long()``. With ``float64`` targets
some losses silently become ``float64``, and others raise ``Found dtype Double but expected Float``.
"""

# sphinx_gallery_tags = ["dtype", "autograd", "error", "silent"]

import numpy as np
import torch
from torch.nn import functional

# %%
# These targets from NumPy are ``float64``, and ``mse_loss`` promotes: the loss is ``float64``,
# without a warning. The gradient has the parameter's dtype again, so training looks normal. Before
# torch 2.12 the backward pass `raises instead <https://github.com/pytorch/pytorch/pull/175743>`__.

targets = torch.from_numpy(np.array([0.0, 1.0, 1.0]))
outputs = torch.tensor([0.25, 0.5, 0.75], requires_grad=True)
loss = functional.mse_loss(outputs, targets)
loss.backward()
print(loss.dtype, outputs.grad.dtype)
# => torch.float64 torch.float32

# %%
# Of the next four losses, two promote as well and two raise: ``binary_cross_entropy`` at once,
# ``huber_loss`` in the backward pass (`issue 76646
# <https://github.com/pytorch/pytorch/issues/76646>`__). The signatures do not say so.

for name in ["l1_loss", "binary_cross_entropy_with_logits", "binary_cross_entropy", "huber_loss"]:
    try:
        functional_loss = getattr(functional, name)(outputs, targets)
        functional_loss.backward()
        print(name, functional_loss.dtype)
    except RuntimeError as error:
        print(name, error)
# => l1_loss torch.float64
# => binary_cross_entropy_with_logits torch.float64
# => binary_cross_entropy Found dtype Double but expected Float
# => huber_loss Found dtype Double but expected Float

# %%
# Cast the targets once, where you load them: the loss keeps the dtype of the outputs.

singles = targets.float()
print(functional.mse_loss(outputs, singles).dtype)
# => torch.float32

# %%
# Labels are integers, and which dtypes work depends on the function. Each line of output lists the
# answers for one dtype, in the order of ``functions``.


def accepts(function, labels):
    try:
        function(labels)
    except (RuntimeError, IndexError):
        return "-"
    return "yes"


scores, table = torch.zeros(2, 3), torch.nn.Embedding(3, 4)
functions = {
    "cross_entropy": lambda labels: functional.cross_entropy(scores, labels),
    "one_hot": lambda labels: functional.one_hot(labels, 3),
    "Embedding": table,
    "gather": lambda labels: torch.zeros(3).gather(0, labels),
}
for name in ["int64", "int32", "int16", "uint8"]:
    labels = torch.from_numpy(np.array([0, 2], dtype=name))
    print(name, [accepts(function, labels) for function in functions.values()])
# => int64 ['yes', 'yes', 'yes', 'yes']
# => int32 ['-', '-', 'yes', 'yes']
# => int16 ['-', '-', '-', '-']
# => uint8 ['yes', '-', '-', '-']

# %%
# Of these four, ``int64`` alone works in each function. These labels have that dtype already, so
# ``long()`` returns them.

labels = torch.from_numpy(np.array([0, 2]))
print(labels.long() is labels, functional.one_hot(labels, 3).dtype)
# => True torch.int64

# %%
# ``one_hot`` returns integers. To use them as class probabilities in ``cross_entropy``, cast them
# to float.

print(functional.cross_entropy(scores, functional.one_hot(labels, 3).float()).dtype)
# => torch.float32
