"""
Carriage returns
================

Decide nothing: a case for the tests.
"""

# https://github.com/jupyter/notebook/issues/1970
# There, the second carriage return of a line did not clear what the first had left.

import sys
import time

print("1\r2\r3")
print("long text\rshort")

# %%

for percent in range(0, 101, 50):
    print(f"\r{percent:3}%", end="", flush=True)
    time.sleep(0.01)
print("\rdone")

# %%

print("begun ", end="")
print("\r\rgone on", end="\r\n")
print("a\bb\x1b[1mc\x1b[0m\x0cd\x0be\x85f\u2028g")
print("\r", end="", file=sys.stderr)
print("100%\r\r\n", end="", file=sys.stderr)
