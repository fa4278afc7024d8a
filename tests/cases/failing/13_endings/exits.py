"""
Exits
=====

Decide nothing: a case for the tests.
"""

import sys

print("leaving")
# => leaving
print("last words"), sys.exit(3)
# => last words
print("never")
# => never
