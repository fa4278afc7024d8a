"""
Raises, then dies
=================

Decide nothing: a case for the tests.
"""

import os
import signal

# %%
# An error, then a signal.

number = int("none")

# %%
# The process ends here.

print("last words")
# => last words
os.kill(os.getpid(), signal.SIGKILL)

# %%
# Nothing comes here.

print("never")
