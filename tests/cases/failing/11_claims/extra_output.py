"""
Extra output
============

Decide nothing: a case for the tests.
"""

print("claimed\nnot claimed")
# => claimed
