"""
The usage of a program
======================

Decide nothing: a case for the tests.
"""

# https://github.com/executablebooks/MyST-NB/issues/388
# There, such a text lost its shape.

import argparse

parser = argparse.ArgumentParser("convert", description="Convert an array.", epilog="<b>not bold</b> & *not* `code`")
added = parser.add_argument("source", metavar="FILE", help="what to read")
added = parser.add_argument("--dtype", choices=["float32", "float64"], help="50%% smaller, or not")

# %%

parser.print_help()
print("\n\n   an indented line between blank ones\n\n")

# %%

print(parser.parse_args(["a.npy", "--dtype", "float32"]))
parser.parse_args(["--dtype", "int8"])
