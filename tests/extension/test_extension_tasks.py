"""Parts of a build in processes of their own: what one raises ends it, that one has died is told, none is lost."""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import pickle
import re
import signal
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from docutils import nodes
from docutils.utils import new_document
from sphinx import builders
from sphinx.application import Sphinx
from sphinx.errors import SphinxParallelError
from sphinx.util import logging as sphinx_logging
from tiny_project import Tiny, tiny

from tensor_atlas.site import tasks
from tensor_atlas.site.tasks import Tasks

SOON = 20.0
"""Seconds."""

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="Sphinx divides work where processes can fork"),
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    """No process outlives its task."""
    yield
    assert multiprocessing.active_children() == []


@pytest.fixture
def told() -> Iterator[list[str]]:
    """What this process logs, by way of Sphinx, with its level."""
    found: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            words = record.getMessage()
            found.append(words if ": " in words[:9] else f"{record.levelname}: {words}")

    logger = logging.getLogger(sphinx_logging.NAMESPACE)
    listener = Listener()
    logger.addHandler(listener)
    usual = logger.level
    logger.setLevel(logging.INFO)
    yield found
    logger.setLevel(usual)
    logger.removeHandler(listener)


def run(task: Callable[..., Any], *args: object, most: int = 2) -> list[tuple[object, object]]:
    """Each argument with what the task returned for it."""
    made: list[tuple[object, object]] = []
    found = Tasks(most)
    for arg in args:
        found.add_task(task, arg, lambda arg, result: made.append((arg, result)))
    found.join()
    return made


def test_each_result_comes_with_its_argument() -> None:
    """None is lost, whoever ends first; what needs no argument, or whose result nobody wants, is run as well."""

    def task(number: int) -> tuple[int, int]:
        time.sleep(0.05 * (number % 3))
        return number * number, os.getpid()

    made = run(task, *range(9))
    assert sorted((arg, result[0]) for arg, result in made) == [(n, n * n) for n in range(9)]  # type: ignore[index]
    assert os.getpid() not in {result[1] for _, result in made}  # type: ignore[index]
    assert run(lambda: "no argument", None) == [(None, "no argument")]
    found = Tasks(1)
    found.add_task(lambda: None)
    found.join()


def test_no_more_run_than_may(tmp_path: Path) -> None:
    """Whoever wants to begin one more waits, instead of keeping it for later."""

    def task(number: int) -> None:
        (tmp_path / str(number)).touch()
        time.sleep(0.3)
        (tmp_path / str(number)).unlink()

    most = 0
    found = Tasks(2)
    for number in range(5):
        found.add_task(task, number)
        most = max(most, len(found._running))
        assert len(list(tmp_path.iterdir())) <= 2
    found.join()
    assert most == 2


@pytest.mark.parametrize("where", [0, 3, 5])
def test_what_a_task_raises_ends_all(where: int, tmp_path: Path) -> None:
    """Wherever it stands among them: Sphinx's own class goes on where others are still to be begun."""

    def task(number: int) -> None:
        if number == where:
            message = f"not {number}"
            raise ValueError(message)
        time.sleep(0.1)
        (tmp_path / str(number)).touch()

    with pytest.raises(SphinxParallelError, match=f"^ValueError: not {where}$") as caught:
        run(task, *range(6))
    assert "in task" in caught.value.traceback
    assert not {str(number) for number in range(where + 3, 6)} & {path.name for path in tmp_path.iterdir()}


def test_others_do_not_go_on() -> None:
    """They are ended, not waited for."""

    def task(number: int) -> None:
        if number == 1:
            raise ValueError
        time.sleep(3 * SOON)

    begun = time.monotonic()
    with pytest.raises(SphinxParallelError):
        run(task, 0, 1)
    assert time.monotonic() - begun < SOON


def test_what_a_task_logs_is_told_here(told: list[str]) -> None:
    """In the order of its words, and although it raises."""

    def task(number: int) -> None:
        logger = sphinx_logging.getLogger("tensor_atlas.test")
        logger.warning("first %d", number)
        logger.info("second")
        if number:
            raise ValueError

    run(task, 0)
    assert told == ["WARNING: first 0", "INFO: second"]
    with pytest.raises(SphinxParallelError):
        run(task, 1)
    assert told[2:] == ["WARNING: first 1", "INFO: second"]


