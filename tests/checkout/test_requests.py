"""What the nox sessions understand after ``--``, and what pip is asked for."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from samples import CPU, GPU, OLDER

from tensor_atlas.checkout.requests import USAGES, Request, fit_numpy, parse_recorded, parse_request
from tensor_atlas.history import releases
from tensor_atlas.history.releases import USUAL_PYTHON
from tensor_atlas.records import store

UNDERSTOOD = {
    "record": Request(),
    "record --report r.md": Request(report="r.md"),
    "record 2.6.0": Request(("2.6.0",)),
    "record 2.6 1.13.1 2.6": Request(("2.6", "1.13.1")),
    "record 2.13.0+cpu": Request(("2.13.0+cpu",)),
    "record 2.15.0rc1": Request(("2.15.0rc1",)),
    "record 2.6.0 --numpy 1.26.4": Request(("2.6.0",), "1.26.4"),
    "record --numpy 1.26.4 2.6.0 --report=r.md 2.7.1": Request(("2.6.0", "2.7.1"), "1.26.4", report="r.md"),
    "record newest": Request(("newest",)),
    "record newest 2.6.0": Request(("newest", "2.6.0")),
    "record all": Request(("all",)),
    "record all --matrix": Request(("all",), matrix=True),
    "record 2.6.0 --with pandas jax<1 --matrix": Request(
        ("2.6.0",), matrix=True, libraries=("pandas", "jax<1")
    ),
    "record --matrix": Request(matrix=True),
    "record --all": Request(("all",)),
    "record --all --only 01_x/a 02_y/b 01_x/a": Request(("all",), only=("01_x/a", "02_y/b")),
    "record 2.6.0 --only 01_x/a --only 02_y/b": Request(("2.6.0",), only=("01_x/a", "02_y/b")),
    "record --only 01_x/a --report r.md": Request(report="r.md", only=("01_x/a",)),
    "record --from a.json b.json --report r.md": Request(captures=("a.json", "b.json"), report="r.md"),
    "record --from c.json --report r.md": Request(captures=("c.json",), report="r.md"),
    "record --from a.json b.json --skip-broken": Request(captures=("a.json", "b.json"), skip_broken=True),
    "record --pre": Request(pre=True),
    "capture 2.2.2 --matrix --shard 2/8 -o c.json": Request(
        ("2.2.2",), matrix=True, shard="2/8", output="c.json"
    ),
    "capture -o c.json newest --with h5py": Request(("newest",), libraries=("h5py",), output="c.json"),
    "replay --sample 7 --seed 3 --release 2.6.0 --write": Request(
        ("2.6.0",), matrix=True, sample=7, seed=3, write=True
    ),
    "gpu": Request(),
    "gpu --measure": Request(measure=True),
    "gpu --report r.md --python /usr/bin/python3": Request(report="r.md", python="/usr/bin/python3"),
}


@pytest.mark.parametrize("arguments", UNDERSTOOD)
def test_arguments_are_understood(arguments: str) -> None:
    """Releases and options, in any order."""
    session, *words = arguments.split()
    assert parse_request(session, words) == UNDERSTOOD[arguments]


@pytest.mark.parametrize(
    ("session", "arguments", "words"),
    [
        ("record", ["2.x"], "2.x is no release of torch"),
        ("record", ["latest"], "latest is no release of torch"),
        ("record", [""], "nothing is no release of torch"),
        ("record", ["2.6.0; rm -r ."], "2.6.0; rm -r . is no release of torch"),
        ("record", ["../2.6.0"], "../2.6.0 is no release of torch"),
        ("record", ["2.6.0", "--numpy", "<2"], "<2 is no release of NumPy"),
        ("record", ["2.6.0", "--numpy"], "argument --numpy: expected one argument"),
        ("record", ["2.6.0", "--nump", "2.0.2"], "unrecognized arguments: --nump"),
        ("record", ["2.6.0", "--jobs"], "unrecognized arguments: --jobs"),
        ("record", ["--help"], "unrecognized arguments: --help"),
        ("record", ["--numpy", "1.26.4"], "--numpy wants a release of torch beside it"),
        ("record", ["--with", "pandas"], "--with wants a release of torch beside it"),
        ("record", ["2.6.0", "--with", "pandas;rm"], "pandas;rm is no requirement that pip understands"),
        ("record", ["--from", "c.json", "--with", "pandas"], "--from takes what captures hold"),
        ("record", ["2.6.0", "--pre"], "--pre takes the newest torch that pip finds, alone"),
        ("record", ["2.6.0", "--skip-broken"], "--skip-broken goes with --from"),
        ("record", ["all", "2.6.0"], "all stands alone"),
        ("record", ["all", "--numpy", "1.26.4"], "all stands alone"),
        ("record", ["2.6.0", "--from", "c.json"], "--from takes what captures hold"),
        ("record", ["--from", "c.json", "--numpy", "2.0.2"], "--from takes what captures hold"),
        ("record", ["--from", "c.json", "--matrix"], "--from takes what captures hold"),
        ("record", ["--from", "c.json", "--only", "01_x/a"], "--from takes what captures hold"),
        ("record", ["all", "--matrix", "--only", "01_x/a"], "--only runs examples alone"),
        ("record", ["all", "--only"], "argument --only: expected at least one argument"),
        ("record", ["--all", "2.6.0"], "all stands alone"),
        ("replay", ["--release", "newest"], "newest is no release of torch"),
        ("replay", ["--sample", "0"], "a sample holds 1 or more"),
        ("replay", ["--sample", "many"], "argument --sample: invalid int value: 'many'"),
        ("replay", ["2.6.0"], "unrecognized arguments: 2.6.0"),
        ("capture", ["-o", "c.json"], "the following arguments are required: release"),
        ("capture", ["2.6.0"], "the following arguments are required: -o/--output"),
        ("capture", ["2.6.0; rm -r .", "-o", "c.json"], "2.6.0; rm -r . is no release of torch"),
        ("capture", ["2.6.0", "-o", "c.json", "--shard", "9/8"], "9/8 is no shard"),
        (
            "capture",
            ["2.6.0", "-o", "c.json", "--shard", "--matrix"],
            "argument --shard: expected one argument",
        ),
        ("capture", ["2.6.0", "-o", "c.json", "--shard", ""], "nothing is no shard"),
        ("gpu", ["2.6.0"], "unrecognized arguments: 2.6.0"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(session: str, arguments: list[str], words: str) -> None:
    """What is wrong, then what to write; before anything is installed."""
    with pytest.raises(ValueError, match="^" + re.escape(words)) as caught:
        parse_request(session, arguments)
    assert str(caught.value).endswith(USAGES[session])
    assert "\n" not in str(caught.value)


def test_probe_is_given_what_is_asked_for() -> None:
    """All examples where none is named; the rest as its own options."""
    assert Request().words == ["examples"]
    asked = Request(only=("01_x/a", "02_y/b"), libraries=("h5py",), numpy="2.0.2")
    assert asked.words == ["examples/01_x/a.py", "examples/02_y/b.py"]
    asked = parse_request("capture", ["2.2.2", "--matrix", "--shard", "2/8", "-o", "c.json"])
    assert asked.words == ["examples", "--matrix", "--names", "--shard", "2/8"]
    asked = parse_request("replay", ["--sample", "7", "--seed", "0"])
    assert asked.words == ["examples", "--matrix", "--sample", "7", "--seed", "0"]


def test_replay_draws_another_sample_each_time() -> None:
    """Without arguments 200 cells; the seed that it drew is among what it says."""
    drawn = [parse_request("replay", []) for _ in range(5)]
    assert {asked.sample for asked in drawn} == {200}
    assert len({asked.seed for asked in drawn}) > 1


@pytest.mark.parametrize(
    "torch",
    ["1.13.1", "2.0.1", "2.1.2", "2.2.0", "2.2.2", "2.3.0rc1", "2.3.0", "2.3.1", "2.10.0", "2.15.0", "3.0.0"],
)
def test_numpy_asked_for_fits_the_release(torch: str) -> None:
    """pip is asked for a NumPy that the releases' own rule accepts, and for none older than it must be."""
    asked = Requirement(fit_numpy(torch).split()[1])
    for numpy in ("1.26.4", "2.0.2", "2.4.6"):
        assert asked.specifier.contains(numpy) == releases.is_compatible(
            replace(CPU, torch=torch, numpy=numpy)
        ), numpy


