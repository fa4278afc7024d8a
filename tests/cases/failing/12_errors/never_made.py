"""
Never made
==========

Decide nothing: a case for the tests.
"""

import contextlib
import threading

import torch

old = torch.zeros(2)
view = old.view(2)

# %%
# A statement raises half-way: what it made before stays.

if True:
    half = torch.ones(3)
    old = torch.ones(4).nowhere
print(old.shape, half.shape)
# => torch.Size([4]) torch.Size([3])

# %%
# What is older than its new value is not measured: it would pass for the new one.

other = half[:2]

# %%
# The names that it would have made are missed, by whoever needs them.


def use_lost():
    return lost + 1


if True:
    first = half[0]
    lost, late = [torch.ones(2).nowhere, 1]
print(first.item())
# => 1.0
more = lost + 1
print(more)
# => 2
try:
    use_lost()
except Exception as error:
    print(type(error).__name__)
with contextlib.suppress(ValueError):
    use_lost()
threading.excepthook = lambda told: print(told.exc_value)
threads = [threading.Thread(target=use_lost)]
[thread.start() or thread.join() for thread in threads]

# %%
# What was made anew after all is there again, and an error of its own is one.

lost = half.view(3)
print(use_lost().shape)
# => torch.Size([3])
del lost
print(lost)
# => 1
