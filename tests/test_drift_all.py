"""``drift --all`` and ``drift --draft``: what is recorded against what is documented, without a run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from samples import CPU, GPU, HEAD, OLDER, captured, observed, project, ran, write_example

from tensor_atlas import cli
from tensor_atlas.compare.deviations import Deviation, parse_deviations
from tensor_atlas.examples.parse import Example, parse_example
from tensor_atlas.model.runs import Environment, Observation, Raised, Run, Status
from tensor_atlas.records import store

CODE = {
    "01_x/a": "value = 1\nprint(value)\n# => 1\n\n# %%\n\nprint(2)\n# => 2\n",
    "02_y/b": "print(1)\n# => 1\n",
    "03_z/gpu": '# sphinx_gallery_tags = ["cuda"]\nprint(1)\n# => 1\n',
}
EXAMPLES: Mapping[str, Example] = {
    name: parse_example(HEAD + code, f"examples/{name}.py") for name, code in CODE.items()
}
A, B, ON_GPU = EXAMPLES.values()
OLDEST = replace(OLDER, torch="1.13.1+cpu")
HOLDING = (ran(A, "", "1", "2"), ran(B, "1"))
NOT_RUN = Run(ON_GPU.name, ON_GPU.digest, Status.NOT_RUN, "needs 1 CUDA device, found 0")
STOPPED = observed(
    A,
    Observation("value = 1", raised=Raised("AttributeError", "module 'torch' has no attribute 'f'")),
    status=Status.RAISED,
    reason="AttributeError",
)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Project of three examples, one of which needs a GPU, without records; the working directory."""
    root = project(tmp_path / "checkout")
    for name, code in CODE.items():
        write_example(root, code, name)
    monkeypatch.chdir(root)
    return root


def keep(root: Path, environment: Environment, *runs: Run) -> None:
    """Commit runs of one environment."""
    folder = root / "docs" / "records"
    store.write_records(
        store.add_capture(store.read_records(folder), captured(*runs, environment=environment)), folder
    )


def explain(root: Path, at: str, *environments: str) -> None:
    """Add an entry to the file of deviations."""
    lines = ["[[deviation]]", f"at = [{json.dumps(at)}]", f"environments = {json.dumps(environments)}"]
    with (root / "docs" / "deviations.toml").open("a", encoding="utf-8") as file:
        file.write("\n".join([*lines, 'reason = "Because."', "", ""]))


