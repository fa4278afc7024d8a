"""
A warning on a redirected stderr
================================

Decide nothing: a case for the tests.
"""

# https://github.com/python/cpython/issues/80876
# There, a warning that a doctest had sent elsewhere read otherwise.

import contextlib
import io
import warnings

with contextlib.redirect_stderr(io.StringIO()) as kept:
    warnings.warn("kept back", stacklevel=1)
print(kept.getvalue().split(": ", 1)[1], end="")

# %%

with open("log.txt", "w") as log, contextlib.redirect_stderr(log):
    warnings.warn("in a file", DeprecationWarning, stacklevel=1)
with open("log.txt") as log:
    print(sum("in a file" in line for line in log))

# %%

warnings.warn("shown", stacklevel=1)
with warnings.catch_warnings(record=True) as caught:
    warnings.warn("recorded", stacklevel=1)
print(caught[0].message)
