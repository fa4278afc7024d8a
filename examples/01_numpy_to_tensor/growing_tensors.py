"""
Append to a tensor in a loop: join once, or preallocate
=======================================================

A tensor has a fixed size, and ``torch.cat`` in a loop copies it each time: append to a Python list and call
``torch.stack`` once, or write into a tensor of the final size.
"""

# sphinx_gallery_tags = ["list", "append", "memory", "creation", "sliding", "preallocate"]

from collections import deque

import numpy as np
import torch

# %%
# ``stack`` makes a new axis of the list, ``cat`` joins along an axis that is there.

rows = []
for step in range(3):
    rows.append(torch.full((2,), float(step)))
print(torch.stack(rows).shape, torch.cat(rows).shape)
# => torch.Size([3, 2]) torch.Size([6])

# %%
# If the number of rows is known, write into a tensor of that size. The slice copies the values and
# keeps the dtype of the tensor.

result = torch.empty(3, 2)
for step in range(3):
    result[step] = torch.from_numpy(np.full(2, step))
print(torch.equal(result, torch.stack(rows)), result.dtype)
# => True torch.float32

# %%
# ``torch.cat`` in a loop gives the same values, and copies what is there with each step. So does ``np.append``
# with ``axis=0``.

grown = torch.empty(0, 2)
for row in rows:
    grown = torch.cat([grown, row[None]])
print(torch.equal(grown, result))
# => True

# %%
# For numbers, append Python numbers: ``item`` on the CPU, or keep tensors and convert once on a GPU. With
# ``detach``, the list keeps no graph.

weights = torch.ones(2, requires_grad=True)
losses = [(weights * step).sum().detach() for step in range(3)]
print(torch.stack(losses).numpy())
# => [0. 2. 4.]

# %%
# The last values
# ---------------
#
# A ``deque`` keeps the last values of a stream; ``np.array`` and ``torch.tensor`` make one block of these
# numbers. ``torch.stack`` refuses a deque of tensors: make a list of it first.

recent = deque(maxlen=3)
for value in range(5):
    recent.append(float(value))
print(np.array(recent), torch.tensor(recent))
# => [2. 3. 4.] tensor([2., 3., 4.])

# %%
# In an array, overwrite the oldest place, and bring the values into order when you read them.

window = np.zeros(3)
for position in range(5):
    window[position % 3] = position
print(window, np.roll(window, -(5 % 3)))
# => [3. 4. 2.] [2. 3. 4.]
