"""
Title
=====

Decide something.
"""

print('named')
# => named