@pytest.mark.parametrize(("code", "expected"), [(2, 2), (None, 1), (0, 0)])
def test_task_may_end_the_build(code: int | None, expected: int, told: list[str]) -> None:
    """As for bad input: one message, which is not lost, and its exit code."""

    def task(_: object) -> NoReturn:
        sphinx_logging.getLogger("tensor_atlas.test").error("docs/page.md:3  no such example")
        raise SystemExit(code)

    with pytest.raises(SystemExit) as caught:
        run(task, 1, 2, 3)
    assert caught.value.code == expected
    assert "ERROR: docs/page.md:3  no such example" in told


@pytest.mark.parametrize(
    ("how", "name"),
    [
        (lambda _: os.kill(os.getpid(), signal.SIGKILL), "SIGKILL"),
        (lambda _: os._exit(9), "the process ended without a word, exit code 9"),
        (
            lambda _: lambda: None,
            "the process ended without a word, exit code 1",
        ),  # no such thing can be sent
    ],
)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_process_that_dies_is_told_once(how: Callable[..., Any], name: str, told: list[str]) -> None:
    """As for want of memory: message, remedy, exit code 2, and no page is missing from a build that succeeds."""
    with pytest.raises(SystemExit) as caught:
        run(how, *range(6))
    assert caught.value.code == 2
    assert told == [f"ERROR: tensor-atlas  a process that made pages has died: {name}\n    {tasks.REMEDY}"]


def test_process_may_die_while_it_sends(told: list[str]) -> None:
    """Half of what it has made is nothing; it is long enough to be sent in pieces."""

    def task(_: object) -> bytes:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGKILL)).start()
        return bytes(10_000_000)

    found = Tasks(1)
    found.add_task(task, 1)
    time.sleep(1)
    with pytest.raises(SystemExit) as caught:
        found.join()
    assert caught.value.code == 2
    assert "died: SIGKILL" in told[0]


def _refusing(monkeypatch: pytest.MonkeyPatch, allowed: Callable[[int], bool]) -> None:
    start = multiprocessing.context.ForkProcess.start
    asked = iter(range(1000))

    def begin(process: Any) -> None:
        if not allowed(next(asked)):
            raise BlockingIOError(11, "Resource temporarily unavailable")
        start(process)

    monkeypatch.setattr(multiprocessing.context.ForkProcess, "start", begin)


