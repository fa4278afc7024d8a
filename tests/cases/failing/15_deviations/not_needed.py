"""
Not needed
==========

Decide nothing: a case for the tests.
"""

print("fine")
# => fine
