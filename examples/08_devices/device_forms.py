"""
Every way to write torch.device
===============================

``torch.device("cuda:0")``, ``torch.device("cuda", 0)`` and ``torch.device(type="cuda", index=0)``
are equal, on any machine. An index goes into the string or beside it, not both.
"""

# sphinx_gallery_tags = ["device", "error"]

import torch

# %%
# A :class:`torch.device` is a name and needs no hardware. These five forms give
# equal objects, on any machine.

forms = [
    torch.device("cuda:0"),
    torch.device(device="cuda:0"),
    torch.device("cuda", 0),
    torch.device(type="cuda", index=0),
    torch.device(torch.device("cuda:0")),
]
print(forms[0])
# => cuda:0
print([form == forms[0] for form in forms])
# => [True, True, True, True, True]

# %%
# The index may be left out in each of them. The object then has none, and
# stands for whichever device of that type is current when it is used.

forms = [torch.device("cuda"), torch.device(device="cuda"), torch.device(type="cuda")]
print({form.type for form in forms}, {form.index for form in forms})
# => {'cuda'} {None}

# %%
# ``type=`` is for the bare type. With an index in the string the message speaks
# of an index argument, even in the first call, which has none.

try:
    torch.device(type="cuda:0")
except RuntimeError as error:
    print(error)
# => type (string) must not include an index because index was passed explicitly: cuda:0
try:
    torch.device("cuda:0", 0)
except RuntimeError as error:
    print(error)
# => type (string) must not include an index because index was passed explicitly: cuda:0

# %%
# ``device=`` takes the whole name and goes with no other argument.

try:
    torch.device(device="cuda", index=0)
except TypeError as error:
    print(error)
# => device() missing 1 required positional arguments: "type"

# %%
# Functions with a ``device`` argument accept the string as well as the object,
# so an object is worth making only to keep, compare or inspect it. Numbers are
# a case of their own: :doc:`/gallery/08_devices/index_zero`.

print(torch.empty(2, device="meta").device == torch.empty(2, device=torch.device("meta")).device)
# => True
