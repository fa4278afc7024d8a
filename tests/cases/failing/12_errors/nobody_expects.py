"""
Nobody expects
==============

Decide nothing: a case for the tests.
"""

print("before the error")
# => before the error

# %%
# The statement prints, then fails.

if True:
    print("just before")
    raise LookupError("nobody expects it")
print("same block")
# => same block

# %%
# This block never runs.

print("later")
# => later

# %%
# Nor does this one, which claims nothing.

unreached = 1
