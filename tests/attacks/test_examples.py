"""Examples that mean harm, or are merely careless: each is observed, none harms another, none survives the
probe.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from samples import CASES, project, python

from tensor_atlas import cli
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Run, Status
from tensor_atlas.probe.observe import MAX_KEPT
from tensor_atlas.probe.output import MAX_OUTPUT
from tensor_atlas.probe.sandbox import MAX_FILE_BYTES
from tensor_atlas.records import store

pytestmark = [
    pytest.mark.attack,
    pytest.mark.skipif(sys.platform != "linux", reason="forks, signals, limits and /proc as Linux has them"),
]

MARKUP = (
    "<script>document.title='planted'</script> <b onclick=x>b</b> &amp; "
    "`link <javascript:x>`_ |sub| **s** :raw:`x`"
)
SECRETS = {
    "USER": "planted-user",
    "LOGNAME": "planted-user",
    "HOSTNAME": "planted-host",
    "API_TOKEN": "planted-token",
}
LATE = ("endless_sleep", "ignores_signals", "stopped", "endless_warnings", "threads")
"""Examples that have no end, and three seconds."""

HOSTILE = {path.stem for path in (CASES / "hostile").rglob("*.py")}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Project of all of them, and what the probe said when it had run them."""
    folder = tmp_path_factory.mktemp("hostile")
    made = project(
        folder / "planted-checkout", "hostile", timeouts="\n".join(f'"01_x/{name}" = 3' for name in LATE)
    )
    for place in ("tmp", "home/planted-user"):
        (folder / place).mkdir(parents=True)
    places = {"TMPDIR": str(folder / "tmp"), "HOME": str(folder / "home/planted-user")}
    done = python(
        made, "-m", "tensor_atlas.probe", "examples", "-o", "capture.json", "-j", "3", **SECRETS, **places
    )
    assert done.returncode == 0, done.stderr
    (made / "said.txt").write_text(done.stderr, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def capture(root: Path) -> Capture:
    """What the probe observed."""
    return store.read_capture(root / "capture.json")


@pytest.fixture(scope="module")
def runs(capture: Capture) -> dict[str, Run]:
    """Run of each, by name."""
    return {run.example.removeprefix("01_x/"): run for run in capture.runs}


ENDS = {
    "allocates": (Status.RAISED, "MemoryError"),
    "blanks": (Status.COMPLETED, ""),
    "changes_folder": (Status.COMPLETED, ""),
    "closes_stdout": (Status.COMPLETED, ""),
    "daemon": (Status.COMPLETED, ""),
    "endless_output": (Status.RAISED, "OSError"),
    "endless_sleep": (Status.TIMED_OUT, "no end after 3 s"),
    "endless_warnings": (Status.TIMED_OUT, "no end after 3 s"),
    "environment": (Status.COMPLETED, ""),
    "exits_half_way": (Status.EXITED, "the process ended without a word, exit code 0"),
    "forges": (Status.EXITED, "the process ended without a word, exit code 0"),
    "forks": (Status.COMPLETED, ""),
    "ignores_signals": (Status.TIMED_OUT, "no end after 3 s"),
    "installs_handlers": (Status.COMPLETED, ""),
    "large_message": (Status.RAISED, "ValueError"),
    "large_output": (Status.COMPLETED, ""),
    "many_errors": (Status.COMPLETED, ""),
    "markup": (Status.COMPLETED, ""),
    "recurses": (Status.RAISED, "RecursionError"),
    "removes_folder": (Status.COMPLETED, ""),
    "scribbles": (Status.EXITED, "the process ended without a word, exit code 0"),
    "segfaults": (Status.CRASHED, "SIGSEGV"),
    "stopped": (Status.TIMED_OUT, "no end after 3 s"),
    "terminal": (Status.COMPLETED, ""),
    "threads": (Status.TIMED_OUT, "no end after 3 s, after the last statement"),
    "unicode": (Status.RAISED, "KeyError"),
    "z_calm": (Status.COMPLETED, ""),
    "é中_name": (Status.COMPLETED, ""),
}
"""How each ends; those that spoil the observation itself end somehow, and are not listed."""


def test_every_example_has_an_outcome(runs: dict[str, Run]) -> None:
    """Whatever the others did."""
    assert set(runs) == HOSTILE
    assert {name: (run.status, run.reason) for name, run in runs.items() if name in ENDS} == ENDS


def test_those_that_spoil_their_observation_do_not_look_fine_for_it(runs: dict[str, Run]) -> None:
    """Nothing is taken for observed that was not."""
    for name in ("closes_descriptors", "patches_torch", "patches_python"):
        assert runs[name].status is not Status.COMPLETED or runs[name].observations, name
    assert len(runs) - len(ENDS) == 3


def test_calm_example_is_as_ever(runs: dict[str, Run]) -> None:
    """It ran last, after all of them."""
    assert runs["z_calm"].observations[-1].stdout == "tensor([1.])"
    assert len(runs["z_calm"].snapshots) == 1


def test_what_garbles_its_observations_loses_no_earlier_ones(root: Path, runs: dict[str, Run]) -> None:
    """What was told before is kept, what was planted is not executed by whoever reads it."""
    for name in ("forges", "scribbles"):
        reached = [observation.code.split()[0] for observation in runs[name].observations]
        assert reached[-1] == "for", name
        assert "x" not in reached, name
    assert list(root.rglob("forged")) == []
    assert [observation.stdout for observation in runs["removes_folder"].observations] == [
        "",
        "",
        "before",
        "",
        "False",
    ]


def test_output_is_bounded(root: Path, runs: dict[str, Run]) -> None:
    """A hundred megabytes are counted, not kept; so is a message, and a thousand and first exception."""
    output = runs["large_output"].observations[-1].stdout
    assert output.endswith(f"\n[{100 * (2**20 + 1) - MAX_OUTPUT} more bytes]")
    raised = runs["large_message"].observations[-1].raised
    assert raised is not None
    assert raised.message.endswith("more characters]")
    many = runs["many_errors"].observations[-1]
    assert len(many.caught) == MAX_KEPT
    assert many.stderr == f"[{1500 - MAX_KEPT} more warnings or caught exceptions]"
    assert (root / "capture.json").stat().st_size < 5_000_000


def test_endless_output_fills_no_disk(runs: dict[str, Run]) -> None:
    """The file that it goes to has a limit while it is written."""
    last = runs["endless_output"].observations[-1].stdout
    assert last.endswith(f"\n[{MAX_FILE_BYTES - MAX_OUTPUT} more bytes]")


def test_nothing_survives_the_probe(root: Path) -> None:
    """Not even processes in sessions of their own that nobody waits for; and no folder."""
    mark = str(root.parent / "tmp").encode()
    left = [path.parent.name for path in Path("/proc").glob("[0-9]*/environ") if mark in content(path)]
    assert [pid for pid in left if pid != str(os.getpid())] == []
    assert list((root.parent / "tmp").iterdir()) == []


def content(path: Path) -> bytes:
    """Content of a file that may be gone."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_no_traceback_of_ours_is_printed(root: Path) -> None:
    """By the probe; what it says of so many bad ends is a summary."""
    said = (root / "said.txt").read_text(encoding="utf-8")
    assert "Traceback" not in said
    assert f"{len(HOSTILE)} examples executed in " in said


def test_capture_holds_nothing_of_the_machine(root: Path) -> None:
    """No name of user or host, no home, no path, no value of an environment variable, though an example
    prints all.
    """
    text = (root / "capture.json").read_text(encoding="utf-8")
    for secret in (*SECRETS.values(), str(root), str(root.parent), str(Path.home()), "planted-checkout"):
        assert secret not in text, secret
    environment = next(run for run in json.loads(text)["runs"] if run["example"] == "01_x/environment")
    printed = environment["observations"][2]["stdout"]
    assert printed.startswith("~ ~ . tmp ")


def test_report_moves_no_cursor(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The gate spells out what a terminal would act on, and text that would be shown in another order."""
    monkeypatch.chdir(root)
    assert cli.main(["drift", "--from", "capture.json"]) == 1
    said = capsys.readouterr().out
    assert [c for c in sorted(set(said)) if not c.isprintable() and c != "\n"] == []
    assert "\\x1b[2J" in said
    assert MARKUP in said


def test_report_can_be_written_where_letters_are_missing(root: Path) -> None:
    """On a terminal of another encoding they are spelled out."""
    done = python(root, "-m", "tensor_atlas.cli", "drift", "--from", "capture.json", PYTHONIOENCODING="ascii")
    assert done.returncode == 1
    assert 'Traceback (most recent call last):\n  File "/' not in done.stderr
    assert "\\xe9\\u4e2d_name" in done.stdout or "\\u4e2d" in done.stdout


def test_hostile_capture_is_recorded_and_read_again(
    root: Path, monkeypatch: pytest.MonkeyPatch, capture: Capture
) -> None:
    """Whatever was observed, as it was observed."""
    monkeypatch.chdir(root)
    assert cli.main(["record", "--from", "capture.json"]) == 0
    found = store.read_records(root / "docs" / "records").runs(capture.environment.id)
    assert found == {run.example: run for run in capture.runs}
