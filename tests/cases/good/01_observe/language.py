"""
Language
========

Decide nothing: a case for the tests.
"""

from __future__ import annotations

import inspect
import os
import pickle
import sys
from dataclasses import dataclass

# %%
# An example is ``__main__``, in a file, with its docstring and its ``__future__``.

print(__name__, __doc__.split()[0], sys.argv[0].endswith("language.py"))
# => __main__ Language True


@dataclass
class Point:
    x: Undefined


print(Point.__annotations__, pickle.loads(pickle.dumps(Point(1))))
# => {'x': 'Undefined'} Point(x=1)
print(inspect.getsource(Point).splitlines()[1])
# => class Point:
if __name__ == "__main__":
    print("ran")
# => ran
print(sys.stdin.read() == "", os.read(0, 1))
# => True b''
