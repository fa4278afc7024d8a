"""
Holds
=====

Decide nothing: a case for the tests.
"""

print("the same in every run")
# => the same in every run
