"""A referee from outside: tries cells of the matrix by plain means, and compares them with their records.

``python tests/referee/referee.py --sample 6000 --seed random``. The code of a cell comes from the catalogue,
its record from the committed file, by a reader of this module; ``trial.py`` runs and observes by itself.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import platform
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, render_call

RECORDS = Path(__file__).parents[2] / "docs" / "records"
TRIAL = Path(__file__).with_name("trial.py")
BATCH = 500
"""Cells of one process, from which each is forked."""
AT_A_TIME = 2
LAZY_SETUP = "torch._lazy.ts_backend.init()\n"
"""What torch allows once a process: a source that has run it has done so for the conversion."""
WORDS = 6
"""Words of a message that are compared, up to the first that may differ between machines."""
_CONVERSIONS = {conversion.name: conversion for conversion in CONVERSIONS}
_SOURCES = {source.name: source for source in SOURCES}

Key: TypeAlias = "tuple[str, str]"
"""Names of a conversion and of a source."""
Answer: TypeAlias = "dict[str, Any]"
"""What became of a cell: as a record or as a trial tells it."""


# --- records -------------------------------------------------------------------------------------


def environment_name() -> str:
    """Name under which the records have what is installed here, without an accelerator."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    machine = f"{sys.platform}-{platform.machine()}"
    return f"torch-{version('torch')}_numpy-{version('numpy')}_python-{python}_{machine}_cpu"


def read_cells(records: Path, environment: str) -> dict[Key, Answer]:
    """Recorded cells of an environment; empty where it has none."""
    texts = json.loads((records / "texts.json").read_text("utf-8"))["texts"]
    cells: dict[Key, Answer] = {}
    for path in sorted((records / "matrix").glob("*.json")):
        row = json.loads(path.read_text("utf-8"))
        groups = [number for number, group in enumerate(row["groups"]) if environment in group]
        for source, outcome in row["cells"].items() if groups else ():
            number = outcome if isinstance(outcome, int) else _find_outcome(outcome, groups[0])
            if number is not None and row["conversion"] in _CONVERSIONS and source in _SOURCES:
                cells[row["conversion"], source] = _put_texts(row["outcomes"][number], texts)
    return cells


def _find_outcome(by_outcome: Mapping[str, str], group: int) -> int | None:
    """Outcome of a group: ``{"3": "0-2, 5"}`` gives groups 0, 1, 2 and 5 outcome 3."""
    for outcome, groups in by_outcome.items():
        for run in groups.split(", "):
            first, _, last = run.partition("-")
            if int(first) <= group <= int(last or first):
                return int(outcome)
    return None


def _put_texts(value: Any, texts: Mapping[str, str]) -> Any:
    """A value whose long messages, ``{"text": DIGEST}``, are put in."""
    if isinstance(value, list):
        return [_put_texts(item, texts) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"text"}:
        return texts[value["text"]]
    return {key: _put_texts(item, texts) for key, item in value.items()}


# --- trials --------------------------------------------------------------------------------------


def try_cells(keys: Sequence[Key]) -> Iterator[tuple[Key, Answer]]:
    """What fresh processes answer about each cell."""
    batches = [keys[start : start + BATCH] for start in range(0, len(keys), BATCH)]
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for batch, answers in zip(batches, pool.map(_try_batch, batches), strict=True):
            yield from zip(batch, answers, strict=True)


def _try_batch(keys: Sequence[Key]) -> list[Answer]:
    asked = []
    for conversion, source in keys:
        cell = _SOURCES[source]
        call = render_call(_CONVERSIONS[conversion], cell)
        if LAZY_SETUP in cell.code:
            call = call.replace(LAZY_SETUP, "")  # torch allows it once a process
        writable = "read-only" not in cell.flags
        asked.append({"setup": cell.code, "call": call, "slow": cell.slow, "writable": writable})
    command = [sys.executable, str(TRIAL)]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True)
    answers: list[Answer] = json.loads(done.stdout)
    return answers


# --- comparison ----------------------------------------------------------------------------------


