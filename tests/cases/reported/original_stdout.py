"""
The stream that Python began with
=================================

Decide nothing: a case for the tests.
"""

# https://github.com/sphinx-gallery/sphinx-gallery/issues/1042
# There, what was written to sys.__stdout__ was missing.

import contextlib
import io
import sys

import numpy as np


def fit(values, out=sys.__stdout__):
    out.write(f"start {values.sum()}\n")
    print("mean", values.mean(), file=out)


# %%

fit(np.arange(4))
print("between")
sys.__stderr__.write("to stderr\n")

# %%

with contextlib.redirect_stdout(io.StringIO()) as kept:
    print("kept back")
    fit(np.ones(2))
print(kept.getvalue(), end="")
