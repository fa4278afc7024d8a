"""What is read from a measurement, and said of it."""

from __future__ import annotations

import pytest

from tensor_atlas.timings.figures import describe_measurement, format_bytes


def test_environment_of_a_gpu_names_card_driver_and_release() -> None:
    """One line; that of a CPU has none of it."""
    where = {"torch": "2.11.0+cu130", "numpy": "2.4.6", "python": "3.12.3", "platform": "linux-x86_64"}
    card = {"device": "Some Card", "cuda": "13.0", "driver": "580.1", "device_count": 1, "date": "2026-01-02"}
    told = describe_measurement({"environment": {**where, **card}, "threads": 8, "rounds": 7})
    assert told.endswith(
        "linux-x86_64, Some Card, CUDA 13.0, driver 580.1, 2026-01-02; threads: 8; rounds: 7"
    )


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (1, "1 B"),
        (1023, "1023 B"),
        (1024, "1 KiB"),
        (64 << 10, "64 KiB"),
        (1 << 20, "1 MiB"),
        (3 << 30, "3 GiB"),
        (1 << 40, "1024 GiB"),
    ],
)
def test_bytes_have_a_binary_unit(size: int, words: str) -> None:
    """The largest that leaves a whole number, up to GiB."""
    assert format_bytes(size) == words
