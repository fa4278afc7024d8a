"""What the chooser names first: the call that we recommend, as all other pages name it."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import pytest
from chooser_script import ask_chooser, recorded_data
from samples import ROOT

from tensor_atlas.catalogue import SOURCES
from tensor_atlas.examples.messages import read_fix
from tensor_atlas.examples.parse import parse_example
from tensor_atlas.matrix.preferences import OFFICIAL
from tensor_atlas.timings.figures import CLOSE

FEWEST = 50
"""Situations that the chooser must know the documented answer of."""
OWN = ("array", "arrays", "tensor", "tensors", "data")
"""Names under which pages have what the chooser calls x."""


class Situation(NamedTuple):
    """An entry of ``situations.toml`` with the script's answer."""

    entry: dict[str, Any]
    best: list[dict[str, Any]]


def read_entries(path: str, key: str) -> list[dict[str, Any]]:
    """Entries of a TOML file."""
    entries: list[dict[str, Any]] = tomllib.loads((ROOT / path).read_text(encoding="utf-8"))[key]
    return entries


@pytest.fixture(scope="module")
def situations(tmp_path_factory: pytest.TempPathFactory) -> list[Situation]:
    """Every situation with what the chooser answers."""
    entries = read_entries("tests/situations.toml", "situations")
    asked = [{key: value for key, value in entry.items() if isinstance(value, str)} for entry in entries]
    answers = ask_chooser(tmp_path_factory.mktemp("asked"), recorded_data(), asked)
    return [Situation(entry, answer["best"]) for entry, answer in zip(entries, answers, strict=True)]


def test_first_call_is_the_one_that_we_recommend(situations: list[Situation]) -> None:
    """In every situation; PyTorch or NumPy document one of its functions."""
    assert len(situations) >= FEWEST
    first = {entry["name"]: best[0]["call"] if best else "" for entry, best in situations}
    recommended = {entry["name"]: entry["call"] for entry, _ in situations}
    assert first == recommended, "the chooser's first call (left) is not the recommended one (right)"
    assert all(entry["source"].startswith(OFFICIAL) for entry, _ in situations)


def test_answer_says_what_it_costs(situations: list[Situation]) -> None:
    """Memory, dtype and device of arrays and tensors; the gradient of what requires one."""
    for entry, best in situations:
        if best and entry["want"] != "VALUE" and best[0]["fit"] == "DOES":
            cost = " · ".join(best[0]["cost"])
            assert re.search("shares memory|cop(y|ies)|x itself", cost), entry
            assert re.search("dtype", cost), entry
            assert re.search("stays on|moves from", cost), entry
            assert ("gradient" in cost) == ("grad" in entry["have"] or "non-leaf" in entry["have"]), entry


def test_answer_that_is_put_together_says_so(situations: list[Situation]) -> None:
    """And names the cells; any other is one cell, or a statement of an example."""
    for entry, best in situations:
        if best:
            assert best[0]["isComposed"] is (entry.get("composed", False) or "astype(np." in entry["call"]), (
                entry
            )
            assert not best[0]["isComposed"] or best[0]["cells"], entry


def test_answer_of_a_device_that_was_not_run_says_its_rung(situations: list[Situation]) -> None:
    """And no other answer has one."""
    for entry, best in situations:
        assert (best[0]["rung"] if best else "") == entry.get("rung", ""), entry


def test_fix_of_an_error_page_makes_the_same_calls(situations: list[Situation]) -> None:
    """Whatever its names are."""
    for entry, _ in situations:
        if "fix" in entry:
            path = ROOT / "examples" / f"{entry['fix']}.py"
            fix = read_fix(parse_example(path.read_text(encoding="utf-8"), path.as_posix()))
            assert fix is not None, entry
            fixed = set(re.findall(r"(\w+)\(", " ".join(line.code for line in fix.after)))
            assert set(re.findall(r"(\w+)\(", entry["call"])) <= fixed, entry


def test_cheat_sheet_names_the_same_call(tmp_path: Path) -> None:
    """The landing page's pick as well, which reads the same entries; each links to the question."""
    entries = [entry for entry in read_entries("docs/decisions.toml", "decisions") if "ask" in entry]
    assert len(entries) > 12
    answers = ask_chooser(tmp_path, recorded_data(), [dict(parse_qsl(entry["ask"])) for entry in entries])
    calls = [re.sub(rf"\b({'|'.join(OWN)})\b(?!\()", "x", entry["call"]) for entry in entries]
    first = [answer["best"][0]["call"] for answer in answers]
    same = [call.replace("x[::-1]", "x") for call in calls]
    assert first == same


def test_guide_names_the_same_calls(situations: list[Situation]) -> None:
    """The guide on sharing and copying, where a situation says that it has the call."""
    text = (ROOT / "docs" / "guides" / "choosing.md").read_text(encoding="utf-8")
    guide = re.sub(rf"\b({'|'.join(OWN)})\b(?!\()", "x", text)
    named = [entry for entry, _ in situations if entry.get("guide")]
    assert len(named) >= 5
    assert [entry["name"] for entry in named if entry["call"] not in guide] == []


def test_no_array_goes_through_a_list(tmp_path: Path) -> None:
    """Nor by DLPack between torch and NumPy: for no source is that among the recommended calls."""
    entries = [{"have": source.name, "want": want} for source in SOURCES for want in ("TENSOR", "ARRAY")]
    for entry, answer in zip(entries, ask_chooser(tmp_path, recorded_data(), entries), strict=True):
        for one in answer["best"]:
            assert not re.search("tolist|dlpack", str(one["call"])), entry


@pytest.mark.parametrize("series", ["a list of arrays", "a list of images"])
def test_call_for_a_list_of_arrays_is_the_fastest_measured(series: str) -> None:
    """At each size, or close to it: what the chooser and the cheat sheet name."""
    preferences = read_entries("docs/preferences.toml", "preferences")
    preferred = [entry["call"] for entry in preferences if entry.get("only") == ["sequence-arrays"]]
    decisions = read_entries("docs/decisions.toml", "decisions")
    (call,) = [entry["call"] for entry in decisions if entry["have"] == "a list of arrays"]
    assert [each.replace("(x)", "(arrays)") for each in preferred] == [call]
    measured = json.loads((ROOT / "docs/measurements/cpu.json").read_text(encoding="utf-8"))
    timed = [case for case in measured["cases"] if case["series"] == series]
    assert timed
    for size in {case["size"] for case in timed}:
        median = {case["name"]: case["median"] for case in timed if case["size"] == size}
        assert median[call] < CLOSE * min(median.values()), size
