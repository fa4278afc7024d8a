"""
Threads
=======

Decide nothing: a case for the tests.
"""

import atexit
import threading
import time

# %%
# What is still running when the last statement is done is not waited for.

threading.Thread(target=time.sleep, args=(600,)).start()
atexit.register(time.sleep, 600)
print("done")
# => done
