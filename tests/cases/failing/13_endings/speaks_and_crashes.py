"""
Speaks and crashes
==================

Decide nothing: a case for the tests.
"""

import os

print("alive")
# => alive
for step in range(3):
    print("step", step)
    os.write(2, b"from below\n")
    if step == 1:
        os.abort()
# => step 0