def test_where_no_more_processes_are_made_one_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of a user may be reached for a while."""
    _refusing(monkeypatch, lambda count: count not in (1, 4))
    assert sorted(run(lambda number: number, *range(4), most=3)) == [(n, n) for n in range(4)]


def test_where_none_is_made_at_all_it_is_told(monkeypatch: pytest.MonkeyPatch, told: list[str]) -> None:
    """There is nothing to wait for."""
    _refusing(monkeypatch, lambda count: count != 0)
    with pytest.raises(SystemExit) as caught:
        run(lambda number: number, 1)
    assert caught.value.code == 2
    assert told == [
        f"ERROR: tensor-atlas  no process could be started: Resource temporarily unavailable\n    {tasks.REMEDY}"
    ]


def _page(name: str) -> nodes.document:
    page = new_document(name)
    page += nodes.section(
        "", nodes.title("", name), nodes.paragraph("", "", nodes.emphasis("", "text")), ids=[name]
    )
    return page


def test_pages_are_let_go_once_another_process_has_them() -> None:
    """Without a look of the collector; whoever writes them has them whole."""
    written: list[object] = []

    def write(pages: list[tuple[str, nodes.document]]) -> list[str]:
        time.sleep(0.2)
        return [page.pformat() for _, page in pages]

    expected = [_page(name).pformat() for name in ("one", "two")]
    gc.collect()
    gc.disable()
    try:
        found = Tasks(2)
        pages = [("one", _page("one")), ("two", _page("two"))]
        known = [weakref.ref(page) for _, page in pages]
        known += [weakref.ref(page[0]) for _, page in pages]  # type: ignore[arg-type]
        found.add_task(write, pages, lambda _, result: written.extend(result))
        del pages
        for running in found._running.values():
            running.arg.clear()
        assert [ref() for ref in known] == [None] * 4
        found.join()
    finally:
        gc.enable()
    assert written == expected


def test_names_of_pages_are_kept() -> None:
    """Whoever reads pages names them, and who merges what was read asks for the names."""
    assert run(lambda names: b" ".join(name.encode() for name in names), ["a", "b"]) == [(["a", "b"], b"a b")]


def test_what_was_used_is_collected() -> None:
    """All that another process knows is sent, and most of it belongs to no page of its."""

    class Ring:
        def __init__(self) -> None:
            self.own = self

    kept: list[weakref.ref[Ring]] = []

    def use(_: object, made: bytes) -> None:
        assert pickle.loads(made) == [1]
        kept.append(weakref.ref(Ring()))

    gc.disable()
    try:
        found = Tasks(1)
        found.add_task(lambda: pickle.dumps([1]), None, use)
        found.join()
        assert [ref() for ref in kept] == [None]
    finally:
        gc.enable()


def test_process_looks_for_no_garbage_among_what_all_have() -> None:
    """To look at an object is to write to it, which makes a copy of its page of memory."""
    gc.unfreeze()  # what builds of other tests have left so
    before = gc.get_freeze_count()
    ((_, counts),) = run(lambda: [gc.get_freeze_count(), len(gc.get_objects())], None)
    assert isinstance(counts, list)
    assert counts[0] > before + 10_000
    assert counts[1] < 1000
    assert gc.get_freeze_count() == before


# --- builds ----------------------------------------------------------------------------------------

PAGES = 40


@pytest.fixture
def many(tmp_path: Path) -> Tiny:
    """A tiny checkout with many pages."""
    made = tiny(tmp_path)
    for number in range(PAGES):
        made.write(f"docs/more/page{number:02}.rst", f":orphan:\n\nPage {number}\n=======\n")
    return made


@pytest.mark.parametrize("page", ["more/page01", "more/page20", "more/page39"])
def test_page_that_cannot_be_written_fails_the_build(many: Tiny, page: str) -> None:
    """Wherever it stands; Sphinx by itself would leave out the pages beside it, and be content."""
    app = many.app(2)

    def fail(_: Sphinx, pagename: str, *__: object) -> None:
        if pagename == page:
            message = f"not {pagename}"
            raise ValueError(message)

    app.connect("html-page-context", fail)
    with pytest.raises(SphinxParallelError, match=re.escape(f"not {page}")):
        app.build()


@pytest.mark.parametrize("page", ["more/page01", "more/page20", "more/page39"])
@pytest.mark.parametrize("event", ["source-read", "html-page-context"])
def test_next_build_makes_what_a_dead_process_has_not(many: Tiny, page: str, event: str) -> None:
    """For want of memory, say: nothing is missing once it goes on."""
    app = many.app(2)
    own = os.getpid()

    def die(_: Sphinx, pagename: str, *__: object) -> None:
        if pagename == page and os.getpid() != own:
            os.kill(os.getpid(), signal.SIGKILL)

    app.connect(event, die)
    with pytest.raises(SystemExit) as caught:
        app.build()
    assert caught.value.code == 2
    assert app.warning.getvalue().count("SIGKILL") == 1
    app.cleanup()
    app = many.app(2)
    app.build()
    there = {path.stem for path in Path(app.outdir, "more").iterdir()}
    assert there == {f"page{number:02}" for number in range(PAGES)}
    assert "incomplete" not in app.warning.getvalue()
    found = set(
        re.findall(r"more/(page\d\d)", Path(app.outdir, "searchindex.js").read_text(encoding="utf-8"))
    )
    assert found == there


@pytest.mark.parametrize("page", ["page01", "page20", "page39"])
def test_bad_input_is_told_whoever_reads_it(many: Tiny, page: str) -> None:
    """One message with file and line, exit code 2; in the process of the build it has always been so."""
    many.write(f"docs/more/{page}.rst", ":orphan:\n\nPage\n====\n\nSee :example:`01_x/nowhere`.\n")
    app = many.app(2)
    with pytest.raises(SystemExit) as caught:
        app.build()
    assert caught.value.code == 2
    assert app.warning.getvalue().count(f"more/{page}.rst:6  no example 01_x/nowhere") == 1


def test_sphinx_uses_them(many: Tiny) -> None:
    """For reading and for writing."""
    app = many.app(2)
    assert vars(builders)["ParallelTasks"] is Tasks
    used: list[str] = []
    app.connect("env-merge-info", lambda *_: used.append("merged"))
    app.build()
    assert len(used) > 2
