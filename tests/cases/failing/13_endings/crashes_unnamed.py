"""
Crashes unnamed
===============

Decide nothing: a case for the tests.
"""

import os
import signal

os.kill(os.getpid(), signal.SIGRTMIN + 2)
