"""Runs the parts of a build in processes, in place of Sphinx's own class: none is lost, and few wait to be run.

Sphinx begins what can begin and keeps the rest, whole pages among it, for later: the more pages, the more memory. What
a process raises while others are still to be begun it drops, and its pages with it, and the build is said to succeed.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeAlias

from docutils import nodes
from sphinx.errors import SphinxParallelError
from sphinx.util import logging

from tensor_atlas.errors import AtlasError
from tensor_atlas.site.execution import stop

logger = logging.getLogger(__name__)

Task: TypeAlias = "Callable[[Any], Any] | Callable[[], Any]"
Use: TypeAlias = Callable[[Any, Any], object]
REMEDY = "end other programs, or build with fewer --jobs; what is built stays built"
"""What helps where processes die or cannot be had: memory, or a limit of the user."""


@dataclass(frozen=True)
class _Failure:
    """What a task raised."""

    summary: str
    traceback: str
    code: object = None
    """Of a SystemExit: the build has been told to end, and why is among what was logged."""


@dataclass(frozen=True)
class _Running:
    """A task that is at work."""

    process: BaseProcess
    arg: Any
    use: Use | None


class Tasks:
    """Tasks in processes of their own, ``nproc`` at a time; as ``sphinx.util.parallel.ParallelTasks``."""

    def __init__(self, nproc: int) -> None:
        self.nproc = nproc
        self._running: dict[Connection, _Running] = {}

    def add_task(self, task_func: Task, arg: Any = None, result_func: Use | None = None) -> None:
        """Begin ``task_func(arg)``, once one has ended where as many as may are at work.

        ``result_func`` gets ``arg`` and what the task returned. SphinxParallelError where a task raised, SystemExit
        where it asked for the end of the build, or died; none goes on then.
        """
        with self._ending_all():
            while len(self._running) >= self.nproc:
                self._take()
            while not self._begin(task_func, arg, result_func):
                self._take()

    def join(self) -> None:
        """Wait for all; errors as of add_task."""
        with self._ending_all():
            while self._running:
                self._take()

    @contextlib.contextmanager
    def _ending_all(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            for running in self._running.values():
                running.process.terminate()
            for results, running in self._running.items():
                running.process.join()
                results.close()
            self._running.clear()
            raise

    def _begin(self, task: Task, arg: Any, use: Use | None) -> bool:
        """Whether it has begun: the system may make no more processes until one has ended."""
        method = multiprocessing.get_context("fork")
        results, theirs = method.Pipe(duplex=False)
        process = method.Process(target=_work, args=(theirs, task, arg))
        try:
            process.start()
        except OSError as error:
            results.close()
            if not self._running:
                stop(AtlasError("tensor-atlas", f"no process could be started: {error.strerror}", REMEDY))
            return False
        finally:
            theirs.close()  # those that are forked later must not have it: nobody would see that this one has died
        self._running[results] = _Running(process, arg, use)
        _let_go(arg)
        return True

    def _take(self) -> None:
        """Wait until some have ended, and use what they have made."""
        for results in wait(self._running):
            assert isinstance(results, Connection)
            running = self._running[results]
            try:
                logs, failure, made = results.recv()
            except (EOFError, OSError):  # before it had sent anything, or in the midst of it
                running.process.join()
                how = f"exit code {running.process.exitcode}"
                stop(AtlasError("tensor-atlas", f"a process that made pages has died: {how}", REMEDY))
            running.process.join()
            results.close()
            del self._running[results]
            for log in logs:
                logger.handle(log)
            if failure is not None:
                if failure.code is not None:
                    raise SystemExit(failure.code)
                raise SphinxParallelError(failure.summary, failure.traceback)
            if running.use is not None:
                running.use(running.arg, made)
            if made is not None:  # all that is known of pages, of which a part was used
                del made
                gc.collect()


def _let_go(arg: Any) -> None:
    """Take apart the pages of a task, which the process that writes them has to itself.

    Each node knows its parent and its page: they would stay until the collector has looked at everything.
    """
    pages = (
        [part for item in arg if isinstance(item, tuple) for part in item] if isinstance(arg, list) else []
    )
    held: list[nodes.Node] = [page for page in pages if isinstance(page, nodes.document)]
    while held:
        node = held.pop()
        held += node.children
        vars(node).clear()


def _work(results: Connection, task: Task, arg: Any) -> None:
    """Run a task in this process, and send what was logged, what it raised, and what it returned."""
    gc.freeze()  # to look for garbage among what all have would make a copy of it
    collector = logging.LogCollector()
    made, failure = None, None
    with collector.collect():
        try:
            made = task() if arg is None else task(arg)  # type: ignore[call-arg]
        except SystemExit as error:
            failure = _Failure("", "", 1 if error.code is None else error.code)
        except BaseException as error:  # noqa: BLE001 - raised again by whoever began this
            failure = _Failure(traceback.format_exception_only(error)[0].strip(), traceback.format_exc())
    logging.convert_serializable(collector.logs)
    results.send((collector.logs, failure, made))
