"""
C and Python in turn
====================

Decide nothing: a case for the tests.
"""

# https://github.com/ipython/ipykernel/issues/110
# There, what C printed was lost, or came after what Python printed.

import ctypes

libc = ctypes.CDLL(None)

# %%

for number in range(3):
    print("Python", number)
    written = libc.printf(b"C %d\n", number)

# %%

written = libc.puts(b"a line of C")
print("a line of Python")
written = libc.printf(b"begun by C, ")
print("between")
written = libc.printf(b"ended by C\n")
