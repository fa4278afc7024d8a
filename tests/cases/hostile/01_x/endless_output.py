"""
Title
=====

Decide something.
"""

import os
while True:
    try:
        written = os.write(1, b'x' * 2**24)
    except OSError:
        pass
