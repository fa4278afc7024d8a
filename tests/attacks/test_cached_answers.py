"""Cached answers after random edits of texts, files, variables and installs: none differs from a new run.

Under one cache key, an example must always give the same answer. A plain exec gives the answers after
thousands of edits; the probe itself those after a few.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import random
import shutil
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest
from attacks_count import FULL, SEED_NAMED, chances, times
from samples import HEAD, ROOT, project

from tensor_atlas.checkout import cache, execution
from tensor_atlas.checkout.project import Project, examples_of
from tensor_atlas.examples.parse import Example, parse_example
from tensor_atlas.model.runs import Run
from tensor_atlas.probe.sandbox import kept_variables

pytestmark = pytest.mark.attack

CHAPTER = Path("examples", "01_x")
VARIABLES = ("OMP_NUM_THREADS", "TZ", "CUDA_VISIBLE_DEVICES", "UNRELATED")
"""Three that an example gets, and one that it does not."""
DATA = ("values.csv", "sub/deep.txt", "far.json", "../02_y/values.csv", "../../notes.txt")
"""Files beside the examples, in another chapter, and at the root."""
SCRIPTS = {
    "reader": """import importlib.metadata
import os
import runpy
from pathlib import Path

import near

folder = Path(__file__).parent
print("values  ", near.value, runpy.run_path(str(folder / "by-path.py"))["value"])
print([os.environ.get(name) for name in ("OMP_NUM_THREADS", "TZ", "CUDA_VISIBLE_DEVICES", "UNRELATED")])
print(importlib.metadata.version("atlas-planted"))
for name in ("values.csv", "sub/deep.txt", "../02_y/values.csv", "../../notes.txt"):
    place = folder / name
    print((place.read_bytes(), oct(place.stat().st_mode)) if place.is_file() else None)
print(sorted(os.listdir(folder)))
print((folder / "empty").is_dir(), len(Path(__file__).read_bytes()))
""",
    "near": "import far\n\nvalue = 1, far.value\nprint(value)\n",
    "far": """from pathlib import Path

