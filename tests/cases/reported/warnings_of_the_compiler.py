"""
Warnings of the compiler
========================

Decide nothing: a case for the tests.
"""

# https://github.com/GUDHI/TDA-tutorial/issues/84
# There, each warning of the compiler came twice or more.

print("first")

# %%

pattern = "\d+"
number = 5
print(number is 5, pattern)

# %%

assert (number, "always true")
exec("text = '\q'")
print("last")
