"""``tensor-atlas record``: what it tells of the environments around the recorded one, and its report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from samples import CPU, captured, example, project, ran, write_example

from tensor_atlas import cli
from tensor_atlas.checkout import project as probe_project
from tensor_atlas.compare.comparisons import ALONE
from tensor_atlas.compare.proposals import MOST_CHARACTERS, STEPS
from tensor_atlas.history import retirement
from tensor_atlas.history.releases import name_environment, summarize_environment
from tensor_atlas.model.runs import Environment
from tensor_atlas.probe.capture import write_capture
from tensor_atlas.records import store

ONE = example("print(1)\n# => 1\n", "examples/01_x/one.py")
TWO = example("print(2)\n# => 2\n", "examples/01_x/two.py")
AT_ONE, AT_TWO = "examples/01_x/one.py:8", "examples/01_x/two.py:8"


def release(torch: str, numpy: str = CPU.numpy) -> Environment:
    """Environment that is like the others but for its releases."""
    return replace(CPU, torch=torch, numpy=numpy)


OLDEST, OLDER, THIS, NEWER = (release(torch) for torch in ("2.11.0", "2.12.1", "2.13.0", "2.14.1"))


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Project with two examples; the working directory."""
    root = project(tmp_path / "checkout")
    for number, name in enumerate(("one", "two"), 1):
        write_example(root, f"print({number})\n# => {number}\n", f"01_x/{name}")
    monkeypatch.chdir(root)
    return root


def record(environment: Environment, one: str, two: str, *options: str) -> int:
    """Exit code of ``tensor-atlas record`` for an environment in which the two examples print this."""
    write_capture(captured(ran(ONE, one), ran(TWO, two), environment=environment), Path("capture.json"))
    return cli.main(["record", "--from", "capture.json", *options])


def heads(text: str) -> list[str]:
    """Lines of a report that say what is compared, or where something changed."""
    return [line for line in text.split("\n") if "→" in line or line.startswith("examples/")]


@pytest.mark.usefixtures("checkout")
def test_neighbours_are_compared_from_old_to_new(capsys: pytest.CaptureFixture[str]) -> None:
    """What changed from the release before, then what the release after changed; no release further away."""
    for environment, printed in ((OLDEST, "0"), (OLDER, "1"), (NEWER, "1")):
        assert record(environment, printed, "2") == 0
    capsys.readouterr()
    assert record(THIS, "3", "2") == 0
    name = summarize_environment
    assert heads(capsys.readouterr().out) == [
        f"{name(OLDER)}  →  {name(THIS)}",
        f"{AT_ONE}  value, dtype or device changed",
        f"{name(THIS)}  →  {name(NEWER)}",
        f"{AT_ONE}  value, dtype or device changed",
    ]


@pytest.mark.usefixtures("checkout")
def test_neighbours_that_agree_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """That nothing changed is an answer too."""
    assert record(OLDER, "1", "2") == 0
    capsys.readouterr()
    assert record(THIS, "1", "2") == 0
    older, this = summarize_environment(OLDER), summarize_environment(THIS)
    end = f"{older}  →  {this}\n\nnothing changed in 2 examples\n"
    assert capsys.readouterr().out.endswith(end)


