"""
Title
=====

Decide something.
"""

import contextlib
import os
for descriptor in range(3, 64):
    with contextlib.suppress(OSError):
        os.write(descriptor, b'\x80 nonsense')
x = 1
