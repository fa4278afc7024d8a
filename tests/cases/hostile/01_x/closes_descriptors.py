"""
Title
=====

Decide something.
"""

import os
print('before')
os.closerange(0, 256)
print('after')
