"""What imports torch before it is known what there is to run: a probe in a process of its own, or what one forks from.

Imports little, so that a probe can be started before everything else is imported.
"""

from __future__ import annotations

import atexit
import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tensor_atlas.errors import AtlasError
from tensor_atlas.probe import forking
from tensor_atlas.texts import is_due

if TYPE_CHECKING:
    from tensor_atlas.model.capture import Capture

_CAPTURE = "capture.json"
"""Name of what a probe writes."""
_waiting: dict[Path, Probe] = {}
"""By checkout."""


@dataclass(frozen=True)
class Probe:
    """A probe that runs, or waits for what it has to run."""

    process: subprocess.Popen[bytes]
    """Ended with the process that has started it."""
    folder: tempfile.TemporaryDirectory[str]
    """Where it writes."""

    def name(self, files: Sequence[Path], seconds: Mapping[Path, float]) -> None:
        """Tell what to run, once; ``seconds``: what some took before."""
        lines = [
            f"{file.resolve()}\t{seconds[file]}" if file in seconds else str(file.resolve()) for file in files
        ]
        assert self.process.stdin is not None
        with (
            contextlib.suppress(BrokenPipeError),
            self.process.stdin as names,
        ):  # it has ended: capture() tells
            names.write("".join(f"{line}\n" for line in lines).encode(errors="surrogateescape"))

    def capture(self) -> Capture:
        """What it has observed, once it has ended; AtlasError where it could not do it."""
        from tensor_atlas.records.store import read_capture  # noqa: PLC0415

        try:
            code = self.process.wait()
            if code != 0:
                raise AtlasError("probe", f"ended with exit code {code}", "see its message above")
            return read_capture(Path(self.folder.name) / _CAPTURE)
        finally:
            self.end()

    def end(self) -> None:
        """End it, if it has not ended, and leave nothing of it behind."""
        atexit.unregister(self.end)
        self.process.kill()
        self.process.wait()
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.folder.cleanup()


def started(root: Path, options: Sequence[str] = ()) -> Probe:
    """A probe that waits in a checkout: the one that does already, or a new one with ``options``.

    AtlasError where there is no room for what it will write.
    """
    found = None if options else _waiting.pop(root.resolve(), None)
    if found is not None:
        return found
    try:
        folder = tempfile.TemporaryDirectory(prefix="tensor-atlas-")
    except OSError as error:
        place = error.filename or tempfile.tempdir
        raise AtlasError(
            str(place), f"no folder could be made: {error.strerror}", "let TMPDIR name another"
        ) from None
    command = [
        sys.executable,
        "-m",
        "tensor_atlas.probe",
        "-",
        "-o",
        str(Path(folder.name) / _CAPTURE),
        *options,
    ]
    made = Probe(subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE), folder)
    atexit.register(made.end)
    return made


def begin(root: str | Path) -> None:
    """Start a probe where a glance at the checkout tells that there will be something to execute."""
    place = Path(root).resolve()
    if is_due(place):
        with contextlib.suppress(AtlasError):  # whoever needs one comes upon the reason as well
            _waiting[place] = started(place)


def end() -> None:
    """End what waits: there is nothing to execute."""
    forking.forks().end_unless_asked()
    while _waiting:
        _waiting.popitem()[1].end()
