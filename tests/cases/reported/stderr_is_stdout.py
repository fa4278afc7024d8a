"""
stderr is stdout
================

Decide nothing: a case for the tests.
"""

# https://github.com/pytest-dev/pytest/issues/4732
# There, the warning that was sent to stdout was taken away.

import sys
import warnings

sys.stderr = sys.stdout

# %%

print("before")
warnings.warn("on stdout", stacklevel=1)
print("after", file=sys.stderr)

# %%

warnings.formatwarning = lambda message, category, *where, **more: f"{category.__name__} <{message}>\n"
warnings.warn("in a format of its own", RuntimeWarning, stacklevel=1)
sys.stderr = sys.__stderr__
warnings.warn("on stderr", stacklevel=1)
