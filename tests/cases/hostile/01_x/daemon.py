"""
Title
=====

Decide something.
"""

import os, subprocess, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(600)', 'planted'])
    os._exit(0)
found = os.wait()
sleep = [sys.executable, '-c', 'import time; time.sleep(600)', 'planted']
left = subprocess.Popen(sleep, start_new_session=True)
print('left')
