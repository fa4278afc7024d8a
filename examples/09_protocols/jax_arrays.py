"""
JAX array to a torch tensor and back, without a copy
====================================================

``torch.from_dlpack`` shares memory with a JAX array, which must never change: call ``clone`` on the
tensor before you write to it.
"""

# sphinx_gallery_tags = ["jax", "dlpack", "sharing", "silent"]

import jax
import jax.numpy as jnp
import numpy as np
import torch

# %%
# A `JAX array never changes <https://docs.jax.dev/en/latest/101/arrays.html>`__, and says so to
# NumPy, which hands out a read-only view.

values = jnp.arange(4.0)
view = np.asarray(values)
print(isinstance(values, jax.Array), view.flags.writeable)
# => True False

# %%
# A tensor has no read-only mode. The import through DLPack shares the memory without a warning,
# and an in-place operation changes the array that is meant never to change.

tensor = torch.from_dlpack(values)
tensor[0] = 70
print(values)
# => [70.  1.  2.  3.]

# %%
# A compiled function reads that memory too. `The documentation of JAX
# <https://docs.jax.dev/en/latest/_autosummary/jax.numpy.from_dlpack.html>`__ calls what happens
# after such a write undefined, so leave an imported tensor unchanged.

print(jax.jit(jnp.sum)(values))
# => 76.0

# %%
# ``clone`` makes the tensor independent, which is the safe form for anything that may be written.

values = jnp.arange(4.0)
owned = torch.from_dlpack(values).clone()
owned[0] = 70
print(values)
# => [0. 1. 2. 3.]

# %%
# In the other direction the tensor is the one that changes. The JAX array follows it, as long as
# the import shares.

source = torch.zeros(4)
imported = jnp.from_dlpack(source)
source[0] = 5
print(imported)
# => [5. 0. 0. 0.]

# %%
# JAX shares only memory that is aligned as it wants. The second element of this buffer is not, so
# the import copies, and the write does not arrive. Older releases `logged this
# <https://github.com/jax-ml/jax/issues/29810>`__; here nothing does.

source = torch.zeros(4)
imported = jnp.from_dlpack(source[1:])
source[1] = 5
print(imported)
# => [0. 0. 0.]

# %%
# Code that must not depend on the address asks for the copy.

source = torch.zeros(4)
imported = jnp.array(source.numpy(), copy=True)
source[0] = 5
print(imported)
# => [0. 0. 0. 0.]

# %%
# A tensor with gaps between its elements is refused rather than copied. Make it contiguous first.

try:
    jnp.from_dlpack(torch.arange(6.0)[::2])
except RuntimeError as error:
    print(str(error).split(";")[0])
# => UNIMPLEMENTED: Only DLPack tensors with trivial (compact) striding are supported
print(jnp.from_dlpack(torch.arange(6.0)[::2].contiguous()))
# => [0. 2. 4.]
