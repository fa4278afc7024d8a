"""
Title
=====

Decide something.
"""

import signal, time
old = signal.signal(signal.SIGTERM, signal.SIG_IGN)
time.sleep(10**6)