def test_numpy_that_was_named_is_asked_for() -> None:
    """Whether it fits or not: what a mismatched install does is evidence too."""
    assert fit_numpy("2.2.2", "2.0.2") == "torch==2.2.2 numpy==2.0.2"
    assert fit_numpy("newest", "2.0.2") == "torch numpy==2.0.2"
    assert fit_numpy("newest") == "torch numpy"


def test_all_names_each_recorded_environment_without_an_accelerator_once(tmp_path: Path) -> None:
    """Oldest first, each with its NumPy and by Python; builds of one release are one, since pip chooses the
    build.
    """
    ten = replace(CPU, torch="2.10.0", numpy="2.0.2")
    cuda_build = replace(CPU, torch="2.13.0+cu130", cuda="13.0")
    other_numpy = replace(CPU, numpy="1.26.4")
    gpu = replace(GPU, torch="2.9.1+cu128")
    other_python = replace(CPU, numpy="2.5.5", python="3.14.8")
    known = (CPU, gpu, OLDER, ten, cuda_build, other_numpy, other_python)
    found = {environment.id: environment for environment in known}
    store.write_records(store.Store(found), tmp_path)
    document = (tmp_path / store.ENVIRONMENTS).read_text(encoding="utf-8")
    assert parse_recorded(document) == {
        USUAL_PYTHON: [
            "torch==2.2.2 numpy==1.26.4",
            "torch==2.10.0 numpy==2.0.2",
            "torch==2.13.0 numpy==1.26.4",
            "torch==2.13.0 numpy==2.4.6",
        ],
        "3.14": ["torch==2.13.0 numpy==2.5.5"],
    }
