"""
An exception with notes
=======================

Decide nothing: a case for the tests.
"""

# https://github.com/python/cpython/issues/111159
# There, an error with notes was compared by its last line.

import traceback

import numpy as np


def check(values):
    try:
        return np.asarray(values, dtype=float)
    except ValueError as error:
        error.add_note(f"while reading {values}")
        error.add_note("two\nlines")
        raise


# %%

try:
    check(["one"])
except ValueError as error:
    print(error, error.__notes__)
    traceback.print_exc()

# %%

print("last words")
check(["two"])