def found(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    """Exit code and what drifted, a line each, of ``drift --all``."""
    code = cli.main(["drift", "--all", "--format", "json", *arguments])
    verdicts = [v for v in json.loads(capsys.readouterr().out) if v["kind"] in ("differs", "unclaimed")]
    return code, [f"{v['path']}:{v['line']}  {v['what']}" for v in verdicts]


def test_records_that_hold_are_exit_code_0(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every environment is counted; nothing runs, and nothing is said about the environment here."""
    keep(checkout, CPU, *HOLDING, NOT_RUN)
    keep(checkout, OLDER, *HOLDING, NOT_RUN)
    keep(checkout, GPU, ran(ON_GPU, "1"))
    assert cli.main(["drift", "--all"]) == 0
    shown = capsys.readouterr()
    assert (
        shown.out
        == "01_x  4 holds\n02_y  2 holds\n03_z  1 holds, 2 not run\n\nno drift: 7 holds, 2 not run\n"
    )
    assert shown.err == ""


def test_difference_that_nothing_explains_is_exit_code_1(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report names the environment."""
    keep(checkout, CPU, *HOLDING, NOT_RUN)
    keep(checkout, OLDER, ran(A, "", "one", "2"), HOLDING[1], NOT_RUN)
    assert cli.main(["drift", "--all"]) == 1
    first = "examples/01_x/a.py:10  claim differs (torch 2.2.2+cpu, NumPy 1.26.4, cpu)\n"
    report = capsys.readouterr().out
    assert report.startswith(first)
    assert report.endswith("\n1 difference: 5 holds, 1 differs, 2 not run\n")


def test_explained_difference_is_no_drift(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the claim holds too: the entry speaks of the older release alone."""
    keep(checkout, CPU, *HOLDING, NOT_RUN)
    keep(checkout, OLDER, ran(A, "", "one", "2"), HOLDING[1], NOT_RUN)
    explain(checkout, "01_x/a: print(value)", "torch < 2.3")
    assert cli.main(["drift", "--all"]) == 0
    assert capsys.readouterr().out.endswith("\nno drift: 5 holds, 1 known, 2 not run\n")


def test_example_without_a_record_is_drift_where_there_is_no_gpu(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In each such environment, with the command that records it."""
    keep(checkout, CPU, *HOLDING, NOT_RUN)
    keep(checkout, OLDER, HOLDING[0], NOT_RUN)
    assert found(capsys) == (1, ["examples/02_y/b.py:1  not recorded"])
    assert cli.main(["drift", "--all"]) == 1
    out = capsys.readouterr().out
    assert "examples/02_y/b.py:1  not recorded (torch 2.2.2+cpu, NumPy 1.26.4, cpu)" in out
    assert (
        "    nox -s record -- 2.2.2 --numpy 1.26.4 --only 02_y/b, or say in docs/gaps.toml why it waits\n"
        in out
    )


def test_lone_newline_that_an_older_probe_dropped_is_no_drift(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where a record has no output for it; one that has other output still differs, and so does a new run."""
    newline = write_example(checkout, "print()\n# =>\nprint(2)\n# => 2\n", "02_y/b")
    keep(checkout, CPU, HOLDING[0], ran(newline, "", "2"), NOT_RUN)
    keep(checkout, OLDER, HOLDING[0], ran(newline, "\n", "2"), NOT_RUN)
    assert found(capsys) == (0, [])
    keep(checkout, OLDER, ran(newline, "1", ""))
    differing = ["examples/02_y/b.py:9  claim differs", "examples/02_y/b.py:11  claim without output"]
    assert found(capsys) == (1, differing)


GAP = '[[gap]]\nexamples = ["02_y/*"]\nenvironments = ["torch < 2.3"]\nreason = "Newer than the recording."\n'


def test_gap_with_a_reason_is_no_drift_until_it_is_closed(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once recorded, the entry is drift, though not of the examples that are asked for by name."""
    (checkout / "docs" / "gaps.toml").write_text(GAP, encoding="utf-8")
    keep(checkout, CPU, *HOLDING, NOT_RUN)
    keep(checkout, OLDER, HOLDING[0], NOT_RUN)
    assert found(capsys) == (0, [])
    assert found(capsys, "examples/01_x") == (0, [])
    keep(checkout, OLDER, HOLDING[1])
    assert found(capsys) == (1, ["docs/gaps.toml:1  recorded by now: 02_y/*"])
    assert found(capsys, "examples/02_y") == (0, [])


def test_changed_example_is_drift_in_the_environment_of_the_gate_alone(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Elsewhere the report says that it has not run since, and how to run it; that needs no entry."""
    with (checkout / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write('[tool.tensor-atlas]\ngate = "2.13.0/2.4.6/cpu"\n')
    keep(checkout, CPU, *HOLDING, NOT_RUN)
    keep(checkout, OLDER, *HOLDING, NOT_RUN)
    changed = write_example(checkout, "print(2 - 1)\n# => 1\n", "02_y/b")
    assert found(capsys) == (1, ["examples/02_y/b.py:1  changed since it was recorded"])
    keep(checkout, CPU, ran(changed, "1"))
    assert cli.main(["drift", "--all"]) == 0
    assert (
        "examples/02_y/b.py:1  has not run since the example changed (torch 2.2.2+cpu, NumPy 1.26.4, cpu)\n"
        "    to run it there: nox -s record -- all --only 02_y/b\n"
    ) in capsys.readouterr().out


def test_unreadable_gaps_are_exit_code_2(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One message, no report."""
    (checkout / "docs" / "gaps.toml").write_text(GAP.replace("reason", "why"), encoding="utf-8")
    assert cli.main(["drift", "--all"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "docs/gaps.toml:1  unknown field why" in shown.err


def test_named_examples_are_judged_alone(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No complaint about deviations, which other examples may need, nor about other examples."""
    keep(checkout, CPU, *HOLDING, NOT_RUN)
    keep(checkout, OLDER, HOLDING[0], ran(B, "one"), NOT_RUN)
    explain(checkout, "02_y/b: print(1)", "torch < 2.3")
    assert found(capsys) == (0, [])
    assert found(capsys, "examples/01_x/a.py") == (0, [])
    explain(checkout, "01_x/a: print(value)", "torch < 2.3")
    assert found(capsys, "examples/01_x") == (0, [])
    assert found(capsys, "examples/02_y/b.py") == (0, [])
    (checkout / "docs" / "deviations.toml").unlink()
    assert found(capsys, "examples/01_x/a.py") == (0, [])
    assert found(capsys, "examples/02_y/b.py") == (1, ["examples/02_y/b.py:9  claim differs"])


def test_without_records_nothing_is_compared(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And the report says so."""
    assert not (checkout / "docs" / "records").exists()
    assert cli.main(["drift", "--all"]) == 0
    assert capsys.readouterr().out == "no drift: nothing compared\n"


@pytest.mark.parametrize("option", ["--all", "--draft"])
def test_unreadable_deviations_are_exit_code_2(
    option: str, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One message, no report."""
    explain(checkout, "01_x/a: gone()", "cpu")
    assert cli.main(["drift", option]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "docs/deviations.toml:1  no statement of 01_x/a has the line 'gone()'" in shown.err


@pytest.mark.parametrize(
    "options", [["--all", "--draft"], ["--all", "--from", "c.json"], ["--draft", "--from", "c"]]
)
def test_options_that_exclude_each_other_are_exit_code_2(
    options: list[str], checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A capture that --all would not look at is not passed over in silence."""
    assert checkout.is_dir()
    with pytest.raises(SystemExit) as caught:
        cli.main(["drift", *options])
    assert caught.value.code == 2
    assert "not allowed with argument" in capsys.readouterr().err


# --- drafts --------------------------------------------------------------------------------------


def drafted(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[Deviation, ...]:
    """Entries that ``drift --draft`` writes, with a reason filled in."""
    assert cli.main(["drift", "--draft", *arguments]) == 0
    return parse_deviations(capsys.readouterr().out.replace('reason = ""', 'reason = "Because."'), "draft")


def test_draft_with_reasons_makes_the_records_hold(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Copied into the file it explains every difference and nothing else; then there is nothing left to
    draft.
    """
    keep(checkout, CPU, *HOLDING, NOT_RUN)
    keep(checkout, OLDER, ran(A, "", "one", "2"), ran(B, "one"), NOT_RUN)
    keep(checkout, OLDEST, STOPPED, ran(B, "uno"), NOT_RUN)
    explain(checkout, "02_y/b: print(1)", "torch < 2")
    assert found(capsys)[0] == 1
    assert cli.main(["drift", "--draft"]) == 0
    draft = capsys.readouterr().out
    assert draft.count("[[deviation]]") == 3
    with (checkout / "docs" / "deviations.toml").open("a", encoding="utf-8") as file:
        file.write(draft.replace('reason = ""', 'reason = "Because."'))
    assert found(capsys) == (0, [])
    assert drafted(capsys) == ()


def test_draft_of_named_examples_is_about_them(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And only about them."""
    keep(checkout, CPU, *HOLDING, NOT_RUN)
    keep(checkout, OLDER, ran(A, "", "one", "2"), ran(B, "one"), NOT_RUN)
    assert [str(entry.targets[0]) for entry in drafted(capsys)] == [
        "01_x/a: print(value)",
        "02_y/b: print(1)",
    ]
    assert [str(entry.targets[0]) for entry in drafted(capsys, "examples/02_y")] == ["02_y/b: print(1)"]
