"""
Title
=====

Decide something.
"""

import os
while True:
    written = os.write(1, b"x" * 2**24)
