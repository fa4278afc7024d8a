"""Files of the site written in several processes, as Sphinx writes its pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.parallel import ParallelTasks, parallel_available


class LostPagesError(SphinxError):
    """Pages or files that should have been written were not."""

    category = "Sphinx has lost pages"


def write_in_processes(app: Sphinx, tasks: Sequence[Callable[[], object]]) -> None:
    """Run tasks that write files, in as many processes as ``--jobs`` allows; what they do in memory is lost.

    Warnings reach the build. LostPagesError where a process ended without its files.
    """
    if app.parallel < 2 or not parallel_available:
        for task in tasks:
            task()
        return
    ended: list[object] = []
    workers = ParallelTasks(app.parallel)
    for task in tasks:
        workers.add_task(task, result_func=lambda _, result: ended.append(result))
    workers.join()
    # `add_task` catches what a worker raised while others are still to be started.
    if len(ended) < len(tasks):
        message = "a process that wrote files raised an error\n    build once more with --jobs 1 to see it"
        raise LostPagesError(message)
