"""
What stdout says of itself
==========================

Decide nothing: a case for the tests.
"""

# https://github.com/sphinx-gallery/sphinx-gallery/issues/1150
# There, a library asked for the encoding of stdout, which it did not have.

import sys

print(sys.stdout.encoding, sys.stderr.encoding)
print(sys.stdout.errors, sys.stderr.errors)
print(sys.stdout.name, sys.stderr.name)
print(sys.stdout.mode, sys.stderr.mode)

# %%

print(sys.stdout.fileno(), sys.stderr.fileno())
print(sys.stdout.writable(), sys.stdout.readable(), sys.stdout.closed)
print(sys.stdout.line_buffering, sys.stderr.line_buffering)
print(sys.stdout is sys.__stdout__, sys.stderr is sys.__stderr__)
print(type(sys.stdout).__name__, type(sys.stdout.buffer).__name__)
