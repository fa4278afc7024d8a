"""
A pool of threads
=================

Decide nothing: a case for the tests.
"""

# https://github.com/ipython/ipython/issues/9969
# There, a thread's output came in whatever cell had run last.

import threading
from concurrent.futures import ThreadPoolExecutor

turn = threading.Event()


def work(name):
    print(name, "waits")
    turn.wait()
    print(name, "goes on")
    return name


# %%

pool = ThreadPoolExecutor(1, thread_name_prefix="atlas")
first, second = pool.submit(work, "first"), pool.submit(work, "second")
print(first.done())

# %%

turn.set()
print(second.result())
timer = threading.Timer(0.2, print, ["from a timer"])
timer.start()
pool.shutdown()
