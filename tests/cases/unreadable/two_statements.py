"""
Two statements
==============

Decide nothing: a case for the tests.
"""

print(1); print(2)
