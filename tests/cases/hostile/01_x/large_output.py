"""
Title
=====

Decide something.
"""

for _ in range(100):
    print('x' * 2**20)
