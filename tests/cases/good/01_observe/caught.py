"""
Caught
======

Decide nothing: a case for the tests.
"""

def risky():
    print("before")
    raise KeyError("k")


# %%
# Output before an error and the error itself are both kept.

try:
    risky()
except KeyError as error:
    print(error)
# => before
# => 'k'

# %%
# Every clause that caught something is seen, also one that prints nothing.

try:
    try:
        int("y")
    except ValueError as error:
        raise TypeError("outer") from error
except TypeError:
    pass

try:
    [][1]
except IndexError:
    try:
        {}["second"]
    except KeyError as error:
        print(error)
# => 'second'

# %%
# A clause inside a function counts as well, one that nothing reached does not.


def quiet():
    try:
        return [][0]
    except IndexError:
        return None
    except KeyError:
        return 1


print(quiet())
# => None
