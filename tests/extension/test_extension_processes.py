"""Which process does what in a build: few pages are read in its own, what stands beside pages is made in another."""

from __future__ import annotations

import errno
import io
import multiprocessing
import os
import pickle
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

import pytest
from docutils import nodes
from sphinx import builders
from sphinx.application import Sphinx
from sphinx.testing.util import SphinxTestApp
from tiny_project import CONF, SHARES, Tiny, example, tiny

from tensor_atlas.compare.export import DATA
from tensor_atlas.errors import AtlasError
from tensor_atlas.site import data_file, processes
from tensor_atlas.site.guide_cache import FORM
from tensor_atlas.site.search_data import FILE
from tensor_atlas.site.tasks import Tasks

WAIT = 20.0
"""Seconds."""
LARGE = 2**20
"""Bytes: more than a pipe takes before somebody reads."""
BESIDE = [DATA, f"_static/{FILE}", "gallery/01_x/shares.py", "gallery/01_x/shares.ipynb"]
"""Some of what stands beside pages."""

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="Sphinx divides work where processes can fork"),
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]


@pytest.fixture
def made(tmp_path: Path) -> Tiny:
    """A tiny checkout."""
    return tiny(tmp_path)


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    """No process outlives its build."""
    yield
    end = time.monotonic() + WAIT
    while multiprocessing.active_children() and time.monotonic() < end:
        time.sleep(0.05)
    assert multiprocessing.active_children() == []


def build(made: Tiny, jobs: int = 2) -> SphinxTestApp:
    """Build that may use so many processes."""
    app = made.app(jobs)
    app.build()
    return app


def readers(made: Tiny) -> set[int]:
    """Processes that read pages in a build with two at a time."""
    app = made.app(2)
    log = made.root / "readers.txt"
    log.write_text("", encoding="utf-8")

    def note(_: Sphinx, __: nodes.document) -> None:
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{os.getpid()}\n")

    app.connect("doctree-read", note)
    app.build()
    assert app.parallel == 2
    return set(map(int, log.read_text(encoding="utf-8").split()))


def test_one_page_is_read_in_the_process_of_the_build(made: Tiny) -> None:
    """Many are divided."""
    assert os.getpid() not in readers(made)
    made.write("examples/01_x/shares.py", example("Shares", SHARES.replace("# Text.", "# Other words.")))
    assert readers(made) == {os.getpid()}


@pytest.mark.parametrize(
    ("names", "slow", "expected"),
    [
        ("", "", ""),
        ("abc", "", "abc"),
        ("ABC", "ABC", "ABC"),
        ("ABCdefghi", "ABC", "AdeBfgChi"),
        ("abcdefgH", "H", "Habcdefg"),
        ("aBCDEf", "BCDE", "BCaDEf"),
    ],
)
def test_slow_pages_are_far_apart(names: str, slow: str, expected: str) -> None:
    """None is lost, and those of a kind stay in their order."""
    assert "".join(processes.spaced(names, slow)) == expected


def test_guides_that_are_executed_are_divided(made: Tiny) -> None:
    """Among the pages, whatever their names."""
    made.write("docs/conf.py", CONF.replace('"tensor_atlas.site"', '"myst_parser", "tensor_atlas.site"'))
    for letter in "abcd":
        made.write(f"docs/guides/{letter}.md", f"---\norphan: true\n{FORM}\n---\n\n# {letter}\n")
    app = made.app()
    read: list[str] = []
    app.connect("source-read", lambda _, docname, __: read.append(docname))
    app.build()
    places = [index for index, name in enumerate(read) if name.startswith("guides/")]
    assert len(places) == 4
    assert all(later - earlier > 1 for earlier, later in pairwise(places))
    assert len(read) == len(set(read)) > 8


def test_pages_are_written_by_as_many_processes_as_were_asked_for(made: Tiny) -> None:
    """Beside that of the build, which waits for them; Sphinx by itself would start one process less."""
    for number in range(40):
        made.write(f"docs/more/page{number}.rst", f":orphan:\n\nPage {number}\n=======\n")
    app = made.app(2)
    asked: list[int] = []

    class Noted(Tasks):
        def __init__(self, nproc: int) -> None:
            asked.append(nproc)
            super().__init__(nproc)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builders, "ParallelTasks", Noted)
        app.build()
    assert asked == [2, 2]  # one time for reading, one for writing
    assert app.parallel == 2


