"""
Title
=====

Decide something.
"""

def f():
    f()


f()
