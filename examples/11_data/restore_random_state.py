"""
Resume training with the same random numbers: save all states
=============================================================

Save ``torch.get_rng_state()``, ``np.random.get_state()`` and ``random.getstate()`` with the checkpoint, on GPUs
``torch.cuda.get_rng_state_all()`` as well. Generators of your own have states of their own.
"""

# sphinx_gallery_tags = ["random", "seed", "checkpoint", "save"]

import io
import random

import numpy as np
import torch

# %%
# To begin with known numbers, seed each library. ``torch.manual_seed`` seeds the CPU and the GPUs.

random.seed(0)
np.random.seed(0)
torch.manual_seed(0)
generator = np.random.default_rng(0)

# %%
# The states are Python objects, an array among them, and a tensor. ``torch.load`` with
# ``weights_only=True`` refuses the array, so store it as a tensor.


def save_states():
    name, keys, *rest = np.random.get_state()
    return {
        "python": random.getstate(),
        "numpy": [name, torch.from_numpy(keys.astype(np.int64)), *rest],
        "generator": generator.bit_generator.state,
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all(),
    }


def restore_states(states):
    name, keys, *rest = states["numpy"]
    random.setstate(states["python"])
    np.random.set_state((name, keys.numpy().astype(np.uint32), *rest))
    generator.bit_generator.state = states["generator"]
    torch.set_rng_state(states["torch"])
    torch.cuda.set_rng_state_all(states["cuda"])


def draw():
    return random.random(), np.random.rand(), generator.random(), torch.rand(1).item()


file = io.BytesIO()
torch.save(save_states(), file)
first = draw()
file.seek(0)
restore_states(torch.load(file, weights_only=True))
print(draw() == first)
# => True

# %%
# The order of a shuffling ``DataLoader`` comes from the generator that you pass, or else from torch's own
# state. Save that state at the start of an epoch to repeat the order.

order = torch.Generator().manual_seed(1)
loader = torch.utils.data.DataLoader(range(6), shuffle=True, generator=order)
state = order.get_state()
epoch = torch.cat(list(loader))
order.set_state(state)
print(torch.equal(torch.cat(list(loader)), epoch))
# => True

# %%
# A new seed restores no state: the numbers begin again.

torch.manual_seed(0)
start = torch.rand(1)
later = torch.rand(1)
torch.manual_seed(0)
print(torch.equal(torch.rand(1), start), torch.equal(start, later))
# => True False
