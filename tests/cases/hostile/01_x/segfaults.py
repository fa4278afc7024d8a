"""
Title
=====

Decide something.
"""

import ctypes
print('before')
ctypes.string_at(0)
