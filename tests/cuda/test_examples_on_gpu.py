"""Every example that needs one GPU does what it claims there, each time, however many run beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from on_gpu import needs_cuda
from samples import ROOT, python

from tensor_atlas.compare.deviations import parse_deviations
from tensor_atlas.compare.verdicts import compare_run
from tensor_atlas.examples.files import read_examples
from tensor_atlas.examples.requirements import find_missing
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Run, Status
from tensor_atlas.records import store

pytestmark = needs_cuda

EXAMPLES = {e.name: e for e in read_examples([ROOT / "examples"], ROOT) if "cuda" in e.tags}
"""By name: those that need a GPU."""
RACES = (
    "dlpack_streams",
    "early_download",
    "pending_upload",
    "reading_values",
    "record_stream",
    "side_stream",
)
"""Examples of chapter 7 whose output depends on what the GPU has not done yet."""


def captured_by(folder: Path, names: list[str], jobs: int) -> Capture:
    """Capture of examples, made as a GPU builder makes it."""
    paths = [str(ROOT / EXAMPLES[name].path) for name in names]
    output = folder / f"capture-{jobs}.json"
    done = python(ROOT, "-m", "tensor_atlas.probe", *paths, "-o", str(output), "-j", str(jobs))
    assert done.returncode == 0, done.stderr
    return store.read_capture(output)


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Capture:
    """Capture of all of them."""
    return captured_by(tmp_path_factory.mktemp("gpu"), sorted(EXAMPLES), 4)


def test_every_example_that_this_machine_can_run_has_run(capture: Capture) -> None:
    """What is missing is another GPU or a library, and is named."""
    runs = {run.example: run for run in capture.runs}
    for name, example in EXAMPLES.items():
        reason = find_missing(example.tags, capture.environment)
        assert (runs[name].status is Status.NOT_RUN, runs[name].reason if reason else "") == (
            bool(reason),
            reason,
        ), name


def test_claims_hold_on_a_gpu(capture: Capture) -> None:
    """Or a deviation says why not: no verdict is drift."""
    deviations = parse_deviations(
        (ROOT / "docs" / "deviations.toml").read_text("utf-8"), "docs/deviations.toml"
    )
    found = [
        verdict
        for run in capture.runs
        for verdict in compare_run(EXAMPLES[run.example], run, capture.environment, deviations)
        if verdict.is_drift
    ]
    assert found == []


@pytest.mark.parametrize("jobs", [1, 4])
def test_races_are_always_lost_in_the_same_way(capture: Capture, tmp_path: Path, jobs: int) -> None:
    """Alone, and beside other processes on the same GPU: the work ahead of the copy is long enough."""
    first: dict[str, Run] = {run.example: run for run in capture.runs}
    names = [f"07_cuda/{stem}" for stem in RACES]
    for run in captured_by(tmp_path, names, jobs).runs:
        assert run == first[run.example]
