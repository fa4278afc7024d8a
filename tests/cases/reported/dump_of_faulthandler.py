"""
A dump of faulthandler
======================

Decide nothing: a case for the tests.
"""

# https://github.com/ipython/ipykernel/issues/91
# There, faulthandler found no file to write to.

import faulthandler
import sys


def inner():
    faulthandler.dump_traceback()


# %%

faulthandler.enable()
print(faulthandler.is_enabled())
inner()

# %%

faulthandler.dump_traceback(file=sys.stdout, all_threads=False)
faulthandler.disable()
