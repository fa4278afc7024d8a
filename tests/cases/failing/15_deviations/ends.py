"""
Ends
====

Decide nothing: a case for the tests.
"""

print("before")
# => before

# %%

print(unknown)
# => found

# %%

print("after")
# => after
