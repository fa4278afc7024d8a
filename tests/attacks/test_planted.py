"""Faults planted by hypothesis in records, captures, examples and deviations: the gate takes none of them.

Each is one edit of a JSON document or a text. It ends in exit code 1 or 2, unless what is read is the same
as before, or a field of a capture that ``FREE`` names holds something else that could be.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from attacks_count import is_full, times
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from samples import CPU, HEAD, OLDER, SHARES, captured, project, ran

from tensor_atlas import cli
from tensor_atlas.catalogue import CONVERSIONS, SOURCES, code_digests
from tensor_atlas.checkout.project import Project, examples_of
from tensor_atlas.compare import judge
from tensor_atlas.model.cells import Cell, Outcome, Tried
from tensor_atlas.model.runs import JSON, Buffer, Raised, Snapshot, Value
from tensor_atlas.probe.capture import write_capture
from tensor_atlas.records import store
from tensor_atlas.records.store import seal_text

CODE = "x = 1\nprint(x)\n# => 1\n\n# %%\n# Text.\n\nprint(2)\n# => 2\n"
VALUES = (
    Value("a", "ndarray", "float32", (3,), (4,), "cpu", writable=True, buffer=0, start=0, stop=12),
    Value("t", "Tensor", "torch.float32", (3,), (4,), "cpu", requires_grad=False, buffer=0, start=0, stop=12),
)
ALIVE = Snapshot(VALUES, (Buffer("cpu", 12),), (("a", "t"),))
RAISES = Cell(Outcome.RAISES, error=Raised("TypeError", "no " * 50))
DEVIATION = """[[deviation]]
at = ["01_x/a: print(2)"]
environments = ["torch < 2.3"]
output = ["3"]
reason = "It prints another number."
"""
FREE = {"seconds", "environment", "kind", "dtype", "nbytes", "outcomes"}
"""Fields of a capture, which has no seal, that an edit may change into what could be."""
PROVED = re.compile(r"x = |print|# =>|at|env|output")
"""Beginning of the lines of a text that say something which the gate must hold."""
CHECK = ["record", "--check"]
Place = tuple[str | int, ...]
SETTINGS = settings(
    max_examples=times(100, 2000),
    deadline=10_000,
    derandomize=not is_full(),
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


@pytest.fixture(scope="module", autouse=True)
def catalogue() -> Iterator[None]:
    """A matrix of the two cells that are recorded: what it lacks would be drift."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judge, "list_pairs", lambda: ((CONVERSIONS[0], source) for source in SOURCES[:2]))
        yield


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A checkout in which nothing drifts: an example, a deviation, a row, recorded in two environments."""
    root = project(tmp_path_factory.mktemp("planted") / "checkout")
    path = root / "examples" / "01_x" / "a.py"
    path.parent.mkdir(parents=True)
    path.write_text(HEAD + CODE, encoding="utf-8")
    here = Project(root)
    example = examples_of(here)["01_x/a"]
    run, other = (replace(ran(example, "", "1", last), snapshots=(ALIVE, ALIVE)) for last in "23")
    tried = {
        source.name: Tried(code_digests(CONVERSIONS[0], source), cell)
        for source, cell in zip(SOURCES[:2], (SHARES, RAISES), strict=True)
    }
    cells = {CONVERSIONS[0].name: tried}
    found = store.Store()
    for environment, seen in ((CPU, run), (OLDER, other)):
        taken = replace(captured(seen, environment=environment), cells=cells, seconds={"01_x/a": 0.5})
        found = store.add_capture(found, taken)
    store.write_records(found, here.records)
    (root / "docs" / "deviations.toml").write_text(DEVIATION, encoding="utf-8")
    write_capture(replace(captured(run), seconds={"01_x/a": 0.5}), root / "capture.json")
    assert run_command(root, "drift", "--all") == 0
    assert run_command(root, "drift", "--from", "capture.json") == 0
    assert run_command(root, *CHECK) == 0
    return here


def run_command(root: Path, *arguments: str) -> int:
    """Exit code of a command in a checkout; a refusal must say what to do."""
    words = io.StringIO()
    with (
        contextlib.chdir(root),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(words),
    ):
        code = cli.main([*arguments])
    assert code != 2 or "\n    " in words.getvalue()
    return code


@contextlib.contextmanager
def planted(path: Path, text: str) -> Iterator[None]:
    """A file with another text, for a while."""
    before = path.read_bytes()
    path.write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        path.write_bytes(before)


# --- edits -----------------------------------------------------------------------------------------

NUMBERS: list[JSON] = [None, True, -1, 0, 7, 2**70, 0.5, 1e308]
NESTED: list[JSON] = [[], {}, [None], ["x"], [-1], [10**9], [[]], {"": ""}]
WORDS: list[JSON] = ["", "x", "\x00\x1b[31m", "\u202e", "../..", "9" * 400, "torch-2.13.0", "2026-13-45"]
STATES: list[JSON] = ["completed", "crashes", "2-1", "0-99999999999", "1, 0"]
STRANGE = [*NUMBERS, *NESTED, *WORDS, *STATES]


def places(document: JSON, path: Place = ()) -> Iterator[Place]:
    """Where each field and item stands."""
    items = (
        document.items()
        if isinstance(document, dict)
        else enumerate(document)
        if isinstance(document, list)
        else ()
    )
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


@st.composite
def edits(draw: st.DrawFn, document: JSON) -> tuple[JSON, Place]:
    """The document with one field or item removed, renamed, doubled or replaced, and its place."""
    edited = json.loads(json.dumps(document))
    place = draw(st.sampled_from(list(places(document))))
    holder: Any = edited
    key: Any = place[-1]
    for step in place[:-1]:
        holder = holder[step]
    match draw(st.sampled_from(["remove", "other", "replace", "next"])):
        case "remove":
            del holder[key]
        case "other" if isinstance(holder, list):
            holder.insert(key, holder[key])
        case "other":
            holder[draw(st.sampled_from(["x", "", *holder]))] = holder.pop(key)
        case "next" if isinstance(holder[key], bool):
            holder[key] = not holder[key]
        case "next" if isinstance(holder[key], int):
            holder[key] += draw(st.sampled_from([-1, 1, 4]))
        case "next" if isinstance(holder[key], str):
            holder[key] += draw(st.sampled_from(["x", " ", "\n"]))
        case _:
            holder[key] = draw(st.sampled_from(STRANGE))
    return edited, place


# --- the gate --------------------------------------------------------------------------------------

FILES = [
    "01_x/a.json",
    store.ENVIRONMENTS,
    f"{store.MATRIX_FOLDER}/{CONVERSIONS[0].name}.json",
    store.TEXTS_FILE,
    store.SOURCES_FILE,
]
SEAL = len(seal_text("{}")) - 1
"""How many characters of a record are its seal."""


@pytest.mark.attack
@pytest.mark.parametrize("file", FILES)
def test_edited_record_is_found(file: str, kept: Project) -> None:
    """Laid out as tensor-atlas does, and still found; under a seal that fits it is read or refused."""
    path = kept.records / file
    text = path.read_text(encoding="utf-8")
    whole = json.loads("{" + text[SEAL:])
    depth = None if file in FILES[:2] else store.ROW_DEPTH

    @SETTINGS
    @given(edits(whole))
    def plant(edit: tuple[JSON, Place]) -> None:
        laid_out = store.lay_out_json(edit[0], depth)
        edited = text[:SEAL] + laid_out.removeprefix("{")
        with planted(path, edited):
            for command in (["drift", "--all"], CHECK):
                assert run_command(kept.root, *command) == (0 if edited == text else 2)
        with planted(path, seal_text(laid_out)):
            for command in (CHECK, ["compare", "2.2", "2.13"], ["export", "-o", "export.json"]):
                assert run_command(kept.root, *command) in {0, 1, 2}

    plant()


@pytest.mark.attack
def test_edited_capture_is_no_evidence(kept: Project) -> None:
    """Refused, or reported as drift; within ten seconds."""
    path = kept.root / "capture.json"
    whole = json.loads(path.read_text(encoding="utf-8"))
    before = store.read_capture(path)
    passed = []

    @SETTINGS
    @given(edits(whole))
    def plant(edit: tuple[JSON, Place]) -> None:
        edited, place = edit
        with planted(path, json.dumps(edited)):
            code = run_command(kept.root, "drift", "--from", "capture.json")
            assert code in {0, 1, 2}
            if code == 0 and store.read_capture(path) != before and not FREE & {*place}:
                passed.append((place, edited))

    plant()
    assert [place for place, _ in passed] == []


@pytest.mark.attack
def test_edited_capture_is_recorded_or_refused(kept: Project, tmp_path: Path) -> None:
    """What has been recorded can be read again."""
    root = Path(shutil.copytree(kept.root, tmp_path / "checkout"))
    path, records = root / "capture.json", root / "docs" / "records"
    codes = set()

    @SETTINGS
    @given(edits(json.loads(path.read_text(encoding="utf-8"))))
    def plant(edit: tuple[JSON, Place]) -> None:
        shutil.rmtree(records, ignore_errors=True)
        with planted(path, json.dumps(edit[0])):
            codes.add(run_command(root, "record", "--from", "capture.json"))
        store.read_records(records)

    plant()
    assert codes == {0, 2}


TEXTS = {"examples/01_x/a.py": ["drift", "--all"], "docs/deviations.toml": ["drift", "--all"]}


@pytest.mark.attack
@pytest.mark.parametrize("file", TEXTS)
def test_edited_text_is_no_evidence(file: str, kept: Project) -> None:
    """An example whose code or claims are no longer what ran, a deviation that explains something else."""
    path = kept.root / file
    whole = path.read_text(encoding="utf-8")
    lines = whole.splitlines(keepends=True)
    at = [index for index, line in enumerate(lines) if PROVED.match(line)]

    @SETTINGS
    @given(
        st.sampled_from(at),
        st.sampled_from(["", "x", "3", '"', "=", "\x00", "[", "print(0)\n"]),
        st.data(),
    )
    def plant(line: int, put: str, data: st.DataObject) -> None:
        place = data.draw(st.integers(0, max(0, len(lines[line].rstrip()) - 1)))
        text = lines[line][:place] + put + lines[line][place + (not put) :]
        with planted(path, "".join([*lines[:line], text, *lines[line + 1 :]])):
            code = run_command(kept.root, *TEXTS[file])
        assert code in {1, 2} or read_meaning(text) == read_meaning(lines[line]), text

    plant()


def read_meaning(line: str) -> str:
    """A line without blanks, which neither Python nor a claim minds at these places."""
    return "".join(line.split())
