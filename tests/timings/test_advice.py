"""What a measurement on a GPU says, read off made-up durations; and that nothing is said without one."""

from __future__ import annotations

from typing import Any

import pytest
from samples import ROOT

from tensor_atlas.timings import figures
from tensor_atlas.timings.figures import (
    DOWNLOAD,
    DOWNLOAD_PINNED,
    NOT_YET,
    PAGEABLE,
    PINNED,
    PINNED_FIRST,
    QUEUED,
    format_bytes,
    render_advice,
    render_multiples,
    render_reads,
    render_shares,
    render_transfers,
)
from tensor_atlas.timings.timing import DOWN, OTHERS, RETURN, UP, VALUE, VALUES

KIB, MIB, GIB = 2**10, 2**20, 2**30


def case(series: str, name: str, size: int, median: float) -> dict[str, Any]:
    """One case."""
    return {"series": series, "name": name, "size": size, "low": median, "median": median, "high": median}


def measured(**changes: float) -> dict[str, Any]:
    """A measurement on a link of one GiB a second; ``changes`` name medians of pinning first, by size."""
    up = {
        KIB: {PAGEABLE: 1e-5, PINNED: 1e-5, PINNED_FIRST: changes.get("small", 3e-5)},
        MIB: {PAGEABLE: 4 * MIB / GIB, PINNED: 1.25 * MIB / GIB, PINNED_FIRST: 5 * MIB / GIB},
        GIB: {PAGEABLE: 4.0, PINNED: 1.0, PINNED_FIRST: changes.get("large", 2.0)},
    }
    cases = [case(UP, name, size, median) for size, ways in up.items() for name, median in ways.items()]
    cases += [case(RETURN, QUEUED, GIB, 1e-3), case(DOWN, DOWNLOAD, GIB, 20.0)]
    cases += [case(DOWN, DOWNLOAD_PINNED, GIB, 1.0)]
    cases += [case(VALUE, "torch.cuda.synchronize()", 1, 1e-6), case(VALUE, "tensor.item()", 1, 5e-6)]
    cases += [
        case(VALUES, "tensor.tolist()", 1000, 1e-5),
        case(VALUES, "[x.item() for x in tensor]", 1000, 1e-2),
    ]
    cases += [
        case(OTHERS, "torch.from_dlpack(tensor)", MIB, 1e-6),
        case(OTHERS, "tensor.cpu().numpy()", MIB, 1e-4),
    ]
    return {"limits": {UP: float(GIB), DOWN: float(GIB)}, "cases": cases}


def test_section_has_the_place_of_the_measurement_and_its_tables() -> None:
    """Transfers with advice and a table for each direction, reads with three tables."""
    where = {"torch": "2.11.0", "numpy": "2.4.6", "python": "3.12.3", "platform": "linux-x86_64"}
    found = {**measured(), "environment": {**where, "device_count": 0, "date": "2026-01-02"}}
    found |= {"threads": 8, "rounds": 7}
    for section, tables in ((render_transfers(found), 2), (render_reads(found), 3)):
        assert section.startswith("torch 2.11.0, NumPy 2.4.6")
        assert section.count("\n| --- |") == tables
    assert render_advice(found) in render_transfers(found)


def test_advice_is_read_off_the_numbers() -> None:
    """Every sentence with its numbers."""
    pinned = "a pinned upload of 1 GiB"
    pinning = "is faster at 1 GiB and slower at 1 KiB, 1 MiB, compared"
    assert render_advice(measured()).split("\n") == [
        f"- With 1 GiB, `{PINNED}` reaches 100% of what the link can do, `{PAGEABLE}` 25%.",
        "- From 1 MiB on, a pinned upload uses more than half of the link: combine smaller transfers.",
        f"- With `non_blocking=True` the call is back after 0.10% of the time that {pinned} takes.",
        (
            f"- In the other direction, `{DOWNLOAD}` of 1 GiB reaches 5%, "
            f"and `{DOWNLOAD_PINNED}` into a pinned tensor that you reuse 100%."
        ),
        f"- `pin_memory()` for one upload, its own copy included, {pinning} with `{PAGEABLE}`.",
        "- `tensor.item()` takes 5 times as long as a `torch.cuda.synchronize()` on an idle GPU.",
        "- To read 1000 values one by one takes 1,000 times as long as `tensor.tolist()`.",
        "- `tensor.cpu().numpy()` of 1 MiB takes 100 times as long as `torch.from_dlpack(tensor)`.",
    ]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"small": 1e-5, "large": 4.1}, "is slower at 1 MiB, compared"),
        ({"small": 1e-6}, "is faster at 1 KiB, 1 GiB and slower at 1 MiB, compared"),
    ],
)
def test_advice_follows_other_numbers(changes: dict[str, float], words: str) -> None:
    """What is about equally long is neither faster nor slower."""
    assert words in render_advice(measured(**changes))


def test_a_size_that_falls_back_below_half_of_the_link_is_no_beginning() -> None:
    """From a size on means: and with every larger one."""
    found = measured()
    for one in found["cases"]:
        if (one["series"], one["name"], one["size"]) == (UP, PINNED, GIB):
            one["median"] = 3.0
    assert "more than half" not in render_advice(found)


def test_table_holds_shares_of_the_limit() -> None:
    """A row for a call, a column for a size."""
    lines = render_shares(measured(), UP).split("\n")
    assert lines[0] == "| | 1 KiB | 1 MiB | 1 GiB |"
    assert lines[3] == f"| `{PINNED}` | 10% | 80% | 100% |"


def test_multiples_hold_ratios_to_the_base() -> None:
    """The base is 1; the shortest time is bold."""
    lines = render_multiples(measured(), VALUE, "torch.cuda.synchronize()", "{} value".format).split("\n")
    assert lines[0] == "| | 1 value |"
    assert lines[2:] == ["| `torch.cuda.synchronize()` | **1 ×** |", "| `tensor.item()` | 5 × |"]


@pytest.mark.parametrize(
    ("size", "text"), [(512, "512 B"), (KIB, "1 KiB"), (256 * MIB, "256 MiB"), (2**42, "4096 GiB")]
)
def test_bytes_are_told_in_a_binary_unit(size: int, text: str) -> None:
    """The largest that leaves a whole number."""
    assert format_bytes(size) == text


def test_what_is_asked_for_is_measured() -> None:
    """Series and calls have the same names where they are timed and where they are read."""
    folder = ROOT / "src" / "tensor_atlas" / "timings"
    source = "".join((folder / name).read_text(encoding="utf-8") for name in ("transfers.py", "timing.py"))
    names = [value for key, value in vars(figures).items() if key.isupper() and isinstance(value, str)]
    names += ["torch.cuda.synchronize()", "tensor.item()", "tensor.tolist()", "[x.item() for x in tensor]"]
    names += ["torch.from_dlpack(tensor)", "tensor.cpu().numpy()"]
    assert [name for name in names if name != NOT_YET and name not in source] == []
