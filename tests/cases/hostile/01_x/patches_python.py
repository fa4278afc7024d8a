"""
Title
=====

Decide something.
"""

import os, builtins
os.fstat = builtins.print = builtins.len = None
x = 1