@pytest.mark.usefixtures("checkout")
def test_only_what_was_recorded_anew_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever records one example need not read of the others again, in the terminal or in the report."""
    assert record(OLDER, "1", "2") == 0
    assert record(THIS, "3", "3") == 0
    capsys.readouterr()
    assert record(THIS, "3", "4", "--report", "report.md") == 0
    out = capsys.readouterr().out
    assert heads(out)[1:] == [f"{AT_TWO}  value, dtype or device changed"]
    assert "\n1 file changed for " in out
    assert out.endswith("1 value, dtype or device changed in 1 example\n")
    assert AT_ONE not in Path("report-whole.md").read_text(encoding="utf-8")
    assert record(THIS, "3", "4", "--report", "report.md") == 0
    words = "othing new: tensor-atlas compare tells what differs from another environment"
    assert capsys.readouterr().out == f"0 files changed for {summarize_environment(THIS)}\nn{words}\n"
    assert Path("report-whole.md").read_text(encoding="utf-8").endswith(f"\n\nN{words}.\n")


@pytest.mark.probe
def test_named_example_alone_is_run_and_recorded(checkout: Path) -> None:
    """The records of the others stay to the byte, though their code has changed."""
    assert cli.main(["record"]) == 0
    folder = checkout / "docs" / "records" / "01_x"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name in ("one", "two"):
        write_example(checkout, 'print("new")\n# => new\n', f"01_x/{name}")
    assert cli.main(["record", "--only", "01_x/two"]) == 0
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert [name for name in after if after[name] != before[name]] == ["two.json"]
    assert b"new" in after["two.json"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["01_x/tow"], "tensor-atlas: 01_x/tow  no such example\n    did you mean 01_x/two?\n"),
        (["one", "??"], "tensor-atlas: one  no such example\n    did you mean 01_x/one?\n"),
        (["01_x/one", "??"], "tensor-atlas: ??  no such example\n    name it <chapter>/<stem>\n"),
        (["01_x/one", "--matrix"], "tensor-atlas: --only  runs examples alone, not the matrix\n    leave"),
    ],
)
def test_what_cannot_be_recorded_alone_is_refused(
    checkout: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    """With exit code 2 and the nearest name, before anything runs."""
    assert cli.main(["record", "--only", *words]) == 2
    assert capsys.readouterr().err.startswith(message)
    assert not (checkout / "docs" / "records").exists()


@pytest.mark.usefixtures("checkout")
def test_another_numpy_is_a_neighbour(capsys: pytest.CaptureFixture[str]) -> None:
    """Of the same release of torch."""
    assert record(release("2.13.0", "1.26.4"), "1", "2") == 0
    capsys.readouterr()
    assert record(THIS, "1", "3") == 0
    title, change = heads(capsys.readouterr().out)
    assert title == "torch 2.13.0, NumPy 1.26.4, cpu  →  torch 2.13.0, NumPy 2.4.6, cpu"
    assert change.startswith(AT_TWO)


@pytest.mark.usefixtures("checkout")
def test_report_holds_what_nothing_explains_and_what_changed() -> None:
    """For the text of a pull request: its first line names the environment; the whole lies beside it."""
    assert record(OLDER, "1", "2") == 0
    assert record(THIS, "1", "3", "--report", "report.md") == 0
    text = Path("report.md").read_text(encoding="utf-8")
    name = summarize_environment
    assert text.startswith(f"## {name(THIS)}\n\n| Environment |")
    assert f"| {name(THIS)} | {name(OLDER)} | 1 | 0 | 0 | 1 |" in text
    difference = f"```text\nexamples/01_x/two.py:9  claim differs ({name(THIS)})\n"
    assert f"### Not explained by claims or deviations (1)\n\n{difference}" in text
    change = f"- value, dtype or device changed: `print(2)`: `2` → `3`, {AT_TWO}"
    assert f"### {name(OLDER)} → {name(THIS)} (1)\n\n{change}" in text
    whole = Path("report-whole.md").read_text(encoding="utf-8")
    assert whole.startswith(f"## {name(THIS)}\n\n**1 difference that nothing explains**\n\n{difference}")
    assert whole.endswith(
        f"```text\n{AT_TWO}  value, dtype or device changed\n"
        "    statement  print(2)\n    before     2\n    after      3\n```\n"
    )


@pytest.mark.usefixtures("checkout")
def test_report_of_the_first_environment_says_that_it_is_alone() -> None:
    """There is nothing to compare it with."""
    assert record(THIS, "1", "2", "--report", "report.md") == 0
    assert f"| {summarize_environment(THIS)} | {ALONE} |" in Path("report.md").read_text("utf-8")
    assert Path("report-whole.md").read_text(encoding="utf-8") == (
        f"## {summarize_environment(THIS)}\n\nEverything is explained.\n\n"
        "Nothing recorded lies next to it: nothing to compare it with.\n"
    )


@pytest.mark.usefixtures("checkout")
def test_long_report_still_fits_into_a_pull_request() -> None:
    """It counts what it leaves out, and still says what to do; the file beside it has all that drifts."""
    assert record(OLDER, "1", "2") == 0
    flood = "x" * MOST_CHARACTERS
    assert record(THIS, flood, flood, "--report", "report.md") == 0
    text = Path("report.md").read_text(encoding="utf-8")
    assert len(text) <= MOST_CHARACTERS
    assert "### Not explained by claims or deviations (2)\n\n… 2 more" in text
    assert text.endswith(STEPS.format(environment=name_environment(THIS)))
    assert Path("report-whole.md").read_text(encoding="utf-8").count(flood) == 2


def test_report_that_cannot_be_written_is_refused_first(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is executed or recorded."""
    assert record(THIS, "1", "2", "--report", "nowhere/report.md") == 2
    assert capsys.readouterr().err == (
        "tensor-atlas: nowhere/report.md  cannot be written: No such file or directory\n"
        "    name a file in a folder you may write to\n"
    )
    assert store.read_records(checkout / "docs" / "records") == store.Store()


