"""
Output
======

Decide nothing: a case for the tests.
"""

import ctypes
import os
import subprocess
import sys

# %%
# Whoever writes to descriptor 1 is observed: print, the descriptor's own users, C, a child.

print("print")
# => print
os.write(1, b"descriptor\n")
# => descriptor
ctypes.CDLL(None).puts(b"libc")
# => libc
subprocess.run([sys.executable, "-c", "print('child')"], check=True)
# => child

# %%
# A shell that opens standard output anew cuts the file short in which the probe collects it.

subprocess.run("echo reopened > /dev/stdout", shell=True, check=True)
# => reopened
print("after it")
# => after it

# %%
# Lines as they are written, without trailing blanks.

print("no end", end="")
# => no end
print("one\n\n  three   ")
# => one
# =>
# =>   three

# %%
# Descriptor 2 is kept apart.

print("out"), print("err", file=sys.stderr)
# => out
# => stderr: err
os.write(2, b"low\n")
# => stderr: low

# %%
# A flood is cut and counted.

print("x " * 40_000)
# => x x ...
# => [14465 more bytes]
