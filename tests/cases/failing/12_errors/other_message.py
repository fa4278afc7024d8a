"""
Other message
=============

Decide nothing: a case for the tests.
"""

try:
    int("x")
except ValueError as error:
    print(error)
# => invalid literal for int() with base 16: 'x'
