"""``python -m tensor_atlas.timings.measure``: what is timed, how often, and the form of what is written."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
import torch
from samples import python

from tensor_atlas.model.runs import Environment
from tensor_atlas.records.decode import convert_json
from tensor_atlas.timings.measure import (
    array_list_cases,
    build_document,
    image_cases,
    image_list_cases,
    main,
    sharing_cases,
    value_cases,
)
from tensor_atlas.timings.timing import Case, Timing, time_cases

MADE: dict[str, Callable[[], list[Case]]] = {
    "share_or_copy": sharing_cases,
    "lists_of_arrays": array_list_cases,
    "lists_of_images": image_list_cases,
    "single_values": value_cases,
    "images": image_cases,
}
"""What makes the cases of the figures."""
# That a way is slow is what is measured.
slow_way = pytest.mark.filterwarnings("ignore:Creating a tensor from a list of numpy.ndarrays")


def told(log: list[str], name: str) -> Case:
    """Case that adds its name to ``log`` when it is called."""
    return Case("made up", name, len(name), lambda: log.append(name))


# --- how it is timed -----------------------------------------------------------------------------


def test_cases_take_turns() -> None:
    """Each is called to warm up, then once a round: a machine that slows down slows all of them."""
    log: list[str] = []
    timings = time_cases([told(log, "a"), told(log, "bb")], rounds=2, enough=0)
    assert log == ["a", "bb"] * 3
    assert [timing.case.name for timing in timings] == ["a", "bb"]
    assert [len(timing.seconds) for timing in timings] == [2, 2]


def test_short_calls_are_timed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as last long enough, and what is told is for one; by a clock that only the calls move."""
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    calls = {"short": 0, "long": 0}

    def lasting(name: str, seconds: float) -> Case:
        def call() -> None:
            calls[name] += 1
            now[0] += seconds

        return Case("made up", name, 1, call)

    short, long = time_cases([lasting("short", 0.25), lasting("long", 2.0)], rounds=3, enough=1.0)
    assert calls["short"] >= 1 + 3 * 4
    assert calls["long"] == 1 + 3
    assert short.seconds == (0.25, 0.25, 0.25)
    assert long.seconds == (2.0, 2.0, 2.0)


# --- what is written -----------------------------------------------------------------------------


def test_median_and_quartiles_are_told() -> None:
    """Of what was measured, in whatever order it was."""
    timing = Timing(told([], "call"), (9.0, 1.0, 5.0, 1.0, 30.0, 1.0, 9.0))
    assert timing.document() == {
        "series": "made up",
        "name": "call",
        "size": 4,
        "median": 5.0,
        "low": 1.0,
        "high": 9.0,
    }


def test_file_names_its_environment_and_every_case() -> None:
    """A run of two rounds, read back from its text."""
    text = json.dumps(build_document(time_cases([told([], "a"), told([], "bb")], rounds=2, enough=0)))
    written = json.loads(text)
    assert list(written) == ["schema", "environment", "threads", "rounds", "cases"]
    assert (written["schema"], written["threads"], written["rounds"]) == (1, torch.get_num_threads(), 2)
    environment = convert_json(written["environment"], Environment, "environment")
    assert (environment.torch, environment.numpy) == (str(torch.__version__), np.__version__)
    told_of = [(case["series"], case["name"], case["size"]) for case in written["cases"]]
    assert told_of == [("made up", "a", 1), ("made up", "bb", 2)]


# --- what is measured ----------------------------------------------------------------------------


@slow_way
@pytest.mark.parametrize("made", MADE)
def test_every_case_runs(made: str) -> None:
    """On data of the size that it names: bytes, arrays, elements, or pixels of a side."""
    for case in MADE[made]():
        result = np.asarray(case.call())
        extent = result.nbytes if made == "share_or_copy" else result.shape[-1 if made == "images" else 0]
        assert extent == case.size, case.name


@pytest.mark.parametrize("made", MADE)
def test_every_name_has_every_size_once(made: str) -> None:
    """A figure draws one line for a name, and divides by another of the same size."""
    cases = MADE[made]()
    for series in {case.series for case in cases}:
        found = [(case.name, case.size) for case in cases if case.series == series]
        names, sizes = ({pair[part] for pair in found} for part in (0, 1))
        assert sorted(found) == sorted(product(names, sizes))


def test_sizes_grow_by_one_factor() -> None:
    """A figure puts them at equal distances."""
    sizes = sorted({case.size for case in value_cases()})
    assert len({after / before for before, after in pairwise(sizes)}) == 1


@slow_way
@pytest.mark.parametrize("made", ["lists_of_arrays", "lists_of_images", "single_values", "images"])
def test_ways_that_are_compared_give_the_same(made: str) -> None:
    """Values, shape and dtype of one size: anything else would compare unlike work."""
    first: dict[int, np.ndarray[tuple[int, ...], np.dtype[np.generic]]] = {}
    for case in MADE[made]():
        result = np.asarray(case.call())
        expected = first.setdefault(case.size, result)
        assert (result.shape, result.dtype) == (expected.shape, expected.dtype), case.name
        assert np.array_equal(result, expected), case.name


def test_copies_are_those_that_say_so() -> None:
    """All other ways between arrays and tensors give the same memory each time."""
    for case in sharing_cases():
        if case.size == 2**10:
            both = np.asarray(case.call()), np.asarray(case.call())
            assert np.shares_memory(*both) != (
                case.name in ("torch.tensor(array)", "tensor.numpy().copy()")
            ), case.name


def test_image_is_contiguous_where_its_name_says_so() -> None:
    """The way without that step leaves the channels last in memory."""
    for case in image_cases():
        result = case.call()
        assert isinstance(result, torch.Tensor)
        assert result.is_contiguous() == ("contiguous" in case.name), case.name


# --- the command ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-o", "cpu.json", "--rounds", "1"], "--rounds wants 2 or more"),
        (["-o", "cpu.json", "--rounds", "few"], "argument --rounds: invalid int value: 'few'"),
        (["-o", "gone/cpu.json"], "gone/cpu.json: there is no folder gone"),
        (["-o", "."], ".: is a folder; name a file"),
        (["--rounds", "3"], "the following arguments are required: -o/--output"),
        (["tpu", "-o", "tpu.json"], "argument device: invalid choice: 'tpu'"),
        (["cuda", "-o", "gone/cuda.json"], "gone/cuda.json: there is no folder gone"),
    ],
)
def test_wrong_options_are_refused_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    words: str,
) -> None:
    """Under the usage, before anything is measured; nothing is written."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as caught:
        main(options)
    assert caught.value.code == 2
    usage, line = capsys.readouterr().err.split("python -m tensor_atlas.timings.measure: error: ")
    assert usage.startswith("usage: ")
    assert line.startswith(words)
    assert line.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_transfers_need_a_device(tmp_path: Path) -> None:
    """One line says what is missing, before anything is timed; nothing is written."""
    command = ("-m", "tensor_atlas.timings.measure", "cuda", "-o", "cuda.json")
    done = python(tmp_path, *command, CUDA_VISIBLE_DEVICES="")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = re.findall(r"measure: error: (.*)", done.stderr)
    assert (
        line == f"torch {torch.__version__} finds no CUDA device: measure where there is one, or without cuda"
    )
    assert list(tmp_path.iterdir()) == []
