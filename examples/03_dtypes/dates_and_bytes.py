"""
String, date and longdouble arrays to tensors
=============================================

``from_numpy`` raises for dates, text and ``longdouble``. Share dates as ``int64`` with
``dates.view("i8")``, view byte strings as ``uint8``, and cast a ``longdouble`` to ``float64``.
"""

# sphinx_gallery_tags = ["dtype", "from_numpy", "error"]

import numpy as np
import torch

# %%
# These dates, text, bytes and records raise this error.

dates = np.array(["2024-01-01", "2024-01-03"], dtype="datetime64[D]")
for array in [dates, dates - dates[0], np.array(["a"]), np.array([b"a"]), np.zeros(1, "V4")]:
    try:
        torch.from_numpy(array)
    except TypeError as error:
        print(str(error).split(". ")[0])
# => can't convert np.ndarray of type numpy.datetime64
# => can't convert np.ndarray of type numpy.timedelta64
# => can't convert np.ndarray of type numpy.str_
# => can't convert np.ndarray of type numpy.bytes_
# => can't convert np.ndarray of type numpy.void

# %%
# NumPy stores a date as a 64-bit integer: the number of units since 1970. ``view("i8")`` shows
# these integers without a copy, so the tensor shares memory with the dates.

days = torch.from_numpy(dates.view("i8"))
days += 31
print(dates)
# => ['2024-02-01' '2024-02-03']

# %%
# The view does not keep the unit. Convert all dates to one unit first, or you may add seconds to
# days.

seconds = dates.astype("datetime64[s]").view("i8")
print(days[0].item(), seconds[0] // 86_400)
# => 19754 19754

# %%
# A missing date (``NaT``) becomes the smallest integer, which torch treats as a number.

missing = np.array(["NaT"], dtype="datetime64[D]")
print(missing.view("i8") == np.iinfo(np.int64).min, np.isnat(missing))
# => [ True] [ True]

# %%
# For a model, convert differences instead of dates: divided by a unit they become floats, and a
# missing date becomes NaN.

start = np.datetime64("2024-02-01")
print(torch.from_numpy((np.append(dates, missing) - start) / np.timedelta64(1, "D")))
# => tensor([0., 2., nan], dtype=torch.float64)

# %%
# NumPy pads the byte strings of an array to one length, so you can view them as bytes. For text see
# :doc:`/gallery/13_errors/object_array`.

words = np.array([b"GATTA", b"CAT"])
print(torch.from_numpy(words.view(np.uint8).reshape(len(words), -1)))
# => tensor([[71, 65, 84, 84, 65],
# =>         [67, 65, 84,  0,  0]], dtype=torch.uint8)

# %%
# NumPy pads the shorter word with zeros and `strips them
# <https://numpy.org/neps/nep-0058-bytestring-dtype.html>`__ when it returns an element. Do not use
# dtype ``S`` for binary data that may end in a zero.

print(words[1], bytes(torch.from_numpy(words.view(np.uint8)).numpy()))
# => b'CAT' b'GATTACAT\x00\x00'

# %%
# The size of ``longdouble`` `depends on the platform
# <https://numpy.org/doc/stable/user/basics.types.html>`__, and torch does not support it. Cast it
# to ``float64``; digits beyond that are lost.

precise = np.array([1], dtype=np.longdouble) / 3
try:
    torch.from_numpy(precise)
except TypeError as error:
    print("can't convert np.ndarray" in str(error))
# => True
print(torch.from_numpy(precise.astype(np.float64)))
# => tensor([0.3333], dtype=torch.float64)
