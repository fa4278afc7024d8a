"""
Strange
=======

Decide nothing: a case for the tests.
"""

import os
import sys
import warnings

# %%
# Whatever is written can be claimed, recorded and shown.

print("50%\r100%\x1b[0m\ttab")
# => 50%\x0d100%\x1b[0m	tab
os.write(1, b"\xff\n")
# => \xff
print("naïve → 漢")
# => naïve → 漢
try:
    raise ValueError("\udcff")
except ValueError as error:
    print(error, file=sys.stderr)
# => stderr: \udcff
try:
    print("\udcff")
except UnicodeEncodeError as error:
    print(error.reason)
# => surrogates not allowed
warnings.warn("\udcff", stacklevel=1)
# => UserWarning: \udcff


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError


try:
    raise Unprintable
except Unprintable:
    pass
