"""
No blank
========

Decide nothing: a case for the tests.
"""

print(1)
# =>1
