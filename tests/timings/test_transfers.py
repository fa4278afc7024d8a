"""What the timing of transfers works out without a device: sizes, memory, shares of a limit."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tensor_atlas.timings.timing import Case
from tensor_atlas.timings.transfers import (
    DEVICE_SHARE,
    HOST_SHARE,
    SIZES,
    find_host_memory,
    list_sizes_within,
    summarize_best,
)

MORE = 2**50


def test_sizes_go_from_one_kibibyte_to_four_gibibytes() -> None:
    """In steps of one factor."""
    assert (SIZES[0], SIZES[-1]) == (2**10, 2**32)
    assert {after // before for before, after in pairwise(SIZES)} == {4}


@pytest.mark.parametrize(
    ("host", "device", "last"),
    [
        (MORE, MORE, 2**32),
        (HOST_SHARE * 2**32, DEVICE_SHARE * 2**32, 2**32),
        (HOST_SHARE * 2**32 - 1, MORE, 2**30),
        (MORE, DEVICE_SHARE * 2**32 - 1, 2**30),
        (HOST_SHARE * 2**20, MORE, 2**20),
    ],
)
def test_sizes_leave_room(host: int, device: int, last: int) -> None:
    """On the host and on the device, whichever has less."""
    found = list_sizes_within(host, device)
    assert found == SIZES[: SIZES.index(last) + 1]


@pytest.mark.parametrize(
    ("files", "free"),
    [
        ({}, 5 * 1024),
        ({"memory.max": "max", "memory.current": "3"}, 5 * 1024),
        ({"memory.max": "4096", "memory.current": "1024"}, 3072),
        ({"memory.max": "99999999", "memory.current": "0"}, 5 * 1024),
        ({"memory.max": "4096"}, 5 * 1024),
    ],
)
def test_memory_of_a_container_is_what_its_group_leaves(
    tmp_path: Path, files: dict[str, str], free: int
) -> None:
    """The system tells that of the whole machine, also within a container."""
    system = tmp_path / "meminfo"
    system.write_text(
        "MemTotal:        9 kB\nMemFree:         1 kB\nMemAvailable:    5 kB\n", encoding="ascii"
    )
    for name, text in files.items():
        (tmp_path / name).write_text(f"{text}\n", encoding="ascii")
    assert find_host_memory(system, tmp_path) == free


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
