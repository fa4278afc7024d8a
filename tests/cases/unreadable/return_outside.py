"""
Return outside
==============

Decide nothing: a case for the tests.
"""

value = 1
return value
