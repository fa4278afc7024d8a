"""
Tensor observations for Gymnasium and Stable-Baselines3
=======================================================

Environments and replay buffers hold NumPy arrays: return ``obs.detach().cpu().numpy()``. To keep
tensors on the GPU, call the policy, ``model.policy(obs)``, instead of ``model.predict``.
"""

# sphinx_gallery_tags = ["reinforcement learning", "device", "copy", "sharing"]

import numpy as np
import torch

# %%
# An encoder or a simulator that runs on the GPU produces tensors. NumPy has no arrays there, so a
# library that stores observations as arrays needs one copy to the CPU. ``detach`` first: an
# observation that requires grad raises otherwise, and would keep its graph.

encoder = torch.nn.Linear(4, 2)
latent = encoder(torch.ones(3, 4))
observations = latent.detach().cpu().numpy()
print(type(observations).__name__, observations.shape, observations.dtype)
# => ndarray (3, 2) float32

# %%
# Copy the observations of all environments at once, as above, rather than one environment or one
# value at a time: each copy from a GPU waits for it. On the CPU, ``cpu()`` and
# ``numpy()`` share the memory.

print(np.shares_memory(observations, latent.detach().numpy()))
# => True

# %%
# An environment may write its next observation into the same memory. An observation that shares
# this memory then changes, too: copy it before you store it.

state = torch.zeros(2)


def step(action):
    state.add_(action)
    return state.numpy()


first = step(1)
second = step(1).copy()
step(1)
print(first, second)
# => [3. 3.] [2. 2.]

# %%
# The policy takes a batch of tensors. ``as_tensor`` shares the memory on the CPU; with
# ``device="cuda"`` it copies.

policy = torch.nn.Linear(2, 3)
with torch.no_grad():
    scores = policy(torch.as_tensor(observations))
print(scores.shape)
# => torch.Size([3, 3])

# %%
# Actions go the other way: an array for several environments, or a Python number for one with a
# discrete action space.

actions = scores.argmax(dim=1)
print(actions.cpu().numpy().dtype, type(actions[0].item()).__name__)
# => int64 int

# %%
# In Stable-Baselines3, ``predict`` takes and returns arrays. `The policy
# <https://stable-baselines3.readthedocs.io/en/master/modules/base.html>`__ is a module that takes
# tensors on its device: under ``torch.no_grad()``, ``model.policy(obs)`` returns tensors, of PPO
# actions, values and log-probabilities, of DQN the actions. Its buffers store observations in
# arrays.
