"""The committed records of this checkout: complete, explained, small, and silent about the machines they come
from.
"""

from __future__ import annotations

import getpass
import json
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from committed import (
    HERE,
    committed_changes,
    committed_examples,
    committed_records,
    committed_rules,
    evidence_on,
)
from packaging.requirements import Requirement
from samples import ROOT

from tensor_atlas.checkout import project
from tensor_atlas.compare import report
from tensor_atlas.compare.judge import judge_records
from tensor_atlas.compare.upgrade_report import SEVERITIES
from tensor_atlas.examples.requirements import has_needs
from tensor_atlas.history.releases import (
    find_environment,
    is_compatible,
    summarize_environment,
    torch_release,
)
from tensor_atlas.history.retirement import MOST_BYTES
from tensor_atlas.model.runs import JSON, Environment, Status
from tensor_atlas.records import store

RELEASES = [
    "1.13.1",
    "2.0.1",
    "2.1.2",
    "2.2.2",
    "2.3.1",
    "2.4.1",
    "2.5.1",
    "2.6.0",
    "2.7.1",
    "2.8.0",
    "2.9.1",
    "2.10.0",
    "2.11.0",
    "2.12.1",
    "2.13.0",
    "2.14.1",
    "2.15.0",
]
NUMPY_TOO = [
    ("1.13.1", "2"),
    ("2.2.2", "2"),
    ("2.13.0", "1.26.4"),
    ("2.13.0", "2.0.2"),
    ("2.13.0", "2.1."),
    ("2.13.0", "2.2."),
    ("2.13.0", "2.3."),
    ("2.15.0", "1.26.4"),
    ("2.15.0", "2.0.2"),
]
"""Releases of torch recorded with another NumPy too, as its beginning."""


@pytest.mark.slow
def test_nothing_recorded_differs_without_a_reason() -> None:
    """What ``drift --all`` reports, as it reports it; neither is any reason given in vain."""
    examples, committed = committed_examples(), committed_records()
    deviations = project.deviations_of(HERE, examples)
    verdicts = judge_records(examples, committed, deviations, project.coverage_of(HERE))
    drift = report.describe_differences(verdict for verdict in verdicts if verdict.is_drift)
    assert len(verdicts) > len(examples)
    assert drift == [], "\n\n".join([*drift[:20], f"{len(drift)} differences: tensor-atlas drift --all"])


def _recorded(release: str) -> list[Environment]:
    """Environments without a GPU that a release was recorded in."""
    found = committed_records().environments.values()
    return [e for e in found if str(torch_release(e)) == release and e.kind == "cpu"]


@pytest.mark.parametrize("release", RELEASES)
def test_release_has_a_record_of_every_example_that_needs_nothing(release: str) -> None:
    """In each environment it was recorded in, or docs/gaps.toml says why not; an early end is a record too.

    In the gate's environment it was made of the present code; elsewhere pages say what has changed.
    """
    environments = _recorded(release)
    assert environments, f"nox -s record -- {release}"
    plain = [example for example in committed_examples().values() if not has_needs(example.tags)]
    assert len(plain) > 50
    coverage = project.coverage_of(HERE)
    for environment in environments:
        runs = committed_records().runs(environment.id)
        happened = {name: r for name, r in runs.items() if r.status is not Status.NOT_RUN and r.observations}
        if environment == gate_environment():
            current = [e.name for e in plain if e.name in happened and happened[e.name].digest == e.digest]
            assert len(current) == len(plain), f"nox -s record -- {release}"
        missing = [example.name for example in plain if example.name not in happened]
        missing = [n for n in missing if not any(gap.covers(n, environment) for gap in coverage.gaps)]
        assert missing == [], f"{summarize_environment(environment)}: nox -s record -- {release}"


def gate_environment() -> Environment | None:
    """Recorded environment that pyproject.toml names as the gate's."""
    return find_environment(project.coverage_of(HERE).gate, committed_records().environments.values())


def test_gate_is_named_as_the_sessions_install_it() -> None:
    """Who upgrades them names the new environment, and records it first."""
    gate = gate_environment()
    assert gate is not None
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    (torch,) = (Requirement(line) for line in groups["torch"] if line.startswith("torch"))
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8").split("\n")
    assert torch.specifier.contains(torch_release(gate))
    assert f"numpy=={gate.numpy}" in pinned


