"""
The stack of the script
=======================

Decide nothing: a case for the tests.
"""

# https://github.com/ipython/ipython/issues/14538
# There, the stack held frames of the program that ran the script.

import logging
import traceback


def inner():
    traceback.print_stack()
    print([frame.name for frame in traceback.extract_stack()][-2:])


def outer():
    inner()


# %%

outer()

# %%

logging.basicConfig(format="%(message)s %(funcName)s")
logging.warning("with a stack", stack_info=True)
try:
    outer(1)
except TypeError:
    logging.exception("with a traceback")
