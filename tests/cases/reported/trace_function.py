"""
A trace function
================

Decide nothing: a case for the tests.
"""

# https://github.com/coveragepy/coveragepy/issues/575
# There, what ran the examples took the trace function away.

import sys

seen = []


def note(frame, event, argument):
    if frame.f_code.co_filename == __file__ or "trace_function" in frame.f_code.co_filename:
        seen.append((event, frame.f_code.co_name, frame.f_lineno))
    return note


def work(text):
    try:
        return int(text)
    except ValueError:
        return None


# %%

sys.settrace(note)
results = [work("1"), work("x")]
sys.settrace(None)

# %%

print([event for event in seen if event[1] == "work"])
print(sys.gettrace(), results)
