"""
Missing output
==============

Decide nothing: a case for the tests.
"""

print("printed")
# => printed
# => not printed
