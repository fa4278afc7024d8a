"""A torch with planted changes, recorded as the next release: each must be told with its severity, and
nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from samples import CASES, ROOT, project, python

from tensor_atlas.history.changes import Severity
from tensor_atlas.model.runs import JSON

NEXT = "2.99.0"
PLANTED = {
    "message": ("    torch.from_numpy([1.0])", Severity.WORDING),
    "message_not_printed": ("    torch.from_numpy([1.0])", Severity.WORDING),
    "warns_otherwise": ("rows, columns = ", Severity.WORDING),
    "dtype": ("print(torch.arange(3).dtype)", Severity.VALUE),
    "value": ("print(torch.trace", Severity.VALUE),
    "another_class": ("    torch.reshape", Severity.CLASS),
    "warns": ("print(torch.asarray", Severity.WARNING),
    "no_longer_warns": ("print(torch.range", Severity.WARNING),
    "raises": ("    print(torch.frombuffer", Severity.ERROR_APPEARED),
    "ends": ("tensor = torch.frombuffer", Severity.ERROR_APPEARED),
    "no_longer_raises": ("    weights.numpy()", Severity.ERROR_VANISHED),
}
"""Example → a line of the statement that a planted change alters, and how grave it is."""

PLANTED_IN_VALUES = {
    "dtype": (
        ["positions: dtype torch.int64 → torch.int32", "positions: strides (8,) → (4,)"],
        Severity.VALUE,
    ),
    "device": (["like: device cpu → meta"], Severity.VALUE),
    "copies": (["array, tensor: shares became copies"], Severity.SHARING),
    "shares": (["tensor, copied: copies became shares"], Severity.SHARING),
}
"""Example → what changed among the values that are alive after a block, though nothing prints it."""


@dataclass(frozen=True)
class Recorded:
    """What recording the next release told."""

    changes: list[Mapping[str, JSON]]
    """Changes in the report of ``tensor-atlas compare --format json``."""
    exit_code: int
    """The exit code of that command."""
    compared: int
    """How many examples were compared."""
    before: str
    """What ``tensor-atlas record`` printed on standard error for the installed torch."""
    printed: str
    """What it printed on standard output for the next one."""
    report: str
    """What it wrote with ``--report``."""


SAID = (
    r"\d+ examples? (executed in [\d.]+ s|completed|not run: needs .+)|torch \S+, NumPy \S+, .+"
    r"|\d+ statements? executed"
)
"""What recording says of a run that claims hold for."""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """The installed torch and the next one, recorded and compared."""
    root = project(tmp_path_factory.mktemp("next") / "checkout", "good", "next_release")
    record = ("-m", "tensor_atlas.cli", "record")
    first = python(root, *record)
    assert first.returncode == 0, first.stderr
    (here,) = json.loads((root / "docs/records/environments.json").read_text("utf-8"))["environments"]
    later = python(root, *record, "--report", "report.md", PYTHONPATH=str(ROOT / "tests" / "next_release"))
    assert later.returncode == 0, later.stderr
    done = python(root, "-m", "tensor_atlas.cli", "compare", here["torch"], NEXT, "--format", "json")
    found = json.loads(done.stdout)
    report = (root / "report-whole.md").read_text("utf-8")
    changes = [change for item in found["items"] for change in item["changes"]]
    return Recorded(changes, done.returncode, found["compared"], first.stderr, later.stdout, report)


def test_installed_torch_does_what_the_cases_claim(recorded: Recorded) -> None:
    """The changes below are planted, not the cases' own."""
    assert [line for line in recorded.before.split("\n") if line and not re.fullmatch(SAID, line)] == []


@pytest.mark.parametrize("name", PLANTED)
def test_planted_change_of_a_statement_is_told(recorded: Recorded, name: str) -> None:
    """Once, at its statement, with its severity."""
    line, severity = PLANTED[name]
    (found,) = (
        c for c in recorded.changes if c["example"] == f"05_planted/{name}" and line in str(c["statement"])
    )
    assert found["severity"] == severity
    assert found["before"] != found["after"]


@pytest.mark.parametrize("name", PLANTED_IN_VALUES)
def test_planted_change_that_nothing_prints_is_told(recorded: Recorded, name: str) -> None:
    """Once, with what became of the values."""
    facts, severity = PLANTED_IN_VALUES[name]
    (found,) = (c for c in recorded.changes if c["example"] == f"05_planted/{name}" and c["values"])
    assert (found["severity"], found["values"], found["statement"]) == (severity, facts, "")


def test_nothing_else_is_told(recorded: Recorded) -> None:
    """Neither other examples, nor what follows from a change in its own example, nor the release itself."""
    expected = sorted(f"05_planted/{name}" for name in (*PLANTED, *PLANTED_IN_VALUES))
    assert sorted(str(change["example"]) for change in recorded.changes) == expected
    examples = [path for case in ("good", "next_release") for path in (CASES / case).rglob("*.py")]
    assert recorded.compared == len(examples) - 1, "all but the one that needs 64 GPUs"
    assert recorded.exit_code == 1


def test_recording_tells_the_same(recorded: Recorded) -> None:
    """On the terminal and in the report: who records a release need not ask for the comparison."""
    for change in recorded.changes:
        head = f"{change['path']}:{change['line']}  {change['severity']}\n"
        assert head in recorded.printed
        assert head in recorded.report
    count = len(recorded.changes)
    heads = [line for line in recorded.printed.split("\n") if line.startswith("examples/")]
    assert len(heads) == count
