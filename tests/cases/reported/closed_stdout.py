"""
stdout is closed
================

Decide nothing: a case for the tests.
"""

# https://github.com/pytest-dev/pytest/issues/5743
# There, a logger kept a stream that the runner had closed.

import logging
import os
import sys

logging.basicConfig(stream=sys.stdout, format="%(message)s")
logging.warning("while it is open")
print("unfinished", end="")

# %%

sys.stdout.close()
logging.warning("when it is closed")

# %%

try:
    print("lost")
except ValueError as error:
    print(error, file=sys.stderr)
written = os.write(1, b"by its descriptor\n")
