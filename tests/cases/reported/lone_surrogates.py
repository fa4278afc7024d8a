"""
A path that is no text
======================

Decide nothing: a case for the tests.
"""

# https://github.com/jupyter/notebook/issues/2680
# There, printing such a path hung the page, where Python raises.

import os
import pathlib
import sys

path = pathlib.Path(os.fsdecode(b"Ausrei\xc3%Fer"))
print(ascii(str(path)))

# %%

try:
    print(path)
except UnicodeEncodeError as error:
    print(error.reason)
print(path, file=sys.stderr)
sys.stdout.buffer.write(os.fsencode(path) + b"\n")
sys.stdout.reconfigure(errors="surrogateescape")
print(path)
