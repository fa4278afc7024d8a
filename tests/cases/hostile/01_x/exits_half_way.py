"""
Title
=====

Decide something.
"""

import os
print('half')
os._exit(0)
print('never')
