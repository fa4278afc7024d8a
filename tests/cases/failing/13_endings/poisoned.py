"""
Poisoned
========

Decide nothing: a case for the tests.
"""

raise RuntimeError("CUDA error: device-side assert triggered")

# %%
# No device works in this process any more.

print("never")
