"""
Unclaimed
=========

Decide nothing: a case for the tests.
"""

value = 1
print("nobody claims this")
