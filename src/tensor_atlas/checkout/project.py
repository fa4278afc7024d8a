"""Where a checkout keeps its examples, records and deviations, and how the probe is called on them."""

from __future__ import annotations

import atexit
import datetime as dt
import os
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from tensor_atlas.checkout import cache
from tensor_atlas.compare.deviations import (
    DEVIATIONS,
    GAPS,
    Coverage,
    Deviation,
    Gap,
    check_targets,
    parse_deviations,
    parse_gaps,
)
from tensor_atlas.compare.rungs import Report, parse_reports
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.files import find_unknown_name, read_examples
from tensor_atlas.examples.parse import Example
from tensor_atlas.examples.scenarios import SCENARIOS, Scenario, parse_scenarios
from tensor_atlas.files import lock_folder, replace_file, share_folder
from tensor_atlas.model.capture import Capture
from tensor_atlas.probe.capture import read_settings
from tensor_atlas.records.checks import Fault, find_capture_fault, find_faults
from tensor_atlas.records.older import mark_dropped_newlines
from tensor_atlas.records.store import Store, digest_rows, find_unsealed, read_capture, read_records

REPORTED = "docs/reported.toml"
BUSY = "tensor-atlas: another command is using docs/records: waiting for its end"
EDITED = "was edited or merged since tensor-atlas record wrote it"


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


def find(start: Path) -> Project:
    """Project that ``start`` lies in; AtlasError where no folder above it holds examples."""
    root = cache.find_checkout(start.resolve())
    if root is None:
        remedy = "change to the folder that holds examples/ and pyproject.toml"
        raise AtlasError(str(start), "not inside a checkout of the atlas", remedy)
    return Project(root)


def examples_of(project: Project, files: Sequence[Path] = ()) -> dict[str, Example]:
    """Examples by name: those in ``files``, or all; AtlasError names every one that cannot be read."""
    found = read_examples(files or [project.examples], project.root)
    return {example.name: example for example in found}


def select_examples(examples: Mapping[str, Example], names: Sequence[str]) -> dict[str, Example]:
    """Those examples that are named; AtlasError for a name of none, with the nearest that there is."""
    unknown = find_unknown_name(names, examples)
    if unknown is not None:
        raise AtlasError(unknown[0], "no such example", unknown[1])
    return {name: examples[name] for name in names}


def replace_source(project: Project, example: Example, text: str) -> None:
    """Replace the text of an example's script; its line ends stay.

    AtlasError where the script is no longer what was read: what an editor saved meanwhile is not overwritten.
    """
    path = project.root / example.path
    try:
        with path.open(encoding="utf-8") as file:
            present, ends = file.read(), file.newlines
    except (FileNotFoundError, UnicodeDecodeError):
        present, ends = "", None
    if present != example.source:
        remedy = f"its claims were not written: tensor-atlas claims --write {example.path}"
        raise AtlasError(example.path, "changed while it ran", remedy)
    replace_file(path.resolve(), text.replace("\n", ends) if isinstance(ends, str) else text)


def deviations_of(project: Project, examples: dict[str, Example]) -> tuple[Deviation, ...]:
    """Deviations of the checkout, each about a statement that exists."""
    found = parse_deviations(_read(project, DEVIATIONS), DEVIATIONS)
    check_targets(found, examples)
    return found


def gaps_of(project: Project) -> tuple[Gap, ...]:
    """Gaps of the checkout that have a reason."""
    return parse_gaps(_read(project, GAPS), GAPS)


def coverage_of(project: Project) -> Coverage:
    """What the checkout must have recorded, and what has a reason to wait."""
    return Coverage(read_settings(project.root / "pyproject.toml").gate, gaps_of(project))


def reports_of(project: Project, examples: Mapping[str, Example]) -> tuple[Report, ...]:
    """Public threads that the checkout names, each about examples that exist."""
    return parse_reports(_read(project, REPORTED), REPORTED, examples)


def scenarios_of(project: Project, examples: Mapping[str, Example]) -> tuple[Scenario, ...]:
    """Questions of the checkout, each with examples that exist."""
    return parse_scenarios(_read(project, SCENARIOS), SCENARIOS, examples)


def share_records(project: Project) -> AbstractContextManager[None]:
    """The records while nobody writes them: a generation that is being written is never read by half."""
    return share_folder(project.records, BUSY)


def lock_records(project: Project) -> AbstractContextManager[None]:
    """The records while nobody else reads or writes them."""
    return lock_folder(project.records, BUSY)


def records_of(
    project: Project,
    examples: Mapping[str, Example],
    *,
    matrix: bool = True,
    only: Collection[str] | None = None,
) -> Store:
    """Records of the checkout; AtlasError names their first fault.

    What an older probe may have dropped is marked as not observed.
    """
    with share_records(project):
        committed = read_records(project.records, matrix=matrix, only=only)
        edits = find_edits(project, only)
    refuse_faults(project, edits)
    refuse_faults(project, list(find_faults(committed, examples, today())))
    return mark_dropped_newlines(committed, examples)


