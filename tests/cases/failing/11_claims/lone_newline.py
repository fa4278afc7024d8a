"""
Lone newline
============

Decide nothing: a case for the tests.
"""

print()
print()
# =>
print("\n")
# =>
# =>
value = 1
# =>
