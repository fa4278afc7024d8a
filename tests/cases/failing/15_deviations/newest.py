"""
Newest
======

Decide nothing: a case for the tests.
"""

print("observed")
# => claimed
