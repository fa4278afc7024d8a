"""
Hangs
=====

Decide nothing: a case for the tests.
"""

import time

print("waiting")
# => waiting
time.sleep(600)
print("never")
# => never
