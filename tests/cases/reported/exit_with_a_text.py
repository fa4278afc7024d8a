"""
Exit with a text
================

Decide nothing: a case for the tests.
"""

# https://github.com/pyzo/pyzo/issues/159
# There, neither the text nor the exit code was shown.

import atexit
import sys

atexit.register(print, "exit handler")

# %%

try:
    sys.exit(3)
except SystemExit as ending:
    print("stayed", ending.code)

# %%

sys.stderr.write("text to stderr\n")
try:
    sys.exit("exit text")
finally:
    print("on the way")
