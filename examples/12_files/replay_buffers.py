"""
Replay buffer in NumPy arrays or torch tensors: memory and dtype
================================================================

Both take the same memory: allocate once, keep pictures as ``uint8``, and convert a batch after it is drawn.
Arrays suit environments that return arrays; tensors can be on the GPU. Store numbers without a graph.
"""

# sphinx_gallery_tags = ["reinforcement learning", "memory", "uint8", "buffer", "sharing", "device"]

import numpy as np
import torch

# %%
# As ``uint8``, frames take a quarter of the bytes that they take as ``float32``.

shape = (100, 4, 84, 84)
print(np.zeros(shape, np.uint8).nbytes, torch.zeros(shape).nbytes)
# => 2822400 11289600

# %%
# An array and the tensor from it share memory, so a buffer can be both: NumPy writes, and torch draws
# batches; ``torch.as_tensor`` gives such a tensor too. Indexing with a tensor of positions copies the drawn
# rows.

observations = np.zeros((100, 4, 8, 8), dtype=np.uint8)
as_tensor = torch.from_numpy(observations)
observations[7] = 255
chosen = torch.tensor([7, 3])
batch = as_tensor[chosen].float() / 255
print(batch.shape, batch[0].max(), np.shares_memory(batch.numpy(), observations))
# => torch.Size([2, 4, 8, 8]) tensor(1.) False
print(torch.as_tensor(observations).data_ptr() == as_tensor.data_ptr())
# => True

# %%
# With a GPU, send the batch as ``uint8`` and scale it there: ``as_tensor[chosen].to("cuda").float() / 255``. Here
# the device is the CPU.

device = "cpu"
sent = as_tensor[chosen].to(device)
print(sent.nbytes, (sent.float() / 255).nbytes)
# => 512 2048

# %%
# Copy what an environment returns: it may write its next observation into the same array.

frame = np.zeros(3)
kept = [frame, frame.copy()]
frame += 1
print(kept[0], kept[1])
# => [1. 1. 1.] [0. 0. 0.]

# %%
# This loss keeps its graph if you store it as a tensor. Store ``item()`` or a detached array.

weights = torch.ones(2, requires_grad=True)
loss = (weights**2).sum()
print(loss.grad_fn is not None, type(loss.item()).__name__, loss.detach().numpy())
# => True float 2.0

# %%
# An environment on the GPU
# -------------------------
#
# A simulator on the GPU can return tensors from ``step`` and ``reset``: observations, rewards and actions
# then stay there. Convert in a wrapper, for libraries that want arrays.


class Simulator:
    def step(self, action):
        return action * 2, action.sum()


class ArrayWrapper:
    def __init__(self, environment, device):
        self.environment = environment
        self.device = device

    def step(self, action):
        given = torch.as_tensor(action, device=self.device)
        observation, reward = self.environment.step(given)
        return observation.cpu().numpy(), reward.item()


print(Simulator().step(torch.ones(2)))
# => (tensor([2., 2.]), tensor(2.))
print(ArrayWrapper(Simulator(), device).step(np.ones(2, dtype=np.float32)))
# => (array([2., 2.], dtype=float32), 2.0)

# %%
# A ``Box`` space of Gymnasium samples arrays, also behind a wrapper for torch: call ``torch.as_tensor`` on the sample.

sample = np.random.default_rng(0).random(4, dtype=np.float32)
print(torch.as_tensor(sample, device=device).dtype)
# => torch.float32
