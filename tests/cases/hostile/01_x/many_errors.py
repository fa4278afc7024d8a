"""
Title
=====

Decide something.
"""

for _ in range(1500):
    try:
        1 / 0
    except ZeroDivisionError:
        print('caught')
