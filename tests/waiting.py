"""Waits for what a page's script does."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Page

PAUSE = 20
"""Milliseconds between two looks."""


def wait_until(page: Page, expression: str, arg: object = None, *, seconds: float = 30) -> Any:
    """Value of an expression or function of JavaScript, once it is true.

    ``wait_for_function`` looks a second time by ``eval``, which the policy of a page refuses. Raises
    AssertionError where the time is over.
    """
    end = time.monotonic() + seconds
    while not (value := page.evaluate(expression, arg)):
        assert time.monotonic() < end, f"not within {seconds} s: {expression}"
        page.wait_for_timeout(PAUSE)
    return value
