"""
Stale
=====

Decide nothing: a case for the tests.
"""

print("as recorded")
# => as recorded
