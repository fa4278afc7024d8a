"""
Help
====

Decide nothing: a case for the tests.
"""

# https://github.com/modular/modular/issues/324
# There, help() waited for a key in a pager that nobody saw.

import pydoc


def convert(array, *, dtype=None):
    """Convert an array.

    Returns:
        A tensor.
    """


# %%

help(convert)
print(pydoc.render_doc(convert, renderer=pydoc.plaintext).split("\n")[0])

# %%

help("no such topic")
help(3)
print(convert.__doc__)