def compare(record: Answer, answer: Answer) -> dict[str, str]:
    """What a record and an answer say otherwise about a cell, by fact."""
    recorded, seen = list_facts(complete(record)), list_facts(answer)
    wrong = {
        fact: f"recorded {recorded[fact]!r}, seen {seen[fact]!r}"
        for fact in recorded
        if recorded[fact] != seen[fact]
    }
    if record.get("value") and not is_same_value(record["value"], answer.get("value", "")):
        wrong["value"] = f"recorded {record['value']}, seen {answer.get('value')}"
    return wrong


def complete(record: Answer) -> Answer:
    """A record with what it leaves out: most results lie on the CPU and record no gradient."""
    whole = dict(record)
    if "shape" in record:
        whole.setdefault("device", "cpu")
    if "device" in whole and "writable" not in record:
        whole.setdefault("requires_grad", False)
    if "error" in record:
        whole["error"] = [record["error"]["type"], record["error"].get("message", "")]
    whole["warnings"] = [[warned["category"], warned["message"]] for warned in record.get("warnings", [])]
    return whole


def list_facts(cell: Answer) -> Answer:
    """What is compared of a record or an answer, in one form."""
    facts = {name: cell.get(name) or None for name in ("outcome", "type", "dtype", "device", "writes")}
    facts |= {name: cell.get(name) for name in ("shape", "strides", "writable", "requires_grad")}
    facts["warnings"] = [[category, first_words(message)] for category, message in cell.get("warnings", [])]
    kind, message = cell.get("error", ("", ""))
    facts["error"] = [
        kind,
        "" if cell["outcome"] == "crashes" else first_words(message),
    ]
    return facts


def first_words(message: str) -> str:
    """Beginning of a message, up to a word that names a number, a folder or a place."""
    words = itertools.takewhile(lambda word: not re.search(r"[\d/<…]", word), message.split()[:WORDS])
    return " ".join(words)


def is_same_value(recorded: str, seen: str) -> bool:
    """Whether two texts spell the same nested list; records have six digits of a float."""
    if recorded == seen:  # also of what is no list: the repr of an enum
        return True
    names = {
        "nan": math.nan,
        "inf": math.inf,
        "nanj": complex(0, math.nan),
        "infj": complex(0, math.inf),
    }
    try:
        one, other = flatten(eval(recorded, names)), flatten(eval(seen, names))
    except (SyntaxError, NameError):
        return False
    return len(one) == len(other) and all(map(_is_close, one, other))


def flatten(value: object) -> list[object]:
    """Items of a nested list, with a bracket for each beginning, so that another nesting is another list."""
    if not isinstance(value, (list, tuple)):
        return [value]
    return ["[", *(item for part in value for item in flatten(part)), "]"]


def _is_close(one: object, other: object) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, (int, float, complex)) and isinstance(other, (int, float, complex)):
        # The lazy device makes 0.0 of a denormal number, or not: no source is that small.
        return bool(np.isclose(one, other, rtol=1e-5, atol=1e-38, equal_nan=True))
    return one == other


def main(arguments: Sequence[str]) -> int:
    """Print each cell that differs, and how many agree; exit code 1 if any differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=300, help="number of cells")
    parser.add_argument("--seed", default="0", help="a number, or random")
    given = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(10**6) if given.seed == "random" else int(given.seed)
    cells = read_cells(RECORDS, environment_name())
    keys = draw(cells, given.sample, seed)
    differing = 0
    for number, ((conversion, source), answer) in enumerate(try_cells(keys), 1):
        wrong = compare(cells[conversion, source], answer)
        differing += bool(wrong)
        for fact, text in wrong.items():
            print(f"{conversion} on {source}: {fact}: {text}", flush=True)
        if number % BATCH == 0:
            print(f"{number} cells tried", file=sys.stderr)
    print(f"seed {seed}: {len(keys) - differing} cells agree, {differing} differ")
    return min(differing, 1)


def draw(cells: Mapping[Key, Answer], count: int, seed: int) -> list[Key]:
    """So many cells at random, or all where there are fewer."""
    keys = sorted(cells)
    return random.Random(seed).sample(keys, min(count, len(keys)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
