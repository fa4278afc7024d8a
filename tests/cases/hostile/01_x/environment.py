"""
Title
=====

Decide something.
"""

import os, socket, subprocess, sys, pathlib, tempfile, traceback
print(dict(os.environ))
print(pathlib.Path.home(), pathlib.Path('~').expanduser(), os.getcwd(), tempfile.gettempdir(), __file__)
print(subprocess.run([sys.executable, '-c', 'import os; print(dict(os.environ))'], capture_output=True).stdout)
try:
    open(pathlib.Path.home() / 'none')
except OSError as error:
    print(error)
    traceback.print_exc()