@pytest.mark.parametrize(("release", "numpy"), NUMPY_TOO)
def test_release_has_records_with_another_numpy(release: str, numpy: str) -> None:
    """What a reader with a mismatched installation sees."""
    found = [e for e in _recorded(release) if e.numpy.startswith(numpy)]
    assert found, f"nox -s record -- {release} --numpy {numpy}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("conversion", "source", "release"),
    [
        ("np-array-x", "tensor-float32", "NumPy 2.1"),
        ("torch-from-dlpack-x", "array-read-only", "NumPy 2.1"),
        ("np-from-dlpack-x", "tensor-float32", "NumPy 2.2"),
        ("legacy-tensor-x", "scalar-np-bool", "NumPy 2.3"),
        ("torch-from-dlpack-x", "array-np-matrix", "NumPy 2.4"),
        ("y-x-y-other", "sequence-dict", "Python 3.12 to 3.14"),
    ],
)
def test_change_of_numpy_is_dated_to_its_release(conversion: str, source: str, release: str) -> None:
    """Not to the next one that happens to be recorded with the newest torch."""
    changes = committed_changes()
    labels = []
    for one in committed_rules():
        for item in one.items:
            calls = item.rule.calls.items() if item.rule and SEVERITIES[item.severity].is_behaviour else ()
            names = [
                (changes.calls[call].name, changes.sources[s].name) for call, some in calls for s in some
            ]
            labels += [one.label] * ((conversion, source) in names)
    assert release in labels
    assert {"NumPy 2.4", "NumPy 2.1 to 2.4", "NumPy 2.0 to 2.4"} & {*labels} <= {release}


# --- files ---------------------------------------------------------------------------------------


def test_torch_works_with_the_numpy_that_a_run_of_it_could_use() -> None:
    """The table of compatible releases says of each environment what ``from_numpy`` did there."""
    (shown,) = evidence_on(["01_numpy_to_tensor/from_numpy"]).pages.values()
    ended = {environment.id: run.status is Status.COMPLETED for environment, run in shown.runs}
    assert set(ended.values()) == {True, False}
    assert ended == {environment.id: is_compatible(environment) for environment, _ in shown.runs}


def _files() -> list[Path]:
    """Record files that are committed; all there are, in a copy of the project without its history."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "docs/records"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return sorted(path for path in paths or HERE.records.rglob("*") if path.is_file())


@pytest.mark.slow
def test_records_are_spelled_again_to_the_same_bytes() -> None:
    """Every record, row and table, so that recording one release changes no line about another."""
    spelled = {
        HERE.records / name: text.encode() for name, text in store.spell_records(committed_records()).items()
    }
    assert sorted(spelled) == _files()
    assert [path.name for path, text in spelled.items() if path.read_bytes() != text] == []


def test_records_stay_small() -> None:
    """Whoever clones the project fetches all of them."""
    sizes = [path.stat().st_size for path in _files()]
    assert len(sizes) > 50
    assert sum(sizes) < MOST_BYTES


_PLACE = re.compile(r"(?<![\w./~>…-])/[A-Za-z_][\w.-]*|\b[A-Za-z]:\\\w|\\\\\w+\\\w")
"""A path from the root of a file system: ``/x``, ``C:\\x``, ``\\\\host\\x``; not ``a/b``, ``…/b`` or
``https://b``."""


def told_of_machine(text: str, user: str) -> list[str]:
    """Places and mentions of a user in a text."""
    name = re.escape(user)
    mentions = re.compile(rf"[/\\]{name}\b|\b{name}@|-of-{name}\b")
    return [match[0] for pattern in (_PLACE, mentions) for match in pattern.finditer(text)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("/home/somebody/x.py", ["/home", "/somebody"]),
        ('File "/root/x.py", line 1', ["/root"]),
        ("a line\n/tmp/x", ["/tmp"]),
        ("(/srv/builds/torch)", ["/srv"]),
        ("path=/Users/a", ["/Users"]),
        (r"C:\Users\a", ["C:\\U"]),
        (r"\\host\share", [r"\\host\s"]),
        ("tmp/pytest-of-somebody/x", ["-of-somebody"]),
        ("checkout/somebody/x", ["/somebody"]),
        ("somebody@host", ["somebody@"]),
        ("site-packages/torch/functional.py, ~/x, ./x, …/x, <prefix>/x", []),
        ("https://pytorch.org/docs and/or 1/2, a / b", []),
        ("somebody else", []),
    ],
)
def test_what_tells_of_a_machine_is_recognised(text: str, told: list[str]) -> None:
    """The search that the next test relies on finds what it should, and no more."""
    assert told_of_machine(text, "somebody") == told


def _texts(document: JSON) -> Iterator[str]:
    if isinstance(document, str):
        yield document
    elif isinstance(document, list):
        for item in document:
            yield from _texts(item)
    elif isinstance(document, dict):
        for key, item in document.items():
            yield key
            # The example's own source is for everybody to read anyway.
            yield from () if key == "code" else _texts(item)


@pytest.mark.slow
def test_records_tell_nothing_of_the_machines_they_come_from() -> None:
    """No path of a file system and no name of whoever records; what is normalised is none."""
    user = getpass.getuser()
    texts = [
        (path, text) for path in _files() for text in _texts(json.loads(path.read_text(encoding="utf-8")))
    ]
    assert len(texts) > 1000
    found = {
        (path.relative_to(ROOT).as_posix(), told)
        for path, text in texts
        # OpenCV's messages name the folder in which its wheel was built.
        for told in told_of_machine(text.replace("/torch_…", "").replace("/io/opencv/", ""), user)
    }
    assert found == set()
