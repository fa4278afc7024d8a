"""Where a checkout keeps its examples, records and deviations, and how the probe is called on them."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tensor_atlas.checkout import is_checkout
from tensor_atlas.compare import gaps
from tensor_atlas.compare.deviations import Deviation, check_targets, parse_deviations
from tensor_atlas.compare.gaps import Gap
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example
from tensor_atlas.model.capture import Capture
from tensor_atlas.probe.__main__ import (
    Recorded,
    UsageError,
    longest_first,
    observe,
    read_examples,
    summary,
    timeouts,
    usual_jobs,
)
from tensor_atlas.probe.forking import ForkError
from tensor_atlas.unchanged import CAPTURES
from tensor_atlas.waiting import Probe, started


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
        str(start),
        "not inside a checkout of the atlas",
        "change to the folder that holds examples/ and pyproject.toml",
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
    found = parse_deviations(text, shown)
    check_targets(found, examples, shown)
    return found


def gaps_of(project: Project) -> tuple[Gap, ...]:
    """Gaps of the checkout that have a reason."""
    shown, text = _read(project, project.gaps)
    return gaps.parse_gaps(text, shown)


def _read(project: Project, path: Path) -> tuple[str, str]:
    """Name and text of a file of the checkout; no text where there is no file."""
    shown = path.relative_to(project.root).as_posix()
    try:
        return shown, path.read_text(encoding="utf-8") if path.is_file() else ""
    except UnicodeDecodeError as error:
        raise AtlasError(shown, f"not UTF-8: {error.reason}", "save the file as UTF-8 text") from None


def start(
    project: Project,
    files: Sequence[Path],
    jobs: int | None = None,
    *,
    matrix: bool = False,
    seconds: Mapping[Path, float] | None = None,
) -> Probe:
    """A probe that runs ``files`` afresh, and the matrix where that is asked for.

    ``seconds``: what some of them took before; the longest begin first.
    """
    options = [] if jobs is None else ["--jobs", str(jobs)]
    options += ["--matrix"] if matrix else []
    made = started(project.root, options)
    made.name(files, seconds or {})
    return made


@dataclass(frozen=True)
class Here:
    """Examples that this process executes itself: it starts no other that would read them all once more."""

    project: Project
    examples: Sequence[Example]
    jobs: int | None
    """At a time; None: as many as the probe finds best."""
    seconds: Mapping[str, float]
    """What some of them took before, by name."""
    recorded: Recorded
    """What is on record of an environment: where a run gives just that, the shorter way to it will do."""

    def capture(self) -> Capture:
        """Capture of a fresh run; AtlasError where it cannot be done."""
        ordered = longest_first(self.examples, self.seconds)
        try:
            with contextlib.chdir(self.project.root):  # what is observed tells of places from there
                timeout = timeouts(None, Path("pyproject.toml"))
                found = observe(ordered, self.jobs or usual_jobs(), timeout, self.seconds, self.recorded)
        except (UsageError, ForkError) as error:
            raise AtlasError(str(error)) from None
        print(summary(found), file=sys.stderr)
        return found


def probe(
    project: Project, files: Sequence[Path], jobs: int | None = None, *, matrix: bool = False
) -> Capture:
    """Capture of a fresh run; AtlasError where the probe could not do it."""
    return start(project, files, jobs, matrix=matrix).capture()
