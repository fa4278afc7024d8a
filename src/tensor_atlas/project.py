"""Where a checkout keeps its examples, records and deviations, and how the probe is called on them."""

from __future__ import annotations

import atexit
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tensor_atlas import gaps
from tensor_atlas.deviations import Deviation, check_targets, parse
from tensor_atlas.errors import AtlasError
from tensor_atlas.gaps import Gap
from tensor_atlas.probe.__main__ import UsageError, read_examples
from tensor_atlas.probe.capture import Capture
from tensor_atlas.probe.script import Example
from tensor_atlas.store import read_capture
from tensor_atlas.unchanged import CAPTURES, is_checkout

_CAPTURE = "capture.json"
"""Name of what a probe writes."""


@dataclass(frozen=True)
class Project:
    """One checkout."""

    root: Path
    """Folder that holds ``examples`` and ``docs``."""

    @property
    def examples(self) -> Path:
        """Folder of the chapters."""
        return self.root / "examples"

    @property
    def records(self) -> Path:
        """Folder of the committed evidence."""
        return self.root / "docs" / "records"

    @property
    def deviations(self) -> Path:
        """File of the reviewed exceptions."""
        return self.root / "docs" / "deviations.toml"

    @property
    def gaps(self) -> Path:
        """File of what waits to be recorded."""
        return self.root / "docs" / "gaps.toml"

    @property
    def captures(self) -> Path:
        """Folder of what has been executed here; builds write it."""
        return self.root / CAPTURES


def find(start: Path) -> Project:
    """Project that ``start`` lies in; AtlasError where no folder above it holds examples."""
    for folder in [start.resolve(), *start.resolve().parents]:
        if is_checkout(folder):
            return Project(folder)
    raise AtlasError(
        str(start), "not inside a checkout of the atlas", "change to the folder that holds examples/ and pyproject.toml"
    )


def examples_of(project: Project, files: Sequence[Path] = ()) -> dict[str, Example]:
    """Examples by name: those in ``files``, or all; AtlasError names every one that cannot be read."""
    try:
        found = read_examples(files or [project.examples], project.root)
    except UsageError as error:
        raise AtlasError(str(error)) from None
    return {example.name: example for example in found}


def deviations_of(project: Project, examples: dict[str, Example]) -> tuple[Deviation, ...]:
    """Deviations of the checkout, each about a statement that exists."""
    shown, text = _read(project, project.deviations)
    found = parse(text, shown)
    check_targets(found, examples, shown)
    return found


def gaps_of(project: Project) -> tuple[Gap, ...]:
    """Gaps of the checkout that have a reason."""
    shown, text = _read(project, project.gaps)
    return gaps.parse(text, shown)


def _read(project: Project, path: Path) -> tuple[str, str]:
    """Name and text of a file of the checkout; no text where there is no file."""
    shown = path.relative_to(project.root).as_posix()
    try:
        return shown, path.read_text(encoding="utf-8") if path.is_file() else ""
    except UnicodeDecodeError as error:
        raise AtlasError(shown, f"not UTF-8: {error.reason}", "save the file as UTF-8 text") from None


@dataclass(frozen=True)
class Probe:
    """A probe that runs, in a process of its own."""

    process: subprocess.Popen[bytes]
    """Ended with the process that has started it."""
    folder: tempfile.TemporaryDirectory[str]
    """Where it writes."""

    def capture(self) -> Capture:
        """What it has observed, once it has ended; AtlasError where it could not do it."""
        with self.folder, self.process:
            try:
                code = self.process.wait()
            finally:
                self.stop()
            if code != 0:
                raise AtlasError("probe", f"ended with exit code {code}", "see its message above")
            return read_capture(Path(self.folder.name) / _CAPTURE)

    def stop(self) -> None:
        """End it, if it has not ended."""
        atexit.unregister(self.stop)
        self.process.kill()


def start(
    project: Project,
    files: Sequence[Path],
    jobs: int | None = None,
    *,
    matrix: bool = False,
    after: Path | None = None,
) -> Probe:
    """A probe that runs ``files`` afresh, and the matrix where that is asked for.

    ``after``: capture of an earlier run; what took longest then begins first.
    """
    folder = tempfile.TemporaryDirectory(prefix="tensor-atlas-")
    paths = [str(path.resolve()) for path in files]
    command = [sys.executable, "-m", "tensor_atlas.probe", *paths, "-o", str(Path(folder.name) / _CAPTURE)]
    command += [] if jobs is None else ["--jobs", str(jobs)]
    command += ["--matrix"] if matrix else []
    command += [] if after is None else ["--after", str(after.resolve())]
    started = Probe(subprocess.Popen(command, cwd=project.root), folder)
    atexit.register(started.stop)
    return started


def probe(project: Project, files: Sequence[Path], jobs: int | None = None, *, matrix: bool = False) -> Capture:
    """Capture of a fresh run; AtlasError where the probe could not do it."""
    return start(project, files, jobs, matrix=matrix).capture()
