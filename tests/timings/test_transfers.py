"""What the timing of transfers works out without a device: sizes, shares of a limit."""

from __future__ import annotations

from itertools import pairwise

from tensor_atlas.timings.timing import Case
from tensor_atlas.timings.transfers import SIZES, summarize_best


def test_sizes_go_from_one_kibibyte_to_one_gibibyte() -> None:
    """In steps of one factor."""
    assert (SIZES[0], SIZES[-1]) == (2**10, 2**30)
    assert {after // before for before, after in pairwise(SIZES)} == {4}


def test_nearest_to_each_limit_is_told() -> None:
    """The best case of a series, as a share of the plain copy; a limit without cases is left out."""
    up = "host to device"
    medians = {
        Case(up, "slow", 100, str): 4.0,
        Case(up, "fast", 100, str): 2.0,
        Case("another", "other", 100, str): 0.1,
    }
    lines = list(summarize_best({up: 62.5, "within the host": 1.0}, medians))
    assert lines == ["host to device: 80% of a plain large copy, by fast of 100 bytes"]
