"""
Crashes
=======

Decide nothing: a case for the tests.
"""

import os
import signal

print("alive")
# => alive
os.kill(os.getpid(), signal.SIGSEGV)
print("never")
# => never
