"""
TensorFlow, MLX, Paddle or DALI array to a torch tensor
=======================================================

On the CPU, go by NumPy: ``torch.from_numpy(np.array(x))``. On a GPU use ``torch.from_dlpack(x)``, which shares
the memory; ``torch.tensor(x)`` may read an unknown array element by element.
"""

# sphinx_gallery_tags = ["tensorflow", "mlx", "paddle", "dali", "keras", "dlpack", "memoryview", "framework", "jax"]

import jax.numpy as jnp
import numpy as np
import torch

# %%
# A JAX array stands for the array of the other framework. ``np.array`` copies, so the tensor is yours to write
# to.

foreign = jnp.arange(3.0)
copy = torch.from_numpy(np.array(foreign))
copy[0] = 7
print(copy, foreign)
# => tensor([7., 1., 2.]) [0. 1. 2.]

# %%
# DLPack shares the memory, on the CPU and on the GPU. An array with ``__dlpack__`` goes straight in, others
# go through a call of their framework:
#
# - TensorFlow: ``torch.from_dlpack(tf.experimental.dlpack.to_dlpack(x))``, or ``torch.from_numpy(x.numpy())``
# - MLX: ``torch.from_numpy(np.array(x))``, and back ``mx.array(tensor)`` from the CPU, a copy
# - PaddlePaddle: ``torch.from_dlpack(paddle.utils.dlpack.to_dlpack(x))``
# - DALI: ``torch.from_dlpack(output.as_tensor())``, and ``clone()`` it before the next run reuses the memory

shared = torch.from_dlpack(foreign)
print(shared.data_ptr() == foreign.unsafe_buffer_pointer())
# => True

# %%
# Back: JAX, CuPy, MLX and NumPy take the tensor itself through ``from_dlpack``; TensorFlow's function `takes
# a capsule <https://www.tensorflow.org/api_docs/python/tf/experimental/dlpack/from_dlpack>`__:
# ``torch.utils.dlpack.to_dlpack(tensor)``.

print(jnp.from_dlpack(copy), np.from_dlpack(copy))
# => [7. 1. 2.] [7. 1. 2.]

# %%
# ``torch.tensor(memoryview(x))`` works for one axis. For more, make an array of the view.

table = memoryview(np.arange(6.0).reshape(2, 3))
print(torch.from_numpy(np.asarray(table)).shape)
# => torch.Size([2, 3])

# %%
# NumPy itself has no ``bfloat16``, so such an array goes by DLPack, or by ``float32`` of its own framework.

half = jnp.ones(2, dtype=jnp.bfloat16)
print(torch.from_dlpack(half), torch.from_numpy(np.array(half.astype(jnp.float32))).dtype)
# => tensor([1., 1.], dtype=torch.bfloat16) torch.float32

# %%
# Weights of Keras need other orders of their axes: :doc:`/gallery/01_numpy_to_tensor/keras_weights`. For CuPy:
# :doc:`/gallery/07_cuda/cupy_arrays`.
