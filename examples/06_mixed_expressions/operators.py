"""
Every operator between tensor and array, in both orders
=======================================================

With a tensor on the left, arithmetic with an array gives a tensor in NumPy's dtype. With the array
on the left, ``/`` works and the other arithmetic below raises. Of the comparisons, ``==`` works in
both orders.
"""

# sphinx_gallery_tags = ["arithmetic", "comparison", "dtype", "error"]

import operator
import warnings

import numpy as np
import torch

# %%
# The function below applies one operator in both orders, and describes each outcome by the dtype of
# the result or by the error. The filter hides the warning about ``__array_wrap__``; for it see
# :doc:`/gallery/06_mixed_expressions/operand_order`.

warnings.simplefilter("ignore")


def outcome(function, left, right):
    try:
        result = function(left, right)
    except TypeError as error:
        return type(error).__name__
    return getattr(result, "dtype", result)


def compare(left, right, *names):
    for name in names:
        function = getattr(operator, name)
        print(f"{name}: {outcome(function, left, right)} | {outcome(function, right, left)}")


# %%
# Arithmetic: with this tensor on the left, NumPy computes in its own dtype, and the result is a
# tensor. With the array on the left, ``/`` works, and the other seven raise.

tensor = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
array = np.array([[1.0, 2.0], [3.0, 4.0]])
compare(tensor, array, "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")
# => add: torch.float64 | TypeError
# => sub: torch.float64 | TypeError
# => mul: torch.float64 | TypeError
# => truediv: torch.float64 | torch.float64
# => floordiv: torch.float64 | TypeError
# => mod: torch.float64 | TypeError
# => pow: torch.float64 | TypeError
# => matmul: torch.float64 | TypeError

# %%
# Comparisons: ``==`` compares elements. ``!=`` gives a single ``True``; see
# :doc:`/gallery/06_mixed_expressions/comparisons`.

compare(tensor, array, "eq", "ne", "lt", "le", "gt", "ge")
# => eq: torch.bool | torch.bool
# => ne: True | True
# => lt: TypeError | TypeError
# => le: TypeError | TypeError
# => gt: TypeError | TypeError
# => ge: TypeError | TypeError

# %%
# Logic: the result has dtype ``uint8`` instead of ``bool``, with the consequences shown in
# :doc:`/gallery/06_mixed_expressions/masks_as_bytes`.

compare(tensor > 2, array > 2, "and_", "or_", "xor")
# => and_: torch.uint8 | TypeError
# => or_: torch.uint8 | TypeError
# => xor: torch.uint8 | TypeError

# %%
# In place: a tensor on the left is *replaced* by a new one, so the memory of the old one does not
# change. With an array on the left, these three raise. ``array /= tensor`` does not: it works like
# ``/``, so the name then refers to a new tensor.

for name in ["iadd", "isub", "imul"]:
    function = getattr(operator, name)
    target = torch.zeros(2, 2)
    result = function(target, array)
    print(name, result is target, result.dtype, outcome(function, np.zeros((2, 2)), tensor))
# => iadd False torch.float64 TypeError
# => isub False torch.float64 TypeError
# => imul False torch.float64 TypeError
