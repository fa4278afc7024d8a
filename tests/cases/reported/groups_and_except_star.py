"""
Groups of exceptions
====================

Decide nothing: a case for the tests.
"""

# https://github.com/python/cpython/issues/104150
# There, a group of exceptions could not be given as the outcome.

import traceback


def fail():
    raise ExceptionGroup("several", [ValueError("one"), ExceptionGroup("inner", [TypeError("two"), OSError("three")])])


# %%

try:
    fail()
except* ValueError as group:
    print("first", group.exceptions)
except* (TypeError, OSError) as group:
    print("second", [len(inner.exceptions) for inner in group.exceptions])

# %%

try:
    try:
        fail()
    except* TypeError:
        print("handled in part")
except ExceptionGroup as rest:
    traceback.print_exception(rest)

# %%

try:
    fail()
except* OSError as group:
    raise RuntimeError("in a handler") from group