place = Path(__file__).with_name("far.json")
value = 1, place.read_text() if place.is_file() else ""
print(value)
""",
    "by-path": 'value = 1\nprint("by  path")\n',
    "apart": 'value = 1\nprint("apart")\n',
}
"""Scripts of the chapter: one that reads all that a run can see, those that it reaches, and one apart."""

SUBJECTS = ("01_x/reader", "01_x/apart")
"""Examples whose keys and answers are compared."""


@dataclass(frozen=True)
class Place:
    """Where edits are made."""

    root: Path
    """The checkout."""
    packages: Path
    """Folder of ``sys.path`` with what is installed."""
    monkeypatch: pytest.MonkeyPatch


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    """Checkout of these scripts, and an installed library."""
    root, packages = project(tmp_path / "checkout"), tmp_path / "packages"
    (root / CHAPTER).mkdir(parents=True)
    (root / "examples" / "02_y").mkdir()
    for name, code in SCRIPTS.items():
        (root / CHAPTER / f"{name}.py").write_text(HEAD + code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(packages))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(packages), str(ROOT / "src")]))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    found = Place(root, packages, monkeypatch)
    install(found, "1")
    yield found
    for name in SCRIPTS:
        sys.modules.pop(name, None)


# --- edits ---------------------------------------------------------------------------------------


def edit(place: Place, chance: random.Random) -> str:
    """Make one random change, and say which."""
    kind = chance.choice([edit_script, edit_script, edit_data, edit_variable, edit_install, edit_folder])
    return kind(place, chance)


def edit_script(place: Place, chance: random.Random) -> str:
    """Change a docstring, prose, blanks, a claim, a value, line ends or an import; or undo all of that."""
    name = chance.choice(list(SCRIPTS))
    path = place.root / CHAPTER / f"{name}.py"
    text = path.read_bytes().decode()
    number = chance.randrange(10)
    changes: list[Callable[[], str]] = [
        lambda: text.replace("Decide", chance.choice(["Decide ", "Choose"])),
        lambda: text.replace("\n\n", f"\n\n# %%\n# Text {number}.\n\n", 1) if "# Text" not in text else text,
        lambda: text.replace('print("', f'print("{" " * number}'),
        lambda: text.replace("value = 1", f"value = {number}"),
        lambda: f"{text}print({number})\n# => {number}\n",
        lambda: text + "\n" * number,
        lambda: text.replace("\r\n", "\n").replace("\n", chance.choice(["\n", "\r\n"])),
        lambda: f"{text}import {chance.choice(['near', 'far'])}\n" if name == "apart" else text,
        lambda: HEAD + SCRIPTS[name],
    ]
    index = chance.randrange(len(changes)) if len(text) < 4000 else len(changes) - 1
    path.write_bytes(changes[index]().encode())
    return f"text {index} of {name}"


def edit_data(place: Place, chance: random.Random) -> str:
    """Write, remove or link a file, or change its mode."""
    name = chance.choice(DATA)
    path = place.root / CHAPTER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    kind = chance.choice(["write", "remove", "link", "mode"])
    if kind == "mode":
        if path.is_file():
            path.chmod(chance.choice([0o600, 0o644, 0o755]))
        return f"{kind} {name}"
    path.unlink(missing_ok=True)
    if kind == "write":
        path.write_text(str(chance.randrange(5)), encoding="utf-8")
    elif kind == "link":
        target = place.root / "linked.txt"
        target.write_text(str(chance.randrange(5)), encoding="utf-8")
        path.symlink_to(target)
    return f"{kind} {name}"


def edit_variable(place: Place, chance: random.Random) -> str:
    """Set or unset a variable."""
    name = chance.choice(VARIABLES)
    if chance.random() < 0.3:
        place.monkeypatch.delenv(name, raising=False)
    else:
        place.monkeypatch.setenv(name, str(chance.randrange(1, 4)))
    return f"variable {name}"


def edit_install(place: Place, chance: random.Random) -> str:
    """Install another release of the library."""
    release = str(chance.randrange(1, 4))
    install(place, release)
    return f"release {release}"


def install(place: Place, release: str) -> None:
    """Leave one release of a library in the folder of packages."""
    shutil.rmtree(place.packages, ignore_errors=True)
    folder = place.packages / f"atlas_planted-{release}.dist-info"
    folder.mkdir(parents=True)
    metadata = f"Metadata-Version: 2.1\nName: atlas-planted\nVersion: {release}\n"
    (folder / "METADATA").write_text(metadata, encoding="utf-8")


def edit_folder(place: Place, _: random.Random) -> str:
    """Make or remove an empty folder."""
    folder = place.root / CHAPTER / "empty"
    if folder.is_dir():
        folder.rmdir()
        return "folder removed"
    folder.mkdir()
    return "folder made"


# --- answers -------------------------------------------------------------------------------------


def plain_answer(script: Path) -> str:
    """What a script prints and how it ends, with the lines, as a plain exec shows it."""
    importlib.invalidate_caches()
    for name in SCRIPTS:
        sys.modules.pop(name, None)
    sys.path.insert(0, str(script.parent))
    before, kept, printed = dict(os.environ), kept_variables(), io.StringIO()
    try:
        os.environ.clear()
        os.environ.update(kept)
        code = compile(script.read_bytes(), str(script), "exec")
        with contextlib.redirect_stdout(printed):
            exec(code, {"__name__": "__main__", "__file__": str(script)})
    except Exception as error:  # noqa: BLE001 - how it ends is part of the answer
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)]
        printed.write(f"{type(error).__name__}: {error} {lines[1:]}")
    finally:
        sys.path.remove(str(script.parent))
        os.environ.clear()
        os.environ.update(before)
    return printed.getvalue()


def find_difference(
    place: Place, count: int, chance: random.Random
) -> tuple[str, dict[tuple[str, str], str]]:
    """The first edit that gave a known key another answer, empty for none; all answers by name and key."""
    answers: dict[tuple[str, str], str] = {}
    done = "nothing"
    for number in range(count + 1):
        examples = {name: read_subject(place, name) for name in SUBJECTS}
        for name, key in cache.example_keys(place.root, examples).items():
            answer = plain_answer(place.root / examples[name].path)
            if answers.setdefault((name, key), answer) != answer:
                return f"edit {number}, {done}: {name} gave {answers[name, key]!r}, now {answer!r}", answers
        done = edit(place, chance)
    return "", answers


def read_subject(place: Place, name: str) -> Example:
    """An example as it is now."""
    path = Path("examples", f"{name}.py")
    return _parse((place.root / path).read_text(encoding="utf-8"), path.as_posix())


_parse = lru_cache(maxsize=100)(parse_example)


@pytest.fixture
def quick(place: Place) -> Place:
    """The checkout, with nothing else to look through: no engine, no other packages, no other variables."""
    importlib.import_module("pkgutil")  # which runpy imports when it is called
    place.monkeypatch.setattr(cache, "_PACKAGE", place.root / "engine")
    place.monkeypatch.setattr(sys, "path", [str(place.packages)])
    kept = {"PATH", "HOME", FULL, SEED_NAMED}  # without the latter two, a full attack would be a short one
    for name in set(os.environ) - kept:
        place.monkeypatch.delenv(name)
    return place


def test_no_cached_answer_differs(quick: Place) -> None:
    """A key always has one answer; and the edits change answers, or nothing would have been shown."""
    count, chance = times(200, 20_000), chances()
    difference, answers = find_difference(quick, count, chance)
    assert difference == ""
    seen = {name: [answer for (one, _), answer in answers.items() if one == name] for name in SUBJECTS}
    assert len(set(seen["01_x/reader"])) > count / 10
    assert len(seen["01_x/apart"]) < len(seen["01_x/reader"])  # most edits are nothing that it could see


@pytest.mark.parametrize(
    ("name", "blind"),
    [
        ("_find_mentioned", lambda script, _: {script}),
        ("_looks_around", lambda _: False),
        ("kept_variables", dict),
        ("installed_releases", list),
    ],
)
def test_key_that_misses_something_is_found(name: str, blind: object, quick: Place) -> None:
    """Scripts that are imported, variables or installs: a key without them has two answers soon."""
    quick.monkeypatch.setattr(cache, name, blind)
    difference, _ = find_difference(quick, 400, random.Random(1))
    assert difference != ""


def test_command_gives_no_other_answer_than_a_new_run(place: Place) -> None:
    """The probe's own runs, cached where a key allows it, are those of a run of everything again."""
    chance = chances()
    for _ in range(times(3, 50)):
        done = edit(place, chance)
        assert runs_of(place, again=False) == runs_of(place, again=True), done


def runs_of(place: Place, *, again: bool) -> tuple[Run, ...]:
    """Runs of all examples, from the cache or new."""
    here = Project(place.root)
    running = execution.begin(here, examples_of(here), lambda _: None, again=again)
    capture = running.finish()
    execution.settle(running, capture)
    return capture.runs
