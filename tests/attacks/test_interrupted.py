"""Records and sites whose writer is killed, has no room, may not write, or is not alone: nothing recorded is
lost.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from attacks_count import chances, times
from samples import CPU, ROOT, captured, example, project, ran

from tensor_atlas import cli, files
from tensor_atlas.catalogue import CONVERSIONS, SOURCES, code_digests
from tensor_atlas.checkout import project as checkout_project
from tensor_atlas.checkout.project import Project
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.cells import Cell, Outcome, Tried
from tensor_atlas.model.runs import Raised
from tensor_atlas.probe.capture import write_capture
from tensor_atlas.records import store
from tensor_atlas.records.store import Store

EXAMPLES = [example(f"print('{stem}')\n# => {stem}\n", f"examples/01_x/{stem}.py") for stem in "abcdefgh"]


def capture_of(torch: str, words: str) -> Capture:
    """Capture in which every example and cell says ``words``, the cells at a length that has a file of its
    own.
    """
    cell = Cell(Outcome.RAISES, error=Raised("TypeError", f"{torch} {words} " * 50))
    cells = {c.name: {SOURCES[0].name: Tried(code_digests(c, SOURCES[0]), cell)} for c in CONVERSIONS[:5]}
    return replace(
        captured(*(ran(e, words) for e in EXAMPLES), environment=replace(CPU, torch=torch)), cells=cells
    )


OLD, NEW = capture_of("2.12.0", "old"), capture_of("2.13.0", "new")
BEFORE = store.add_capture(Store(), OLD)
AFTER = store.add_capture(BEFORE, NEW)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Project with the older release recorded and a capture of the newer; the working directory."""
    root = filled(tmp_path / "checkout")
    monkeypatch.chdir(root)
    return root


def filled(folder: Path) -> Path:
    """Project with examples, records and captures."""
    root = project(folder)
    (root / "examples" / "01_x").mkdir(parents=True)
    for what in EXAMPLES:
        (root / what.path).write_text(what.source, encoding="utf-8")
    store.write_records(BEFORE, root / "docs" / "records")
    write_capture(OLD, root / "old.json")
    write_capture(NEW, root / "new.json")
    return root


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def assert_whole(folder: Path) -> None:
    """Every record can be read, says all of the old, and nothing of the new that is not so."""
    found = store.read_records(folder)
    assert found.runs(OLD.environment.id) == BEFORE.runs(OLD.environment.id)
    assert found.cells(OLD.environment.id) == BEFORE.cells(OLD.environment.id)
    new = NEW.environment.id
    assert found.runs(new).items() <= AFTER.runs(new).items()
    assert found.cells(new).items() <= AFTER.cells(new).items()


class KilledError(BaseException):
    """Stands for a signal that nobody can catch."""