def digest_matrix(project: Project) -> str:
    """Digest of all that is recorded of the matrix; empty where nothing is."""
    return digest_rows(project.records)


def find_edits(project: Project, only: Collection[str] | None = None) -> list[Fault]:
    """Files of records that something else than ``tensor-atlas record`` has written.

    All of them, or the records of ``only`` some examples.
    """
    faults = []
    for path in find_unsealed(project.records, only):
        remedy = f"git diff -- {path} shows how; where that is right: tensor-atlas record --seal"
        remedy += f"; where it is not: git checkout -- {path}"
        faults.append(Fault(str(path.relative_to(project.records)), EDITED, remedy))
    return faults


def refuse_faults(project: Project, faults: Sequence[Fault]) -> None:
    """AtlasError that names the first of these faults, if there is one."""
    if faults:
        first = faults[0]
        more = f" (and {len(faults) - 1} more: tensor-atlas record --check)" if len(faults) > 1 else ""
        raise AtlasError(str(project.records / first.file), first.problem + more, first.remedy)


def capture_of(path: Path, examples: Mapping[str, Example]) -> Capture:
    """The capture in a given file; AtlasError where it cannot have been made of these examples."""
    capture = read_capture(path)
    problem = find_capture_fault(capture, examples, today())
    if problem:
        raise AtlasError(str(path), problem, "set the clock there if it is ahead, and capture again")
    return capture


def write_output(path: Path, text: str) -> None:
    """Write where a person wants something written, which may be a pipe; AtlasError where it cannot be."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        remedy = "name a file in a folder you may write to"
        raise AtlasError(str(path), f"cannot be written: {error.strerror or error}", remedy) from None


def try_output(path: Path) -> None:
    """AtlasError where nothing can be written to a file; it stays as it is, and none is left behind."""
    is_new = not path.exists()
    try:
        path.open("a", encoding="utf-8").close()
    except OSError as error:
        remedy = "name a file in a folder you may write to"
        raise AtlasError(str(path), f"cannot be written: {error.strerror or error}", remedy) from None
    if is_new:
        path.unlink()


def today() -> dt.date:
    """The day in UTC, as captures are dated."""
    return dt.datetime.now(dt.UTC).date()


def _read(project: Project, name: str) -> str:
    """Text of a file of the checkout; empty where there is no file."""
    path = project.root / name
    if not os.path.lexists(path):
        return ""
    if not path.is_file():
        raise AtlasError(name, "not a regular file", "restore it from version control, or remove it")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise AtlasError(name, f"not UTF-8: {error.reason}", "save the file as UTF-8 text") from None


@dataclass(frozen=True)
class RunningProbe:
    """A probe in a process of its own, which ends with this one."""

    process: subprocess.Popen[bytes]
    folder: tempfile.TemporaryDirectory[str]
    """Where it writes its capture."""

    def finish(self) -> Capture:
        """Wait for its capture; AtlasError where it could not make one."""
        try:
            code = self.process.wait()
            if code != 0:
                raise AtlasError("probe", f"ended with exit code {code}", "see its message above")
            return read_capture(Path(self.folder.name) / "capture.json")
        finally:
            self.stop()

    def stop(self) -> None:
        """End it, if it has not ended, and leave nothing of it behind."""
        atexit.unregister(self.stop)
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def start_probe(
    here: Project, paths: Sequence[Path], jobs: int | None = None, *, matrix: bool = False
) -> RunningProbe:
    """Start a probe that runs the examples at ``paths``; with ``matrix`` also all cells and names."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="tensor-atlas-")
    except OSError as error:
        where, problem = error.filename or tempfile.tempdir, f"no folder could be made: {error.strerror}"
        raise AtlasError(str(where), problem, "let TMPDIR name another") from None
    command = [sys.executable, "-m", "tensor_atlas.probe", "--end-with-parent"]
    command += [str(path.resolve()) for path in paths]
    command += ["-o", str(Path(folder.name) / "capture.json")]
    command += [] if jobs is None else ["--jobs", str(jobs)]
    command += ["--matrix", "--names"] if matrix else []
    probe = RunningProbe(subprocess.Popen(command, cwd=here.root), folder)
    atexit.register(probe.stop)
    return probe


def run_probe(
    here: Project, paths: Sequence[Path], jobs: int | None = None, *, matrix: bool = False
) -> Capture:
    """Capture of a fresh run; AtlasError where the probe could not make one."""
    return start_probe(here, paths, jobs, matrix=matrix).finish()
