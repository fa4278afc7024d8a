"""
A grandchild that prints
========================

Decide nothing: a case for the tests.
"""

# https://github.com/jupyter/notebook/issues/4981
# There, the first line of a process in a session of its own went to another cell.

import os
import time

reader, writer = os.pipe()


def fork_twice():
    if os.fork():
        os.wait()
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    os.close(reader)
    for number in range(3):
        time.sleep(0.05)
        print(number, "from the grandchild", flush=True)
    os._exit(0)


# %%

fork_twice()
os.close(writer)
end = os.read(reader, 1)
print("parent", end)
