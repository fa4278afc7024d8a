"""
Input at its end
================

Decide nothing: a case for the tests.
"""

# https://github.com/jupyter/nbconvert/issues/288
# There, input() raised an error of the runner, not Python's.

import fileinput
import sys

try:
    name = input("Your name: ")
except EOFError as error:
    print(type(error).__name__, error)

# %%

print(sys.stdin.isatty(), sys.stdin.read() == "", list(fileinput.input("-")))
for line in sys.stdin:
    print("a line", line)
print("last words")
answer = input("Again? ")
