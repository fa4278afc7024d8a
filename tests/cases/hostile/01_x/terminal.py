"""
Title
=====

Decide something.
"""

print('\x1b[2J\x1b]0;planted\x07\x9b31m\r\x08')
import sys
print('\x1b[31m', file=sys.stderr)
