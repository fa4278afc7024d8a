"""
Wrong statement
===============

Decide nothing: a case for the tests.
"""

value = 3
# => 3
print(value)
