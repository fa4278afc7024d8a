"""
Title
=====

Decide something.
"""

raise ValueError('x\n' * 2_000_000)
