"""
Title
=====

Decide something.
"""

import os
import shutil
print('before')
shutil.rmtree(os.path.dirname(os.getcwd()))
print(os.path.exists("/proc/self/cwd/x"))
