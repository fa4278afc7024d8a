"""
A megabyte on one line
======================

Decide nothing: a case for the tests.
"""

# https://github.com/nteract/papermill/issues/426
# There, the end of a long output was dropped, and the run counted as a success.

import sys

for _ in range(10_000):
    written = sys.stdout.write("0" * 100)
    sys.stdout.flush()
print()
print("hi")

# %%

print("behind it")
