"""
Threads
=======

Decide nothing: a case for the tests.
"""

import threading
import time

# %%
# A daemon thread is not waited for.

threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
print("done")
# => done
