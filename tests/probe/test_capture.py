"""``[tool.tensor-atlas]``: what it says of examples, and what of it is refused."""

from __future__ import annotations

import json
import re
import sys
from itertools import chain
from pathlib import Path

import pytest
from samples import ROOT, example, python, write_example

from tensor_atlas.errors import AtlasError
from tensor_atlas.model.capture import Shard
from tensor_atlas.model.names import is_there
from tensor_atlas.probe.capture import TIMEOUT, Progress, cells_of, read_settings
from tensor_atlas.probe.runner import Pair, ask_names
from tensor_atlas.probe.spawner import process_server


def test_timeouts_come_from_the_project(tmp_path: Path) -> None:
    """One for all, exceptions by name, and a default where nothing is said."""
    project = tmp_path / "pyproject.toml"
    assert read_settings(project).timeout_of(example("value = 1\n")) == TIMEOUT
    (tmp_path / "examples" / "01_x").mkdir(parents=True)
    (tmp_path / "examples" / "01_x" / "b.py").touch()
    project.write_text('[tool.tensor-atlas]\ntimeout = 7\ntimeouts = {"01_x/b" = 0.5}\n', encoding="utf-8")
    of = read_settings(project).timeout_of
    assert of(example("value = 1\n")) == 7
    assert of(example("value = 1\n", "examples/01_x/b.py")) == 0.5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("timeout = 0", "a timeout of 0 is no number of seconds"),
        ("timeout = nan", "a timeout of nan is no number of seconds"),
        ("timeout = true", "a timeout of True is no number of seconds"),
        ('timeouts = {"01_x/a" = "long"}', "a timeout of 'long' is no number of seconds"),
        ('timeouts = {"01_x/gone" = 3}', "a setting for no example: 01_x/gone"),
        ('dynamo = ["01_x/gone"]', "a setting for no example: 01_x/gone"),
        ("dynamo = 3", "tool.tensor-atlas.dynamo is not a list"),
        ("gate = 3", "tool.tensor-atlas.gate is no text"),
        ("timeouts = 3", "tool.tensor-atlas.timeouts is not a table"),
        ("timeout = ", "not TOML"),
        ("# \xff", "not TOML"),
        (f"timeout = 1{'0' * 400}", "a timeout of 1000"),
        (f"x = 1{'0' * 5000}", "not TOML: Exceeds the limit"),
        (f"x = {'[' * 3000}", "not TOML: maximum recursion depth exceeded"),
    ],
)
def test_wrong_timeout_is_refused(tmp_path: Path, text: str, words: str) -> None:
    """The message names the file."""
    project = tmp_path / "pyproject.toml"
    project.write_text(f"[tool.tensor-atlas]\n{text}\n", encoding="latin-1")
    with pytest.raises(AtlasError) as caught:
        read_settings(project)
    assert str(caught.value).startswith(f"{project}  {words}")


@pytest.mark.parametrize("text", ["tool = 3", "[tool]\ntensor-atlas = 3"])
def test_settings_that_are_no_table_are_refused(text: str, tmp_path: Path) -> None:
    """Whoever wrote them meant something by it."""
    project = tmp_path / "pyproject.toml"
    project.write_text(text, encoding="utf-8")
    with pytest.raises(AtlasError, match=r"pyproject\.toml  tool\.tensor-atlas is not a table\n    write"):
        read_settings(project)


def test_settings_of_this_project_can_be_read() -> None:
    """The examples that need torch._dynamo are there."""
    assert read_settings(ROOT / "pyproject.toml").gate
    assert len(read_settings(ROOT / "pyproject.toml").dynamo) > 10


@pytest.mark.parametrize("is_terminal", [True, False])
def test_progress_is_counted_on_a_terminal_alone(
    is_terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What all took is said in any case, on a line of its own."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    progress = Progress(2, "examples executed")
    progress.step("01_x/a")
    progress.step("01_x/b")
    progress.end()
    said = capsys.readouterr().err
    counted = "\r\x1b[K[1/2] 01_x/a\r\x1b[K[2/2] 01_x/b\r\x1b[K" if is_terminal else ""
    assert re.fullmatch(re.escape(counted) + r"2 examples executed in \d+\.\d s\n", said)


@pytest.mark.probe
def test_names_are_asked_in_a_process_for_each_namespace() -> None:
    """One that cannot be imported has no answers, and the others have theirs."""
    asked = {"math": {"pi", "tau_of_no_release"}, "math.nothing": {"pi"}}
    with process_server() as server:
        answers = dict(ask_names(asked, 2, server))
    assert is_there("pi", answers["math"]["pi"])
    assert not is_there("tau_of_no_release", answers["math"]["tau_of_no_release"])
    assert not answers.get("math.nothing")


def test_cells_of_all_parts_are_all_cells() -> None:
    """Each in one part."""
    every = cells_of(None)
    assert every
    parts = chain.from_iterable(cells_of(Shard(number, 3)) for number in (1, 2, 3))
    assert sorted(map(_name_pair, parts)) == sorted(map(_name_pair, every))


def _name_pair(pair: Pair) -> tuple[str, str]:
    return pair[0].name, pair[1].name


def test_only_examples_that_are_listed_find_dynamo_imported(tmp_path: Path) -> None:
    """The others are as in a plain script."""
    for name in ("01_x/a", "01_x/b"):
        write_example(tmp_path, "import sys\n\nimport torch\n\nprint('torch._dynamo' in sys.modules)\n", name)
    (tmp_path / "pyproject.toml").write_text('[tool.tensor-atlas]\ndynamo = ["01_x/b"]\n', encoding="utf-8")
    done = python(tmp_path, "-m", "tensor_atlas.probe", "examples", "-o", "capture.json")
    assert done.returncode == 0, done.stderr
    runs = json.loads((tmp_path / "capture.json").read_text(encoding="utf-8"))["runs"]
    assert [run["observations"][-1]["stdout"] for run in runs] == ["False", "True"]
