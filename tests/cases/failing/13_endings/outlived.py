"""
Outlived
========

Decide nothing: a case for the tests.
"""

import multiprocessing
import os
import time

# %%
# A child that outlives the example keeps open what it has inherited.

multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,)).start()
print("started")
# => started
os.abort()
