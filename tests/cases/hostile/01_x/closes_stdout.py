"""
Title
=====

Decide something.
"""

import sys
print('before')
sys.stdout.close()
x = 1
