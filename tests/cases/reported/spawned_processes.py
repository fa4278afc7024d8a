"""
Spawned processes
=================

Decide nothing: a case for the tests.
"""

# https://github.com/jupyterlab/jupyterlab/issues/9668
# There, what spawned processes printed went to the terminal of the server.

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor


def square(number):
    print("square of", number, flush=True)
    return number**2


def fail():
    print("about to fail", flush=True)
    sys.exit("no reason")


# %%

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        print(list(pool.map(square, range(3))))

# %%

if __name__ == "__main__":
    process = context.Process(target=fail)
    process.start()
    process.join()
    print(process.exitcode)
