"""
Tags
====

Decide nothing: a case for the tests.
"""

# sphinx_gallery_tags = "cuda"

print(1)
# => 1
