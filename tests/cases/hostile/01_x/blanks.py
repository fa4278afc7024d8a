"""
Title
=====

Decide something.
"""

print(' ' * 60_000 + 'x')
