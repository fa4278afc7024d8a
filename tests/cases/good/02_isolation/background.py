"""
Background
==========

Decide nothing: a case for the tests.
"""

import subprocess

# %%
# A process that is left behind ends with the example.

left = subprocess.Popen(["sleep", "86395"])
print("left")
# => left
