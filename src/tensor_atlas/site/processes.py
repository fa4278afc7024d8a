"""Divides the work of a build among processes, where Sphinx does not, or divides what is too little for it.

A few pages are read in this process; what stands beside the pages is made in another while they are written.
"""

from __future__ import annotations

import multiprocessing
import pickle
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import IO, TYPE_CHECKING
from weakref import WeakKeyDictionary

from sphinx.util.parallel import parallel_available

from tensor_atlas.errors import AtlasError
from tensor_atlas.site import data_file, downloads, guide_cache, search_box
from tensor_atlas.site.execution import stop

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.environment import BuildEnvironment

FEW = 5
"""So many pages are read as soon as by processes, which are forked and send back all they know; one, far sooner."""

File = tuple[Path, bytes]
"""A file of the site that no page is, and its content."""
_asked: WeakKeyDictionary[Sphinx, int] = WeakKeyDictionary()
"""Processes that Sphinx was asked for."""
_begun: WeakKeyDictionary[Sphinx, Making] = WeakKeyDictionary()


@dataclass(frozen=True)
class Making:
    """A process that makes files."""

    process: BaseProcess
    files: IO[bytes]
    """Where it writes what it makes, so that it ends when all is made: an AtlasError, or files, and None at the end."""

    def __del__(self) -> None:
        """Close the file: of a build that has been told to end, Sphinx does not say that it has finished."""
        self.files.close()


# --- reading ---------------------------------------------------------------------------------------


def one_for_few(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Handler of ``env-before-read-docs``: Sphinx forks even for a single page. A guide that is executed takes long."""
    if len(docnames) <= FEW and not guide_cache.executed(env) & set(docnames):
        _asked[app] = app.parallel
        app.parallel = 1


def spread(_: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Handler of ``env-before-read-docs``: Sphinx divides the pages as they are listed, and guides lie side by side."""
    docnames[:] = spaced(docnames, guide_cache.executed(env))


def spaced(names: Sequence[str], slow: Collection[str]) -> list[str]:
    """The same names, the ``slow`` ones as far apart as they can be, otherwise in their order."""
    late, early = [name for name in names if name in slow], [name for name in names if name not in slow]
    places = [(index / len(late), name) for index, name in enumerate(late)]
    places += [((index + 0.5) / len(early), name) for index, name in enumerate(early)]
    return [name for _, name in sorted(places, key=lambda placed: placed[0])]


def as_many_as_asked(app: Sphinx, _: BuildEnvironment) -> None:
    """Handler of ``env-updated``: all pages are read."""
    app.parallel = _asked.pop(app, app.parallel)


# --- writing ---------------------------------------------------------------------------------------


def one_more(app: Sphinx, _: Builder) -> None:
    """Handler of ``write-started``: Sphinx keeps a processor for this process, which mostly waits for the others."""
    if app.parallel > 1:
        _asked[app] = app.parallel
        app.parallel += 1


# --- what stands beside pages ----------------------------------------------------------------------


def begin(app: Sphinx, _: BuildEnvironment) -> None:
    """Handler of ``env-updated``: make, while Sphinx writes pages, what stands beside them."""
    if app.builder.format != "html" or app.parallel < 2 or not parallel_available:
        return
    method = multiprocessing.get_context("fork")
    try:
        files = tempfile.TemporaryFile()  # noqa: SIM115 - put() closes it
    except OSError:  # nowhere to write to: put() makes all
        return
    process = method.Process(target=_make, args=(app, files), daemon=True)
    try:
        process.start()
    except OSError:  # there is no process to be had
        files.close()
    else:
        _begun[app] = Making(process, files)


def put(app: Sphinx, exception: Exception | None) -> None:
    """Handler of ``build-finished``: write what stands beside the pages; nothing of a build that failed."""
    app.parallel = _asked.pop(app, app.parallel)
    making = _begun.pop(app, None)
    try:
        if exception is None:
            for path, content in _taken(making) or list(_made(app)):
                path.write_bytes(content)
    except AtlasError as error:
        stop(error)
    finally:
        if making is not None:
            making.process.terminate()
            making.process.join()
            making.files.close()


def _taken(making: Making | None) -> Iterator[File] | None:
    """Files that a process has made, AtlasError where it met one; None where there is none, or it did not come so far.

    Of one that died nothing is taken, and it is asked for nothing more.
    """
    if making is None:
        return None
    making.process.join()
    if making.process.exitcode != 0:
        return None
    return _read(making.files)


def _read(files: IO[bytes]) -> Iterator[File]:
    files.seek(0)
    while (found := pickle.load(files)) is not None:  # noqa: S301 - written by _make
        if isinstance(found, AtlasError):
            raise found
        yield found


def _make(app: Sphinx, files: IO[bytes]) -> None:
    """Write everything to ``files``, and end with 1 where there is no room for it."""
    try:
        _write(app, files)
        files.flush()
    except OSError:  # which is for put() to meet, and to tell of
        sys.exit(1)


def _write(app: Sphinx, files: IO[bytes]) -> None:
    """Write one by one what is made, so that it lies in no memory until the build has ended."""
    try:
        for made in _made(app):
            pickle.dump(made, files)
        pickle.dump(None, files)
    except AtlasError as error:  # and nothing else is told
        files.seek(0)
        pickle.dump(error, files)


def _made(app: Sphinx) -> Iterator[File]:
    """Files that differ from what is there: one that stays as it was keeps its date, and with it a server's cache."""
    for part in (data_file, downloads, search_box):
        for path, content in part.made(app):
            if not path.is_file() or path.read_bytes() != content:
                yield path, content
