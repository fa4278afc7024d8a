"""
Title
=====

Decide something.
"""

import threading, time
thread = threading.Thread(target=time.sleep, args=(10**6,))
thread.start()
print('on')
