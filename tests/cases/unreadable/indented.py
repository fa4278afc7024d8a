"""
Indented
========

Decide nothing: a case for the tests.
"""

if True:
    print(1)
    # => 1
