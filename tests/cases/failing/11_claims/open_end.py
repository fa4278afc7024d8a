"""
Open end
========

Decide nothing: a case for the tests.
"""

print("tensor of ones")
# => tensor of zeros ...