@pytest.mark.parametrize(
    "before", [BEFORE, Store(), store.add_capture(BEFORE, capture_of("2.13.0", "other"))]
)
def test_records_are_whole_after_every_single_write(
    before: Store, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped before its first write, its second, and so on: what is there can be read, and the next run goes
    on.
    """
    records = checkout / "docs" / "records"
    replace_file, left = files.replace_file, 0

    def stopping(path: Path, text: str) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise KilledError
        replace_file(path, text)

    for writes in range(100):
        shutil.rmtree(records)
        store.write_records(before, records)
        left = writes
        monkeypatch.setattr(store, "replace_file", stopping)
        after = store.add_capture(before, NEW)
        try:
            store.write_records(after, records)
        except KilledError:
            monkeypatch.undo()
            found = store.read_records(records)
            assert found.runs(OLD.environment.id) == before.runs(OLD.environment.id)
            assert found.cells(OLD.environment.id) == before.cells(OLD.environment.id)
            store.write_records(store.add_capture(found, NEW), records)
            assert store.read_records(records) == after
        else:
            break
    monkeypatch.undo()
    assert writes > len(EXAMPLES) + 5, "every file was one of the writes"


def record(root: Path, capture: str, **more: object) -> subprocess.Popen[str]:
    """``tensor-atlas record`` as a process that is running."""
    command = [sys.executable, "-m", "tensor_atlas.cli", "record", "--from", capture]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=root, env=environment, **pipes, **more)  # type: ignore[call-overload, no-any-return]


def done(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Exit code of a process, and what it wrote to standard error."""
    _, told = process.communicate()
    return process.returncode, told


@pytest.mark.attack
def test_record_may_be_killed_at_any_moment(checkout: Path) -> None:
    """By a signal that it cannot catch: records stay whole, nothing partial stays after the next run."""
    records = checkout / "docs" / "records"
    store.write_records(AFTER, checkout / "expected")
    began = time.monotonic()
    assert done(record(checkout, "old.json"))[0] == 0
    usual = time.monotonic() - began
    chance = chances()
    for _ in range(times(4, 100)):
        process = record(checkout, "new.json")
        time.sleep(chance.uniform(usual / 2, usual))
        process.kill()
        process.communicate()
        assert_whole(records)
    assert done(record(checkout, "new.json"))[0] == 0
    assert bytes_of(records) == bytes_of(checkout / "expected")


def test_two_at_once_lose_nothing(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one is between reading and writing the records, the other waits."""
    other: list[subprocess.Popen[str]] = []
    save = store.write_records

    def slow(what: Store, folder: Path) -> list[Path]:
        other.append(record(checkout, "new.json"))
        with pytest.raises(subprocess.TimeoutExpired):
            other[0].communicate(timeout=2)
        return save(what, folder)

    third = capture_of("2.11.0", "third")
    write_capture(third, Path("third.json"))
    monkeypatch.setattr(store, "write_records", slow)
    assert cli.main(["record", "--from", "third.json"]) == 0
    assert done(other[0])[0] == 0
    found = store.read_records(checkout / "docs" / "records")
    assert {OLD.environment.id, NEW.environment.id, third.environment.id} == set(found.environments)
    assert all(len(record.runs) == 3 for record in found.records.values())


def test_disk_without_room_leaves_the_records_whole(checkout: Path) -> None:
    """One message that names the file, exit code 2; with room again, the same command goes on."""
    resource = pytest.importorskip("resource")
    process = record(
        checkout, "new.json", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))
    )
    code, told = done(process)
    assert code == 2
    kept, first, second = told.removesuffix("\n").split("\n")
    words = "record did not end; what was captured is kept: tensor-atlas record --from new.json"
    assert kept == f"tensor-atlas: {words}"
    assert first.startswith("tensor-atlas: ")
    assert first.endswith(".json  cannot be written: File too large")
    assert second == f"    {files.REMEDY}"
    assert_whole(checkout / "docs" / "records")
    assert not list(checkout.rglob("*.partial"))
    assert done(record(checkout, "new.json"))[0] == 0
    assert store.read_records(checkout / "docs" / "records") == AFTER


def without_rights() -> None:
    """Keep root from writing where nobody may: out of the rights of what this process executes next."""
    for capability in (1, 2, 3):  # to pass over permissions, in three ways
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[Path]:
    """Project that nobody may write to."""
    root = filled(tmp_path / "closed")
    for path in [*root.rglob("*"), root]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield root
    for path in [root, *root.rglob("*")]:
        path.chmod(0o755)


@pytest.mark.skipif(sys.platform != "linux", reason="takes rights from root as Linux does")
def test_tree_that_may_only_be_read(closed: Path) -> None:
    """One message and exit code 2; what only reads works as ever."""
    root = closed
    process = record(root, "new.json", preexec_fn=without_rights)
    code, told = done(process)
    assert (code, told.count("\n")) == (2, 3), told
    assert "  cannot be written: Permission denied\n" in told
    assert "what was captured is kept: tensor-atlas record --from new.json\n" in told
    assert store.read_records(root / "docs" / "records") == BEFORE


@pytest.mark.skipif(sys.platform != "linux", reason="takes rights from root as Linux does")
def test_capture_of_a_record_that_fails_is_kept(tmp_path: Path) -> None:
    """Examples that ran for minutes need not run again."""
    root, temporary = filled(tmp_path / "checkout"), tmp_path / "tmp"
    temporary.mkdir()
    folders = [root / "docs/records", root / "docs/records/01_x"]
    for folder in folders:
        folder.chmod(0o555)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TMPDIR": str(temporary)}
    command = [sys.executable, "-m", "tensor_atlas.cli", "record", "--only", "01_x/a"]
    failed = subprocess.run(
        command,
        cwd=root,
        env=environment,
        preexec_fn=without_rights,
        capture_output=True,
        text=True,
        check=False,
    )
    for folder in folders:
        folder.chmod(0o755)
    assert failed.returncode == 2
    assert "  cannot be written: Permission denied\n" in failed.stderr
    found = re.search(r"what was captured is kept: tensor-atlas record --from (\S+)\n", failed.stderr)
    assert found is not None, failed.stderr
    assert Path(found[1]).is_relative_to(temporary)
    assert done(record(root, found[1])) == (0, "")
    runs = store.read_records(root / "docs/records").records["01_x/a"].runs
    assert len(runs) == 2


# --- a build of the site ---------------------------------------------------------------------------

PAGES = {"a": "print('<b>one</b>')\n# => <b>one</b>\n", "b": "print(2)\n# => 2\n"}


def write_in_two_steps(records: Path, told: Connection) -> None:
    """In a process: a record that names an environment, then, later, the list of environments with it."""
    texts = store.spell_records(AFTER)
    with files.lock_folder(records):
        (records / "01_x/a.json").write_text(texts["01_x/a.json"], encoding="utf-8")
        told.send(None)
        time.sleep(0.1)
        store.write_records(AFTER, records)


def test_reader_never_sees_half_a_generation(checkout: Path) -> None:
    """It waits while another process writes, in each of 20 rounds."""
    records, here = checkout / "docs/records", Project(checkout)
    examples = checkout_project.examples_of(here)
    for _ in range(20):
        shutil.rmtree(records)
        store.write_records(BEFORE, records)
        ours, theirs = Pipe()
        writer = get_context("fork").Process(target=write_in_two_steps, args=(records, theirs))
        writer.start()
        ours.recv()
        found = checkout_project.records_of(here, examples)
        writer.join()
        assert found == store.read_records(records)


def test_second_site_waits_for_the_first(checkout: Path) -> None:
    """It says so, and starts when the other has ended."""
    command = [sys.executable, "-m", "tensor_atlas.cli", "site", "--version"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with files.lock_folder(checkout / cli.BUILD):
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stderr is not None
        assert process.stderr.readline() == f"{cli.WAITING}\n"
        assert process.poll() is None
    printed, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert re.search(r"\d+\.\d+\.\d+", printed)


BUILD = """
import sys
from pathlib import Path
from sphinx.cmd.build import main
from tiny_project import CONF, example, Tiny
made = Tiny(Path("site"))
if not made.root.is_dir():
    made.write("pyproject.toml", "")
    made.write("examples/GALLERY_HEADER.rst", "Examples\\n========\\n")
    made.write("examples/01_x/GALLERY_HEADER.rst", "Chapter\\n=======\\n")
    for name, code in {pages!r}.items():
        made.write(f"examples/01_x/{{name}}.py", example(name, "# %%\\n# Text.\\n\\n" + code))
    made.write("docs/conf.py", CONF)
    made.write("docs/index.rst", "Tiny\\n====\\n\\n.. toctree::\\n\\n   gallery/index\\n")
    for number in range({more}):
        made.write(f"docs/more/page{{number:02}}.rst", f":orphan:\\n\\nPage {{number}}\\n=======\\n")
sys.exit(main(["-q", "-N", "-W", "-j", "{jobs}", "-b", "html", "site/docs", "site/docs/_build/html"]))
"""


def built(folder: Path, more: int = 0, jobs: int = 1) -> subprocess.Popen[str]:
    """A build of a tiny site with so many plain pages beside, as a process in a session of its own that is
    running.
    """
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}"}
    command = [sys.executable, "-c", BUILD.format(pages=PAGES, more=more, jobs=jobs)]
    return subprocess.Popen(
        command, cwd=folder, env=environment, start_new_session=True, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.attack
def test_build_may_be_killed_at_any_moment(tmp_path: Path) -> None:
    """The next one succeeds, and shows what was captured."""
    chance = chances()
    for _ in range(times(1, 100)):
        process = built(tmp_path)
        time.sleep(chance.uniform(0.5, 8))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert finished(built(tmp_path)) == (0, "")
    for name, words in (("a", "&lt;b&gt;one&lt;/b&gt;"), ("b", "2")):
        page = (tmp_path / "site/docs/_build/html/gallery/01_x" / f"{name}.html").read_text(encoding="utf-8")
        assert "atlas-captured" in page
        assert f">{words}" in page
        assert page.rstrip().endswith("</html>")


MORE = 60
"""Plain pages: enough to be divided among processes."""
EXECUTED = re.compile(
    r"executed in|statements? executed|^torch |examples? completed|^tensor-atlas: executing"
)
"""What the probe says where it has to execute examples."""


def finished(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Exit code of a build, and what it said beside what the probe says."""
    told = process.communicate()[1]
    return process.returncode, "\n".join(line for line in told.splitlines() if not EXECUTED.search(line))


def offspring(process: int) -> Iterator[int]:
    """Processes that a process has begun, and those that they have."""
    with contextlib.suppress(OSError):  # it has just ended
        for child in map(
            int, Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
        ):
            yield child
            yield from offspring(child)


@pytest.mark.attack
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks into /proc")
def test_any_process_of_a_build_may_be_killed(tmp_path: Path) -> None:
    """As where memory is short: the build does without, or ends and says so; no page is missing."""
    chance = chances()
    html = tmp_path / "site/docs/_build/html"
    assert finished(built(tmp_path, MORE, 2)) == (
        0,
        "",
    )  # examples have run: what is killed below makes pages
    ended = set()
    for _ in range(times(3, 60)):
        shutil.rmtree(html)
        process = built(tmp_path, MORE, 2)
        time.sleep(chance.uniform(0.5, 6))
        with contextlib.suppress(IndexError, ProcessLookupError):  # there is none just now
            os.kill(chance.choice(list(offspring(process.pid))), signal.SIGKILL)
        code, _ = finished(process)
        ended.add(code)
        if code == 0:
            assert_complete(html)
        else:
            assert finished(built(tmp_path, MORE, 2)) == (0, "")
            assert_complete(html)
    assert ended <= {0, 2}


def assert_complete(html: Path) -> None:
    """Every page is there, and in the index of the search."""
    names = {f"more/page{number:02}" for number in range(MORE)} | {f"gallery/01_x/{name}" for name in PAGES}
    index = (html / "searchindex.js").read_text(encoding="utf-8")
    assert {name for name in names if f'"{name}"' not in index} == set()
    for name in names:
        assert (html / f"{name}.html").read_text(encoding="utf-8").rstrip().endswith("</html>")
