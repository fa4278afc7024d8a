"""
JAX array to a torch tensor and back, without a copy
====================================================

``torch.from_dlpack`` shares memory with a JAX array, which counts as immutable: call ``clone`` on
the tensor before you write to it.
"""

# sphinx_gallery_tags = ["jax", "dlpack", "sharing", "silent"]

import jax
import jax.numpy as jnp
import numpy as np
import torch

# %%
# A `JAX array is immutable <https://docs.jax.dev/en/latest/101/arrays.html>`__, so NumPy's view of
# it is read-only.

values = jnp.arange(4.0)
view = np.asarray(values)
print(isinstance(values, jax.Array), view.flags.writeable)
# => True False

# %%
# A tensor has no read-only flag. The import through DLPack shares memory without a warning, and an
# in-place operation on the tensor changes the JAX array.

tensor = torch.from_dlpack(values)
tensor[0] = 70
print(values)
# => [70.  1.  2.  3.]

# %%
# Compiled JAX functions read the same memory. `The documentation of JAX
# <https://docs.jax.dev/en/latest/_autosummary/jax.numpy.from_dlpack.html>`__ says that the
# behaviour after such a write is undefined, so do not write to an imported tensor.

print(jax.jit(jnp.sum)(values))
# => 76.0

# %%
# To write, make a copy with ``clone`` first.

values = jnp.arange(4.0)
owned = torch.from_dlpack(values).clone()
owned[0] = 70
print(values)
# => [0. 1. 2. 3.]

# %%
# An import from torch to JAX can share memory too. Writing to the tensor then changes the JAX
# array.

source = torch.zeros(4)
imported = jnp.from_dlpack(source)
source[0] = 5
print(imported)
# => [5. 0. 0. 0.]

# %%
# To share this memory, JAX requires an aligned address. The second element of this tensor is not,
# so the import copies, and the write does not change the JAX array. Older releases `logged this
# <https://github.com/jax-ml/jax/issues/29810>`__; this release does not.

source = torch.zeros(4)
imported = jnp.from_dlpack(source[1:])
source[1] = 5
print(imported)
# => [0. 0. 0.]

# %%
# To be independent of the address, copy.

source = torch.zeros(4)
imported = jnp.array(source.numpy(), copy=True)
source[0] = 5
print(imported)
# => [0. 0. 0. 0.]

# %%
# A tensor with gaps between its elements raises: JAX does not copy it for you. Call ``contiguous``
# first.

try:
    jnp.from_dlpack(torch.arange(6.0)[::2])
except RuntimeError as error:
    print(str(error).split(";")[0])
# => UNIMPLEMENTED: Only DLPack tensors with trivial (compact) striding are supported
print(jnp.from_dlpack(torch.arange(6.0)[::2].contiguous()))
# => [0. 2. 4.]
