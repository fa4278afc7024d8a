"""
Title
=====

Decide something.
"""

import os
print('one')
pid = os.fork()
if pid == 0:
    print('two', flush=True)
print('three')
