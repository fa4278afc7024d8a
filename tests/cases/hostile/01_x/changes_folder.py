"""
Title
=====

Decide something.
"""

import os, shutil
os.mkdir('gone')
os.chdir('gone')
shutil.rmtree(os.getcwd())
print(1)
