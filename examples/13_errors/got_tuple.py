"""
TypeError: expected np.ndarray (got tuple)
==========================================

``env.reset()`` of Gymnasium, and of the last releases of Gym, returns the observation and a dictionary:
write ``state, info = env.reset()``, and unpack five values from ``env.step``.

.. fix::

   - torch.from_numpy(state)
   + state, info = env.reset()
   + observation = torch.from_numpy(state)
"""

# sphinx_gallery_tags = ["reinforcement learning", "from_numpy", "list", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# This class returns what an environment of `Gymnasium
# <https://gymnasium.farama.org/api/env/>`__ returns. Code that was written for an older Gym takes the
# whole tuple for the observation.


class Environment:
    def reset(self):
        return np.zeros(4, dtype=np.float32), {"lives": 3}

    def step(self, action):
        return np.full(4, action, dtype=np.float32), 1.0, False, False, {}


env = Environment()
state = env.reset()
try:
    torch.from_numpy(state)
except TypeError as error:
    print(error)
# => expected np.ndarray (got tuple)

# %%
# Code that asks it for ``shape`` names the tuple. ``torch.tensor`` names the dictionary, and ``np.array`` says
# that the shape is inhomogeneous.

try:
    state.shape
except AttributeError as error:
    print(error)
# => 'tuple' object has no attribute 'shape'

# %%
# The fix
# -------
#
# Unpack both calls. ``step`` returns five values, with ``terminated`` or ``truncated`` instead of ``done``: four
# names on the left are too few. An episode ends if it is terminated or truncated.

state, info = env.reset()
observation = torch.from_numpy(state)
print(observation)
# => tensor([0., 0., 0., 0.])
state, reward, terminated, truncated, info = env.step(1)
done = terminated or truncated
print(torch.from_numpy(state), done)
# => tensor([1., 1., 1., 1.]) False

# %%
# The vector environments of Stable-Baselines3 keep the old form: ``obs = vec_env.reset()``, and four
# values from ``step``. There, ``You have passed a tuple to the predict() function instead of a Numpy
# array or a Dict`` says that a Gymnasium environment stands where a vector environment should, or that
# its ``reset`` was not unpacked: see their `documentation
# <https://stable-baselines3.readthedocs.io/en/master/guide/vec_envs.html>`__.

# %%
# A tuple from elsewhere, such as a pair of image and label, is unpacked in the same way.

image, label = (np.zeros((2, 2), dtype=np.uint8), 1)
print(torch.from_numpy(image).shape, label)
# => torch.Size([2, 2]) 1

# %%
# What does not help
# ------------------
#
# ``state[0]`` is right once, after ``reset``. After ``step`` the variable holds the array alone, and
# the same line takes its first entry.

print(type(env.reset()[0]).__name__, type(env.step(1)[0][0]).__name__)
# => ndarray float32

# %%
# An array of dtype ``object`` holds the items of the tuple, and torch refuses that dtype:
# :doc:`/gallery/13_errors/object_array`.

try:
    torch.from_numpy(np.array(env.reset(), dtype=object))
except TypeError as error:
    print(str(error).partition(". The only")[0])
# => can't convert np.ndarray of type numpy.object_
