"""
Exits silently
==============

Decide nothing: a case for the tests.
"""

import os

print("half-way")
# => half-way
os._exit(0)

# %%
# Exit code 0 is no success when a block is left.

print("never")
# => never
