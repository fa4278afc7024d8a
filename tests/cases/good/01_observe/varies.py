"""
Varies
======

Decide nothing: a case for the tests.
"""

import os
import sys
import tempfile

import numpy as np

# %%
# Addresses and places of this machine become words.

print(object())
# => <object object at 0x…>
print(os.getcwd())
# => .
print(np.__file__)
# => site-packages/numpy/__init__.py
print(os.__file__)
# => lib/os.py
print(__file__)
# => checkout/examples/01_observe/varies.py
print(os.path.expanduser("~/notes"), tempfile.gettempdir() + "/x")
# => ~/notes tmp/x
print(sys.executable)
# => python
