"""Cells drawn at random: what a page shows as their code, pasted into a fresh interpreter, does what the page
shows.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from html import escape, unescape
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from committed import committed_records

from tensor_atlas.matrix.table import Entry, Matrix, build_matrix
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Environment
from tensor_atlas.pages.matrix_words import name_result
from tensor_atlas.site.matrix.matrix_pages import render_conversion

pytestmark = pytest.mark.slow

DRAWN = 10
"""Cells a run draws; which, differs from run to run."""

REPORT = r"""
import json, sys, warnings
warnings.simplefilter("ignore")


def bounds(value):
    if isinstance(value, torch.Tensor):
        if not value.data_ptr():
            raise ValueError("a lazy or meta tensor has no address")
        last = sum((n - 1) * abs(s) for n, s in zip(value.shape, value.stride())) + 1
        return value.data_ptr(), value.data_ptr() + last * value.element_size()
    if isinstance(value, np.ndarray):
        bounds = getattr(np.lib, "array_utils", np)
        return bounds.byte_bounds(value)
    return bounds(np.frombuffer(value, dtype="uint8"))


def meet():
    try:
        (a, b), (c, d) = bounds(x), bounds(y)
    except Exception:
        return None
    return a < d and c < b


def shape():
    try:
        return list(map(int, y.shape))
    except Exception:  # a nested tensor has none
        return None


def told():
    is_data = isinstance(y, (torch.Tensor, np.ndarray))
    has_items = type(y) in (list, tuple) and y and isinstance(y[0], (torch.Tensor, np.ndarray))
    of = type(y[0]).__name__ if has_items else ""
    return {
        "same": y is x,
        "type": type(y).__name__ + (f" of {of}" if of else ""),
        "dtype": str(y.dtype) if is_data or isinstance(y, np.generic) else "",
        "shape": shape() if is_data else None,
        "meet": meet(),
    }


def raised():
    error = getattr(sys, "last_value", None)
    return error and {"type": type(error).__name__, "message": str(error)}


print("TOLD " + json.dumps(raised() or (told() if "y" in globals() else None)), flush=True)

"""
"""What a fresh interpreter says of ``x`` and ``y``, by other means than the probe's."""


@cache
def recorded() -> tuple[Matrix, Environment]:
    """The matrix, and the recorded environment that is installed here; skips where there is none."""
    found = build_matrix(committed_records())
    torch, numpy = version("torch"), version("numpy")
    here = [e for e in found.environments if (e.torch, e.numpy, e.kind) == (torch, numpy, "cpu")]
    if not here:
        pytest.skip(f"no cells are recorded with torch {torch}, NumPy {numpy}")
    return found, here[0]


def drawn(count: int) -> list[Entry]:
    """Cells of this environment; of each outcome about as many, for most of all raise."""
    found, here = recorded()
    by_outcome: dict[Outcome, list[Entry]] = {}
    for row in found.rows.values():
        for entry in row.values():
            cell = entry.at(here)
            if cell is not None and cell.outcome not in (Outcome.TIMES_OUT, Outcome.NO_SOURCE):
                by_outcome.setdefault(cell.outcome, []).append(entry)
    return [random.choice(by_outcome[random.choice(list(by_outcome))]) for _ in range(count)]


def displayed(entry: Entry) -> tuple[str, str]:
    """Code and answers of a cell, as its page shows them."""
    page = render_conversion(recorded()[0], entry.conversion, escape)
    start = page.index(f'<details class="atlas-cell" id="{entry.source.name}">')
    found = re.search(
        r'<div class="highlight-python notranslate"><div class="highlight"><pre>(.*?)</pre>',
        page[start:],
        re.DOTALL,
    )
    assert found is not None
    summary = page[start : page.index("</summary>", start)]
    return unescape(found[1]), unescape(re.sub(r"<[^>]*>", "", summary))


def pasted(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What an interpreter does with code that is pasted into it, line by line, and then says of it."""
    arguments = [sys.executable, "-i", "-q", "-W", "ignore"]
    text = f"{code}\n{_one_line(REPORT)}\n"
    return subprocess.run(
        arguments,
        input=text,
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=120,
        check=False,
        encoding="utf-8",
    )


def _one_line(code: str) -> str:
    """Code that an interactive interpreter takes as one statement, whatever blank lines are in it."""
    return f"exec({code!r})"


def test_displayed_code_gives_the_displayed_outcome(tmp_path: Path) -> None:
    """Ten cells a run: copied off their pages, pasted, compared."""
    _, here = recorded()
    entries = drawn(DRAWN)
    codes = [displayed(entry) for entry in entries]
    folders = [tmp_path / str(number) for number in range(DRAWN)]
    for folder in folders:
        folder.mkdir()
    with ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(pasted, (code for code, _ in codes), folders))
    for entry, (code, summary), done in zip(entries, codes, ends, strict=True):
        cell = entry.at(here)
        assert cell is not None
        assert str(cell.outcome) in summary
        assert name_result(cell) in summary
        check(cell, done, f"{entry.conversion.name} on {entry.source.name}:\n{code}")


def _first(message: str) -> list[str]:
    """Beginning of a message, up to what may differ between processes: numbers, places, names of files."""
    return re.split(r"[\d/<]", message.strip())[:1]


def check(cell: Cell, done: subprocess.CompletedProcess[str], what: str) -> None:
    """Hold a cell against what an interpreter did."""
    said = re.search(r"TOLD (.*)", done.stdout)
    if cell.outcome is Outcome.CRASHES:
        assert said is None, what
        assert done.returncode != 0, what
        return
    assert said is not None, f"{what}\n{done.stderr}"
    told = json.loads(said[1])
    if cell.outcome is Outcome.RAISES:
        assert cell.error is not None
        # Not read off the traceback: NumPy's `_UFuncNoLoopError` calls itself `UFuncTypeError`, save there.
        assert told is not None, what
        assert told["type"] == cell.error.type, f"{what}\n{done.stderr}"
        assert _first(told["message"]) == _first(cell.error.message), f"{what}\n{done.stderr}"
        return
    assert told is not None, f"{what}\n{done.stderr}"
    assert "message" not in told, f"{what}\n{done.stderr}"
    assert (told["same"], told["type"], told["dtype"]) == (
        cell.outcome is Outcome.SAME,
        cell.type,
        cell.dtype,
    ), what
    if told["shape"] is not None and cell.shape is not None:
        assert tuple(told["shape"]) == cell.shape, what
    if told["meet"] is not None and cell.outcome in (Outcome.SHARES, Outcome.COPIES):
        assert told["meet"] is (cell.outcome is Outcome.SHARES), what


def test_every_kind_of_difference_is_noticed(tmp_path: Path) -> None:
    """Of a cell that shares: another outcome, class, dtype or shape; so the comparison above compares."""
    found, here = recorded()
    entry = found.rows["torch-from-numpy-x"]["array-float32"]
    done = pasted(displayed(entry)[0], tmp_path)
    cell = entry.at(here)
    assert cell is not None
    check(cell, done, "as recorded")
    fields: list[dict[str, Any]] = [
        {"outcome": Outcome.COPIES},
        {"outcome": Outcome.SAME},
        {"type": "Parameter"},
        {"dtype": "torch.float64"},
        {"shape": (2,)},
    ]
    for changed in fields:
        with pytest.raises(AssertionError):
            check(Cell(**{**vars(cell), **changed}), done, "changed")
