"""Every map that the site draws, held against what the examples do here: measured by other code than the
probe's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
import torch
from committed import committed_evidence
from measured_memory import measured
from packaging.version import Version
from samples import ROOT, python

from tensor_atlas.compare.evidence import ExampleEvidence
from tensor_atlas.examples.requirements import find_missing
from tensor_atlas.history.releases import torch_release
from tensor_atlas.model.runs import Environment
from tensor_atlas.pages.memory_map import Bar, MemoryMap, View, build_map, build_maps, find_touched_variables
from tensor_atlas.probe.environment import detect


@dataclass(frozen=True)
class Measured:
    """What a plain run shows after a block."""

    places: Mapping[str, tuple[int, int] | None]
    """Lowest address and number of bytes by name; None where there are none."""
    pairs: frozenset[frozenset[str]]
    """Names with a byte in common."""


def releases_of(environment: Environment) -> tuple[Version, str, str]:
    """What decides how far an example comes: torch of any build, NumPy, and the kind of device."""
    return torch_release(environment), environment.numpy, environment.kind


def drawn_of(shown: ExampleEvidence) -> dict[int, MemoryMap]:
    """By block, the map that a page has for this machine: recorded here, or with these releases, or what it
    shows.
    """
    here = detect()
    assert shown.run is not None
    same = [run for environment, run in shown.runs if environment.id == here.id]
    alike = [run for environment, run in shown.runs if releases_of(environment) == releases_of(here)]
    run = [*same, *alike, shown.run][0]
    found = {
        index: build_map(
            run.snapshots[index], find_touched_variables(shown.example.blocks[index]), drawn.variables
        )
        for index, drawn in build_maps(shown.example, shown.run).items()
        if index < len(run.snapshots)
    }
    return {index: drawn for index, drawn in found.items() if drawn is not None}


@pytest.fixture(scope="module")
def drawn() -> dict[str, dict[int, MemoryMap]]:
    """Maps of all examples that this machine can run, by name of the example and index of the block."""
    able = {
        n: s
        for n, s in committed_evidence().pages.items()
        if s.run is not None and not find_missing(s.example.tags, detect())
    }
    return {name: maps for name, shown in able.items() if (maps := drawn_of(shown))}


@pytest.fixture(scope="module")
def seen(
    drawn: Mapping[str, Mapping[int, MemoryMap]], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[int, Measured]]:
    """The same blocks, as plain runs show them; each example is forked from a process that has imported
    torch.
    """
    folder = tmp_path_factory.mktemp("measured")
    asked = {
        str(ROOT / "examples" / f"{name}.py"): {str(index): found.names for index, found in maps.items()}
        for name, maps in drawn.items()
    }
    (folder / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    done = python(ROOT, "tests/measured_memory.py", str(folder / "asked.json"), str(folder))
    assert done.returncode == 0, done.stderr
    assert {script: end for script, end in json.loads(done.stdout).items() if end["code"] != 0} == {}
    return {name: answers_in(folder / f"{place}.json") for place, name in enumerate(drawn)}


def answers_in(path: Path) -> dict[int, Measured]:
    """What was measured in one example, by block."""
    answers = json.loads(path.read_text(encoding="utf-8"))
    return {int(index): told(answer) for index, answer in answers.items()}


def told(answer: Mapping[str, object]) -> Measured:
    """An answer, in the form of a map's own facts."""
    document = json.loads(json.dumps(answer))
    places = {name: place and (place[0], place[1]) for name, place in document["places"].items()}
    return Measured(places, frozenset(map(frozenset, document["pairs"])))


def faults(found: MemoryMap, here: Measured) -> list[str]:
    """What a map shows otherwise than it was measured."""
    wrong = [f"drawn over one byte, but apart: {sorted(pair)}" for pair in found.pairs - here.pairs]
    wrong += [f"drawn apart, but over one byte: {sorted(pair)}" for pair in here.pairs - found.pairs]
    wrong += [f"{bare.name} has bytes" for bare in found.bare if here.places[bare.name] is not None]
    for bar in found.bars:
        origins = set()
        for view in bar.views:
            for place in (here.places[name] for name in view.names):
                if place is None or place[1] != view.nbytes:
                    wrong.append(f"{view.names} see {view.nbytes} bytes, measured {place}")
                else:
                    origins.add(place[0] - view.pieces[0][0])
        if len(origins) > 1:
            wrong.append(f"{bar.names} begin elsewhere in their buffer")
        if any(stop > bar.nbytes for view in bar.views for _, stop in view.pieces):
            wrong.append(f"{bar.names} see more than the {bar.nbytes} bytes of the bar")
    return wrong