def test_broken_deviations_are_refused_first(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record is not written when it cannot be told what in it is new."""
    (checkout / "docs" / "deviations.toml").write_text("[[deviation", encoding="utf-8")
    assert record(THIS, "1", "2") == 2
    assert "docs/deviations.toml  not TOML" in capsys.readouterr().err
    assert store.read_records(checkout / "docs" / "records") == store.Store()


@pytest.mark.usefixtures("checkout")
def test_broken_capture_is_left_out_where_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """The others are recorded; without the option, or with no other, nothing is."""
    write_capture(captured(ran(ONE, "1"), environment=OLDER), Path("good.json"))
    Path("cut.json").write_text('{"schema": 1, "runs', encoding="utf-8")
    assert cli.main(["record", "--from", "cut.json", "good.json"]) == 2
    assert cli.main(["record", "--from", "cut.json", "--skip-broken"]) == 2
    assert list(store.read_records(Path("docs", "records")).environments) == []
    capsys.readouterr()
    assert cli.main(["record", "--from", "cut.json", "good.json", "--skip-broken"]) == 0
    assert capsys.readouterr().err.startswith("tensor-atlas: left out: cut.json  ")
    assert list(store.read_records(Path("docs", "records")).environments) == [OLDER.id]


@pytest.mark.usefixtures("checkout")
def test_interrupted_recording_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """No empty report, and an earlier one as it was."""

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(probe_project, "run_probe", interrupt)
    for earlier in ("", "earlier\n"):
        if earlier:
            Path("report.md").write_text(earlier, encoding="utf-8")
        assert cli.main(["record", "--report", "report.md"]) == 130
        assert [path.read_text(encoding="utf-8") for path in Path().glob("*.md")] == [earlier] * bool(earlier)
    assert cli.main(["record", "--report", "absent/report.md"]) == 2


@pytest.mark.usefixtures("checkout")
def test_retired_release_leaves_all_records(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those that are named, or that are due; the records of the others stay, and are sealed."""
    for environment in (OLDEST, OLDER, THIS):
        assert record(environment, "1", "2") == 0
    folder = Path("docs", "records")
    assert cli.main(["record", "--retire", "2.5"]) == 2
    assert cli.main(["record", "--retire"]) == 0
    assert len(store.read_records(folder).environments) == 3
    assert cli.main(["record", "--retire", "2.11"]) == 0
    assert "tensor-atlas drift --all names" in capsys.readouterr().out
    kept = store.read_records(folder)
    assert list(kept.environments) == [OLDER.id, THIS.id]
    assert {tuple(record.runs) for record in kept.records.values()} == {(OLDER.id, THIS.id)}
    assert cli.main(["record", "--check"]) == 0
    monkeypatch.setattr(retirement, "MOST_BYTES", 0)
    assert record(NEWER, "1", "2", "--report", "report.md") == 0
    assert "**torch 2.12 leaves the records" in Path("report.md").read_text(encoding="utf-8")
    assert cli.main(["record", "--retire"]) == 0
    assert list(store.read_records(folder).environments) == [THIS.id, NEWER.id]


@pytest.mark.usefixtures("checkout")
def test_torch_before_its_release_is_no_record(capsys: pytest.CaptureFixture[str]) -> None:
    """It is refused as one; as a preview it takes the place of the last one, and records stay as they are."""
    nightly = [release(f"2.99.0.dev2026110{day}+cpu") for day in (1, 2)]
    assert record(nightly[0], "1", "2", "--preview") == 2
    assert "nothing recorded to compare it with" in capsys.readouterr().err
    assert record(THIS, "1", "2") == 0
    folder = Path("docs", "records")
    before = {path: path.read_bytes() for path in folder.rglob("*.json")}
    assert record(nightly[0], "1", "2") == 2
    assert "is no release: torch 2.99.0.dev20261101+cpu" in capsys.readouterr().err
    assert record(THIS, "1", "2", "--preview") == 2
    for environment, printed in zip(nightly, ("one", "1"), strict=True):
        assert record(environment, printed, "2", "--preview") == 0
    assert '"torch": "2.99.0.dev20261102+cpu"' in Path("docs", "preview.json").read_text(encoding="utf-8")
    assert "one" not in Path("docs", "preview.json").read_text(encoding="utf-8")
    assert {path: path.read_bytes() for path in folder.rglob("*.json")} == before
