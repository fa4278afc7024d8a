"""
Caught
======

Decide nothing: a case for the tests.
"""

try:
    int("x")
except (TypeError, ValueError):
    print("refused")
# => refused
