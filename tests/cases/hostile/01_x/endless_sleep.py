"""
Title
=====

Decide something.
"""

import time
print('waiting')
time.sleep(10**6)
