"""
A hook of its own for errors
============================

Decide nothing: a case for the tests.
"""

# https://github.com/ipython/ipython/issues/13128
# There, sys.excepthook was never called.

import sys
import threading


def report(kind, error, trace):
    print("hook:", kind.__name__, error, trace.tb_lineno > 0)


sys.excepthook = report
threading.excepthook = lambda args: print("thread:", args.exc_type.__name__, args.exc_value)

# %%

thread = threading.Thread(target=int, args=("x",))
thread.start()
thread.join()

# %%

print("last words")
int("y")
