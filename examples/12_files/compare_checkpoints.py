"""
Are two checkpoints equal? Compare state dicts key by key
=========================================================

Compare the keys, then ``torch.equal`` or ``torch.testing.assert_close`` per tensor, both loaded on the CPU. The
bytes of two files may differ although the weights are the same.
"""

# sphinx_gallery_tags = ["checkpoint", "state_dict", "weights", "compare", "equal", "allclose", "diff", "prefix"]

import io

import numpy as np
import torch

# %%
# State dicts of two models: the second differs a little in its bias, and has one layer more.

torch.manual_seed(0)
first = {"a.weight": torch.ones(2, 3), "a.bias": torch.zeros(2)}
second = {"a.weight": torch.ones(2, 3), "a.bias": torch.full((2,), 1e-7), "b.weight": torch.ones(1)}
print(sorted(first.keys() ^ second.keys()))
# => ['b.weight']

# %%
# Shapes and dtypes first, values then. ``equal`` asks for the same numbers, ``allclose`` for near ones. A
# ``nan`` is not equal to itself: ``equal`` says ``False`` where both have one.

kinds = [
    {name: (value.shape, value.dtype) for name, value in state.items()} for state in (first, second)
]
print({name: kinds[0][name] == kinds[1][name] for name in first})
# => {'a.weight': True, 'a.bias': True}
report = {name: torch.equal(first[name], second[name]) for name in first}
print(report, torch.allclose(first["a.bias"], second["a.bias"], atol=1e-6))
# => {'a.weight': True, 'a.bias': False} True

# %%
# Half precision and NumPy weights are cast to one dtype before they are compared.

array = np.ones((2, 3), dtype=np.float64)
print(torch.equal(first["a.weight"].half().double(), torch.from_numpy(array)))
# => True

# %%
# How far apart they are, per tensor:

print({name: float((first[name] - second[name]).abs().max()) for name in first})
# => {'a.weight': 0.0, 'a.bias': 1.0000000116860974e-07}

# %%
# Names that differ by a prefix such as ``module.`` usually mean the same weights. Remove it on one side.

prefixed = {f"module.{name}": value for name, value in first.items()}
plain = {name.removeprefix("module."): value for name, value in prefixed.items()}
print(plain.keys() == first.keys(), all(torch.equal(plain[name], first[name]) for name in first))
# => True True

# %%
# ``load_state_dict(strict=False)`` names what is missing and what is left. A tensor of another shape still
# raises.

layer = torch.nn.Linear(3, 2)
print(layer.load_state_dict({"weight": first["a.weight"], "scale": torch.ones(1)}, strict=False))
# => _IncompatibleKeys(missing_keys=['bias'], unexpected_keys=['scale'])

# %%
# Files of equal weights need not be equal bytes: the order of the keys and the name of the file are part of
# them. So a checksum of the file says less than the tensors.

files = [io.BytesIO(), io.BytesIO()]
torch.save(first, files[0])
torch.save(dict(reversed(first.items())), files[1])
print(files[0].getvalue() == files[1].getvalue())
# => False
