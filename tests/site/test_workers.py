"""Files of the site written in several processes."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sphinx.util import logging

from tensor_atlas.site.build.workers import write_in_processes


def builds_with(jobs: int) -> Any:
    """An application, as far as its number of processes."""
    return SimpleNamespace(parallel=jobs)


def write_process(path: Path) -> None:
    """Write the number of the process that runs this."""
    path.write_text(str(os.getpid()), encoding="utf-8")


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_task_writes_its_file(tmp_path: Path, jobs: int) -> None:
    """In processes of their own, as far as there may be several."""
    paths = [tmp_path / str(number) for number in range(5)]
    write_in_processes(builds_with(jobs), [partial(write_process, path) for path in paths])
    here = {path.read_text(encoding="utf-8") == str(os.getpid()) for path in paths}
    assert here == {jobs == 1}


@pytest.mark.parametrize("failing", range(4))
def test_a_failure_is_never_lost(tmp_path: Path, failing: int) -> None:
    """Whichever task it is: Sphinx tells nobody of one that ends while others are still to be started."""

    def fail() -> None:
        raise ValueError("no such page")

    tasks = [partial(write_process, tmp_path / str(number)) for number in range(4)]
    tasks[failing] = partial(fail)
    with pytest.raises(Exception, match=r"no such page|--jobs 1"):
        write_in_processes(builds_with(2), tasks)


def test_failure_in_one_process_is_raised_as_it_is() -> None:
    """That is what the message of the other ones asks for."""
    with pytest.raises(ZeroDivisionError):
        write_in_processes(builds_with(1), [lambda: 1 // 0])


def test_warning_of_a_process_reaches_the_build(caplog: pytest.LogCaptureFixture) -> None:
    """A build that ends on warnings has to see it."""
    warn = partial(logging.getLogger(__name__).warning, "a page has no title")
    with caplog.at_level("WARNING", "sphinx"):
        write_in_processes(builds_with(2), [warn, warn])
    # Sphinx puts the level before a message where an application has set up its logging.
    said = [record.getMessage().removeprefix("WARNING: ") for record in caplog.records]
    assert said == ["a page has no title"] * 2
