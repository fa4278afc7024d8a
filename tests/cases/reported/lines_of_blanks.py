"""
Lines of blanks
===============

Decide nothing: a case for the tests.
"""

# https://github.com/simplistix/sybil/pull/117
# There, a line of blanks within a block lost them.

text = """first
    
  third	
"""
print(repr(text), len(text))

# %%

if text:
    inner = """
    
      indented
        """
    print(repr(inner))
    
print(text)
print(inner.splitlines())
print("  leading\n\n \n\ttrailing  ")
