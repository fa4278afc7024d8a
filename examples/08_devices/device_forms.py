"""
Every way to write torch.device
===============================

``torch.device("cuda:0")``, ``torch.device("cuda", 0)`` and ``torch.device(type="cuda", index=0)``
are equal, on a machine without a GPU too. An index goes into the string or beside it, not both.
"""

# sphinx_gallery_tags = ["device", "error"]

import torch

# %%
# A :class:`torch.device` with a type is a name, so you can create one without the hardware. These
# five forms give equal objects.

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
# You can leave out the index. The device then means the one of that type that is current when you
# use it.

forms = [torch.device("cuda"), torch.device(device="cuda"), torch.device(type="cuda")]
print({form.type for form in forms}, {form.index for form in forms})
# => {'cuda'} {None}

# %%
# ``type=`` accepts a type without an index. An index inside the string raises, and the message
# mentions an index argument even if you passed none, as in the first call.

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
# ``device=`` accepts the whole name and raises together with ``index=``.

try:
    torch.device(device="cuda", index=0)
except TypeError as error:
    print(error)
# => device() missing 1 required positional arguments: "type"

# %%
# ``torch.empty`` accepts the string as well as the object. The object helps to store, compare or
# inspect a device. For plain numbers see :doc:`/gallery/08_devices/index_zero`.

print(torch.empty(2, device="meta").device == torch.empty(2, device=torch.device("meta")).device)
# => True
