"""
Signals
=======

Decide nothing: a case for the tests.
"""

# https://github.com/ipython/ipykernel/issues/328
# There, the runner had its own handlers in place of Python's.

import os
import signal
import time

print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
print(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL, signal.getsignal(signal.SIGCHLD) is signal.SIG_DFL)
print(signal.getsignal(signal.SIGPIPE) is signal.SIG_IGN, signal.pthread_sigmask(signal.SIG_BLOCK, []))

# %%

previous = signal.signal(signal.SIGALRM, lambda number, frame: print("alarm", frame.f_code.co_name))
remaining = signal.setitimer(signal.ITIMER_REAL, 0.05)
time.sleep(0.2)

# %%

try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(1)
except KeyboardInterrupt:
    print("interrupted")

# %%

print("last words")
os.kill(os.getpid(), signal.SIGTERM)
