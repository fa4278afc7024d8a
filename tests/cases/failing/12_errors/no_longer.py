"""
No longer
=========

Decide nothing: a case for the tests.
"""

try:
    int("1")
except ValueError as error:
    print(error)
# => invalid literal for int() with base 10: '1'