@pytest.mark.slow
def test_every_map_shows_what_a_plain_run_does(
    drawn: Mapping[str, Mapping[int, MemoryMap]], seen: Mapping[str, Mapping[int, Measured]]
) -> None:
    """Pairs over a common byte, how many bytes each name sees, where they begin, and who has none."""
    assert {name: set(maps) for name, maps in drawn.items()} == {
        name: set(blocks) for name, blocks in seen.items()
    }
    wrong = {
        f"{name}, block {index + 1}": found
        for name, maps in drawn.items()
        for index, shown in maps.items()
        if (found := faults(shown, seen[name][index]))
    }
    assert wrong == {}


@pytest.mark.slow
def test_maps_of_the_site_show_both_answers(drawn: Mapping[str, Mapping[int, MemoryMap]]) -> None:
    """Sharing and copies are both among what the test above has compared."""
    maps = [found for blocks in drawn.values() for found in blocks.values()]
    assert any(found.pairs for found in maps)
    assert any(len(found.bars) > 1 for found in maps)
    assert any(len(found.bars[0].views) > 1 for found in maps if found.bars)
    assert any(found.bare for found in maps)


# --- the check itself ------------------------------------------------------------------------------


def test_measurement_tells_sharing_from_lying_side_by_side() -> None:
    """Interleaved views have no byte in common, overlapping ones have, and a tensor is measured as an array
    is.
    """
    array = np.arange(6, dtype=np.float64)
    tensor = torch.from_numpy(array)
    namespace = {
        "array": array,
        "even": tensor[::2],
        "odd": array[1::2],
        "tail": tensor[4:],
        "own": tensor.clone(),
    }
    found = told(measured(namespace, [*namespace, "even[1]"]))
    pairs = {("array", "even"), ("array", "odd"), ("array", "tail"), ("even", "tail"), ("odd", "tail")}
    pairs |= {("even", "even[1]"), ("array", "even[1]")}
    assert found.pairs == {frozenset(pair) for pair in pairs}
    assert {name: place and place[1] for name, place in found.places.items()} == {
        "array": 48,
        "even": 24,
        "odd": 24,
        "tail": 16,
        "own": 48,
        "even[1]": 8,
    }


def test_measurement_counts_overlapping_windows_once_and_backwards_too() -> None:
    """Bytes are counted, not elements; a view that runs backwards begins at its last element."""
    array = np.zeros(5)
    windows = np.lib.stride_tricks.sliding_window_view(array, 3)
    found = told(
        measured(
            {"array": array, "windows": windows, "flipped": array[::-1]}, ["array", "windows", "flipped"]
        )
    )
    assert len(set(found.places.values())) == 1
    assert len(found.pairs) == 3


def test_values_without_bytes_are_measured_as_such() -> None:
    """None at all, on the meta device, without strides, and a storage that was taken away."""
    gone = torch.ones(4)
    gone.untyped_storage().resize_(0)
    namespace = {
        "empty": np.zeros((0, 3)),
        "meta": torch.ones(2, device="meta"),
        "sparse": torch.eye(2).to_sparse(),
        "gone": gone,
    }
    assert set(told(measured(namespace, list(namespace))).places.values()) == {None}


def test_wrong_maps_are_found() -> None:
    """A pair too many, one too few, another size, another place, and bytes where none are drawn."""
    array = np.zeros(4, np.int8)
    here = told(measured({"array": array, "tail": array[1:], "own": array.copy()}, ["array", "tail", "own"]))
    whole, tail = View(("array",), ((0, 4),)), View(("tail",), ((1, 4),))
    right = MemoryMap((Bar("cpu", 4, 1, (whole, tail)), Bar("cpu", 4, 1, (View(("own",), ((0, 4),)),))))
    assert faults(right, here) == []

    def with_first(bar: Bar) -> list[str]:
        return faults(replace(right, bars=(bar, right.bars[1])), here)

    first = right.bars[0]
    merged = View(("array", "own"), ((0, 4),))
    assert faults(MemoryMap((replace(first, views=(merged, tail)),)), here) != []
    assert with_first(replace(first, views=(replace(whole, pieces=((0, 1),)), tail))) != []
    assert with_first(replace(first, views=(whole, replace(tail, pieces=((0, 3),))))) != []
    assert with_first(replace(first, nbytes=3)) != []
    assert faults(replace(right, bars=right.bars[:1]), here) == []
