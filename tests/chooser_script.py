"""Runs the chooser's script without a browser, for tests that ask it many questions."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest
from committed import committed_records, evidence_on
from samples import ROOT

from tensor_atlas.catalogue import Form
from tensor_atlas.compare.evidence import Evidence
from tensor_atlas.history.patterns import Patterns
from tensor_atlas.matrix.chooser import ChooserTable, build_chooser_table, select_present_rows
from tensor_atlas.matrix.chooser_cells import encode_cells
from tensor_atlas.matrix.preferences import Preference
from tensor_atlas.model.runs import JSON
from tensor_atlas.pages.chooser_data import encode_table
from tensor_atlas.pages.combinations import FILE, Combinations, encode_combinations, read_combinations
from tensor_atlas.site.matrix.conversion_chooser import parse_preferences

NOTHING_RUN = Combinations()
SITE = ROOT / "src/tensor_atlas/site"
SCRIPT = SITE / "matrix/static/atlas-chooser.js"
OUTCOMES = SITE / "build/static/atlas-numbering.js"
"""The script that reads patterns."""
ASK = """
const window = globalThis;
const { readFileSync } = require("node:fs");
const [outcomes, script, input] = process.argv.slice(2);
const { data, questions } = JSON.parse(readFileSync(input, "utf-8"));
window.atlasMatrix = data;
window.atlasPatterns = data.patterns;
eval(readFileSync(outcomes, "utf-8"));
eval(readFileSync(script, "utf-8"));
const chooser = window.atlasChooser;
const describe = (have, want, one) => ({
  call: one.call,
  conversion: one.conversion?.name ?? "",
  fit: one.fit,
  cost: chooser.costOf(have, want, one),
  cautions: chooser.cautionsOf(have, one),
  warnings: one.result.warnings,
  rung: one.rung ?? "",
  isComposed: one.isComposed ?? false,
  cells: one.cells.map(({ conversion, source }) => [conversion.name, source.name]),
});
const answers = questions.map((question) => {
  const have = chooser.find(question.have);
  const kind = chooser.KIND[question.want ?? "TENSOR"];
  const memory = question.memory ?? "ANY";
  const want = { kind, memory, element: question.dtype ?? "", device: question.device ?? "" };
  const { environments } = chooser;
  const isPicked = ({ id }) => id.startsWith(`torch-${question.torch}`) && id.endsWith("_cpu");
  const here = question.torch ? environments.find(isPicked) : environments[0];
  const found = chooser.answer(here, have, want);
  const tell = ([key, list]) => [key, list.map((one) => describe(have, want, one))];
  return Object.fromEntries(Object.entries(found).map(tell));
});
process.stdout.write(JSON.stringify(answers));
"""


@cache
def find_node() -> str:
    """A JavaScript engine: node, or the one that Playwright brings along."""
    found = shutil.which("node")
    if found is None:
        playwright = pytest.importorskip("playwright")
        driver = Path(str(playwright.__file__)).parent / "driver" / "node"
        found = str(driver) if driver.is_file() else None
    if found is None:
        pytest.skip("no node to run the chooser's script with")
    return found


def ask_chooser(
    folder: Path, data: Mapping[str, JSON], questions: Iterable[Mapping[str, str]]
) -> list[dict[str, list[dict[str, JSON]]]]:
    """Answers of the script: for each question, the lists ``best``, ``more`` and ``rest``."""
    script, asked = folder / "ask.js", folder / "asked.json"
    script.write_text(ASK, encoding="utf-8")
    asked.write_text(json.dumps({"data": data, "questions": [*questions]}), encoding="utf-8")
    command = [find_node(), str(script), str(OUTCOMES), str(SCRIPT), str(asked)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    answers: list[dict[str, list[dict[str, JSON]]]] = json.loads(done.stdout)
    return answers


@cache
def read_preferences() -> tuple[Preference, ...]:
    """The committed table of preferences."""
    path = ROOT / "docs" / "preferences.toml"
    return parse_preferences(path.read_text(encoding="utf-8"), "docs/preferences.toml")


@cache
def recorded_table() -> ChooserTable:
    """What is recorded of the matrix."""
    committed = committed_records()
    return build_chooser_table(select_present_rows(committed.rows, committed.sources), committed.environments)


@cache
def recorded_data() -> dict[str, JSON]:
    """The data of the page, from the committed records."""
    return give_combinations(read_known())


@cache
def read_known() -> Combinations:
    """The committed runs of combinations."""
    return read_combinations(ROOT / "docs" / FILE)


def give_combinations(known: Combinations) -> dict[str, JSON]:
    """The data of the page, as if these were the runs of combinations."""
    return encode_all(recorded_table(), read_preferences(), _find_evidence(), known)


@cache
def _find_evidence() -> Evidence:
    return evidence_on({p.evidence.partition(":")[0] for p in read_preferences() if p.evidence})


def encode_all(
    table: ChooserTable,
    preferences: Sequence[Preference],
    evidence: Evidence,
    known: Combinations = NOTHING_RUN,
) -> dict[str, JSON]:
    """The data with the cells of every form, as if a page had loaded them all."""
    patterns = Patterns(table.environments)
    cells: dict[str, JSON] = {}
    for form in Form:
        listed = {"combinations": encode_combinations(known, form, patterns)}
        cells[form] = {**encode_cells(table, form, preferences, patterns), **listed}
    data = encode_table(table, preferences, evidence, lambda page: f"{page}.html")
    return {**data, "cells": cells, "patterns": patterns.encode()}
