"""
Title
=====

Decide something.
"""

import signal, sys, os
for number in range(1, 32):
    try:
        old = signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
sys.settrace(lambda *_: None)
print('handlers')
