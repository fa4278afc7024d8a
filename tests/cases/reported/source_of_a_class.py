"""
The source of a class
=====================

Decide nothing: a case for the tests.
"""

# https://github.com/AnswerDotAI/nbdev/issues/595
# There, the source of a dataclass of a cell could not be found.

import dataclasses
import inspect
import pickle
import sys


@dataclasses.dataclass
class Pair:
    first: int
    """The first of two."""
    second: float = 0.5


def swap(pair):  # with a comment
    return Pair(pair.second, pair.first)


# %%

print(inspect.getsource(Pair), end="")
print(inspect.getsource(swap), end="")
print(inspect.getsourcelines(swap)[1], inspect.getmodule(Pair).__name__, inspect.getcomments(swap))
try:
    print(inspect.getsource(Pair.__init__))
except OSError as error:
    print(error)

# %%

print(pickle.loads(pickle.dumps(swap(Pair(1)))), Pair.__module__, Pair.__doc__)
print(sys.modules["__main__"].Pair is Pair, inspect.getdoc(sys.modules["__main__"]).split("\n")[0])