def test_what_stands_beside_pages_is_made_while_they_are_written(
    made: Tiny, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In another process, and in this one where only one was asked for."""
    log = tmp_path / "makers.txt"
    make = data_file.made

    def noted(app: Sphinx) -> Iterator[tuple[Path, bytes]]:
        log.write_text(str(os.getpid()), encoding="utf-8")
        yield from make(app)

    monkeypatch.setattr(data_file, "made", noted)
    app = build(made)
    assert int(log.read_text(encoding="utf-8")) != os.getpid()
    before = {name: (Path(app.outdir) / name).read_bytes() for name in BESIDE}
    for name in BESIDE:
        (Path(app.outdir) / name).unlink()
    app = build(made, 1)
    assert int(log.read_text(encoding="utf-8")) == os.getpid()
    assert {name: (Path(app.outdir) / name).read_bytes() for name in BESIDE} == before


def test_failed_build_writes_nothing_beside_pages(made: Tiny) -> None:
    """What was there stays, however far the other process is."""
    app = build(made)
    (Path(app.outdir) / DATA).write_bytes(b"earlier")
    made.write("examples/01_x/shares.py", example("Shares", SHARES.replace("# Text.", "# Other words.")))
    app = made.app(2)

    def fail(*_: object) -> None:
        time.sleep(1)
        message = "not today"
        raise ValueError(message)

    app.connect("html-page-context", fail)
    with pytest.raises(Exception, match="not today"):
        app.build()
    assert (Path(app.outdir) / DATA).read_bytes() == b"earlier"


def test_failed_build_waits_for_nobody(made: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does it leave the other process behind."""
    monkeypatch.setattr(processes, "_make", lambda *_: time.sleep(3 * WAIT))
    app = made.app(2)

    def fail(*_: object) -> None:
        message = "not today"
        raise ValueError(message)

    app.connect("html-collect-pages", fail)
    begun = time.monotonic()
    with pytest.raises(Exception, match="not today"):
        app.build()
    assert time.monotonic() - begun < 2 * WAIT


@pytest.mark.parametrize("written", [b"", pickle.dumps((Path("nowhere"), b"content"))[:-9]])
def test_process_that_dies_is_done_without(
    made: Tiny, monkeypatch: pytest.MonkeyPatch, written: bytes
) -> None:
    """For want of memory, for example; it may have written something."""

    def die(_: Sphinx, files: IO[bytes]) -> None:
        os.write(files.fileno(), written)
        os._exit(9)

    monkeypatch.setattr(processes, "_make", die)
    app = build(made)
    assert all((Path(app.outdir) / name).is_file() for name in BESIDE)


def test_nothing_of_what_is_not_whole_is_taken(
    made: Tiny, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Who finds the disk full says nothing of it: the build does, where it finds no room either."""
    app = made.app(2)
    other = Path(app.outdir) / "other"

    def fill(_: Sphinx) -> Iterator[tuple[Path, bytes]]:
        if os.getpid() == here:
            return
        yield other, b"content"
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    here = os.getpid()
    monkeypatch.setattr(processes, "_made", fill)
    app.build()
    assert not other.exists()
    assert "Traceback" not in capfd.readouterr().err


def test_bad_input_on_a_full_disk_is_left_to_the_build(made: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no room to tell of it."""

    class Full(io.BytesIO):
        def seek(self, *_: object) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def fail(_: Sphinx) -> Iterator[tuple[Path, bytes]]:
        raise AtlasError("docs/page.md:3", "no such example", "name one that there is")

    monkeypatch.setattr(processes, "_made", fail)
    with pytest.raises(SystemExit) as caught:
        processes._make(made.app(), Full())
    assert caught.value.code == 1


def test_process_ends_when_all_is_made(made: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it holds is not held until the last page is written, however much it makes."""
    app = made.app(2)
    large = Path(app.outdir) / "large"
    monkeypatch.setattr(processes, "_made", lambda _: iter([(large, bytes(LARGE))]))

    def wait_for_it(*_: object) -> list[object]:
        end = time.monotonic() + WAIT
        while multiprocessing.active_children() and time.monotonic() < end:
            time.sleep(0.05)
        assert multiprocessing.active_children() == []
        return []

    app.connect("html-collect-pages", wait_for_it)
    app.build()
    assert large.stat().st_size == LARGE


def test_without_a_process_to_be_had_all_is_made_here(made: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of a user may be reached."""
    build(made)
    app = made.app(2)
    (Path(app.outdir) / DATA).unlink()

    start = multiprocessing.context.ForkProcess.start

    def refuse(process: Any) -> None:
        if process._target is processes._make:
            raise BlockingIOError
        start(process)

    monkeypatch.setattr(multiprocessing.context.ForkProcess, "start", refuse)
    app.build()
    assert (Path(app.outdir) / DATA).is_file()


def test_bad_input_found_by_the_other_process_is_told_as_ever(made: Tiny) -> None:
    """One message with file and line, and exit code 2."""
    made.write("docs/wordings.toml", '[[wordings]]\nmessage = "never seen"\nexample = "01_x/nowhere"\n')
    app = made.app(2)
    with pytest.raises(SystemExit) as caught:
        app.build()
    assert caught.value.code == 2
    assert "docs/wordings.toml" in app.warning.getvalue()
    assert not (Path(app.outdir) / DATA).exists()
