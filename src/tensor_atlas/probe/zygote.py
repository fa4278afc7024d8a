"""Imported last, and only, by the process that all others are forked from: what it has made, they need not make."""

from __future__ import annotations

import contextlib
import gc
import os

from tensor_atlas.probe.isolate import HUGE_PAGES
from tensor_atlas.probe.output import installed

with contextlib.suppress(ImportError):  # neither is there on Windows, where nothing is forked
    import multiprocessing.popen_forkserver  # noqa: F401
    import resource  # noqa: F401
installed()
# What this process was tuned with is no part of the environment that examples see.
if os.environ.items() >= HUGE_PAGES.items():
    for _name in HUGE_PAGES:
        del os.environ[_name]
# A collection in a child writes to the header of every object it looks at, and so copies the pages they lie on. What is
# here now is never looked at again.
gc.freeze()
