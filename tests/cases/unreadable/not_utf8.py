"""
Title
=====

Naive.
"""

print("naïve")
