"""The script that reads patterns: it reads what Python spells, for everything that is recorded."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from chooser_script import OUTCOMES, find_node
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import CPU, OLDER

from tensor_atlas.history.patterns import ABSENT, OutcomeTable, Patterns, mark_new, spell_pattern

READ = """
const window = globalThis;
const { readFileSync } = require("node:fs");
const [script, input] = process.argv.slice(2);
const { patterns, asked, texts, mappings, cells } = JSON.parse(readFileSync(input, "utf-8"));
window.atlasPatterns = patterns;
eval(readFileSync(script, "utf-8"));
const { placeOf, readLetter, outcomeAt, hasOutcome, readNumbers, readMappings } = window.atlasOutcomes;
const places = asked.map(placeOf);
const none = (value) => value ?? null;
const readAll = (text) => [...Array(text.length + 1).keys()].map((place) => none(readLetter(text, place)));
process.stdout.write(JSON.stringify({
  places,
  letters: texts.map(readAll),
  outcomes: readMappings(mappings).map((mapping) => places.map((place) => none(outcomeAt(mapping, place)))),
  known: mappings.map(hasOutcome),
  cells: readNumbers(cells),
}));
"""
"""Everything that the script reads of some data."""


def read(folder: Path, **data: object) -> dict[str, Any]:
    """What the script reads."""
    script, given_data = folder / "read.js", folder / "data.json"
    script.write_text(READ, encoding="utf-8")
    empty: dict[str, object] = {"asked": [], "texts": [], "mappings": [], "cells": []}
    given_data.write_text(json.dumps({**empty, "patterns": {"environments": []}, **data}), encoding="utf-8")
    command = [find_node(), str(script), str(OUTCOMES), str(given_data)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@given(st.lists(st.none() | st.integers(0, 50_000)))
@settings(max_examples=10)
def test_script_reads_each_letter(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[int | None]
) -> None:
    """And none before a pattern or behind it."""
    text = spell_pattern(numbers)
    script = read(tmp_path_factory.mktemp("read"), texts=[text], asked=["no environment"])
    assert script["letters"] == [[*numbers, None]]
    assert script["places"] == [-1]


def test_script_counts_marked_numbers(tmp_path: Path) -> None:
    """In cells, and across the outcomes of all mappings."""
    table: OutcomeTable[str] = OutcomeTable(Patterns((CPU, OLDER)))
    given_outcomes = [{CPU.id: "a", OLDER.id: "b"}, {}, {OLDER.id: "c"}, {CPU.id: "b"}]
    numbers = [table.number(one) for one in (*given_outcomes, given_outcomes[0])]
    patterns = {"environments": [CPU.id, OLDER.id], "patterns": ["01", "  ", " 0", "0 "]}
    data = {"mappings": table.encode_mappings(), "cells": [*mark_new(numbers), ABSENT]}
    script = read(tmp_path, patterns=patterns, asked=[OLDER.id, CPU.id, "another"], **data)
    assert script["cells"] == [*numbers, ABSENT] == [0, 1, 2, 3, 0, ABSENT]
    assert script["outcomes"] == [[1, 0, None], [None, None, None], [2, None, None], [None, 1, None]]
    assert script["known"] == [True, False, True, True]
