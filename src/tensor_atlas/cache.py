"""Executes what has not run as it is now, and keeps the capture: the gate and the site share it."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tensor_atlas import probe, project, waiting
from tensor_atlas.checkout import TEXTS
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example
from tensor_atlas.examples.requirements import find_missing
from tensor_atlas.files import lock_folder, replace_file, report_unwritable
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Environment, Run, Status
from tensor_atlas.probe.__main__ import Recorded, UsageError, write
from tensor_atlas.project import Here, Project
from tensor_atlas.records import store
from tensor_atlas.texts import told
from tensor_atlas.unchanged import DRIVER, SEEN, installed, system
from tensor_atlas.waiting import Probe

CAPTURE = "capture.json"
FINGERPRINT = "fingerprint.txt"


@dataclass(frozen=True)
class Execution:
    """What is executed for a capture of the examples as they are now, in this environment."""

    here: Project
    """The checkout."""
    examples: Mapping[str, Example]
    """By name."""
    jobs: int | None
    """At a time; None: as many as the probe finds best."""
    tell: Callable[[str], None]
    """Hears what is executed."""
    kept: Capture | None
    """What is known already."""
    probe: Probe | Here | None
    """What runs, or will when it is asked for its capture; None where nothing need be."""
    against: Recorded | None
    """What this process, which runs them, holds them against; None where another does."""

    def unchanged(self) -> list[tuple[Example, Run]]:
        """Examples whose code is that of a run that was kept, and the run."""
        runs = () if self.kept is None else self.kept.runs
        found = [(self.examples[run.example], run) for run in runs if run.example in self.examples]
        return [(example, run) for example, run in found if example.digest == run.digest]

    def capture(self) -> Capture:
        """What is known when all is done; AtlasError where the probe could not do it."""
        kept = self.kept
        if self.probe is None:
            assert kept is not None  # else there would be something to execute
            return _of(kept, self.examples)
        captured = self.probe.capture()
        if kept is not None and captured.environment.id != kept.environment.id:
            # The machine is another than it seemed: nothing that was kept is of this environment.
            every = list(self.examples.values())
            begun = _started(self.here, every, len(every), self.jobs, self.tell, {}, self.against)
            kept, captured = None, begun.capture()
        merged = captured if kept is None else _merged(kept, captured)
        try:
            with lock_folder(self.here.captures):
                _keep(self.here.captures, merged, self.examples)
        except (AtlasError, UsageError) as error:  # what was observed is known all the same
            self.tell(f"what has run will run again, it cannot be kept: {error}")
        return _of(merged, self.examples)


def begin(
    here: Project,
    examples: Mapping[str, Example],
    jobs: int | None,
    tell: Callable[[str], None],
    *,
    again: bool = False,
    against: Recorded | None = None,
) -> Execution:
    """Start what has to be executed for a capture of ``examples``; ``tell`` hears of it.

    Only those without one are executed; ``again``, all. A probe of its own does it, at once; or this process, when it
    is asked for the capture, which it holds ``against`` what is recorded.
    """
    known = _known(here.captures)
    kept = known if _is_of_now(here.captures) else None
    runs = {} if kept is None or again else {run.example: run for run in kept.runs}
    due = [e for name, e in examples.items() if kept is None or _is_due(e, runs.get(name), kept.environment)]
    if kept is not None and not due:
        tell(nothing_due(len(examples)))
        waiting.end()
        return Execution(here, examples, jobs, tell, kept, None, against)
    seconds = {} if known is None else known.seconds
    begun = _started(here, due, len(examples), jobs, tell, seconds, against)
    return Execution(here, examples, jobs, tell, kept, begun, against)


def nothing_due(count: int) -> str:
    """What is told where none of ``count`` examples is executed."""
    return f"nothing to execute, {count} example{'s' * (count != 1)} unchanged"


def _started(
    here: Project,
    examples: Sequence[Example],
    total: int,
    jobs: int | None,
    tell: Callable[[str], None],
    seconds: Mapping[str, float],
    against: Recorded | None,
) -> Probe | Here:
    tell(f"executing {len(examples)} of {total} example{'s' * (total != 1)}")
    if against is not None:
        return Here(here, examples, jobs, seconds, against)
    files = {here.root / example.path: seconds.get(example.name) for example in examples}
    took = {file: value for file, value in files.items() if value is not None}
    return project.start(here, [*files], jobs, seconds=took)


def _is_due(example: Example, run: Run | None, environment: Environment) -> bool:
    """Whether the run that was kept does not tell what the example does now.

    A run that was cut short may end otherwise the next time, and what an example needs may have come or gone.
    """
    if run is None or run.digest != example.digest or not is_settled(run):
        return True
    return bool(find_missing(example.tags, environment)) != (run.status is Status.NOT_RUN)


def is_settled(run: Run) -> bool:
    """Whether a run would end the same way again: one that was cut short may not."""
    return run.status in (Status.COMPLETED, Status.NOT_RUN)


def _merged(kept: Capture, captured: Capture) -> Capture:
    runs = {run.example: run for run in (*kept.runs, *captured.runs)}
    ordered = tuple(runs[name] for name in sorted(runs))
    new = {run.example for run in captured.runs}
    dates = {
        run.example: kept.environment_of(run.example).date for run in kept.runs if run.example not in new
    }
    return Capture(captured.environment, ordered, {**kept.seconds, **captured.seconds}, dates)


def _of(capture: Capture, examples: Mapping[str, Example]) -> Capture:
    """Capture of these examples alone."""
    return replace(capture, runs=tuple(run for run in capture.runs if run.example in examples))


def _known(folder: Path) -> Capture | None:
    """Capture that was kept; None where there is none that can be read."""
    try:
        return store.read_capture(folder / CAPTURE) if (folder / CAPTURE).is_file() else None
    except AtlasError:
        return None  # whoever kept it was interrupted; execute again


def _is_of_now(folder: Path) -> bool:
    """Whether what was kept was made by this probe in this environment."""
    mark = folder / FINGERPRINT
    return mark.is_file() and mark.read_bytes() == fingerprint().encode()


def _keep(folder: Path, capture: Capture, examples: Mapping[str, Example]) -> None:
    with report_unwritable(folder):
        (folder / FINGERPRINT).unlink(missing_ok=True)  # an interrupted write must not look fresh
    write(capture, folder / CAPTURE)
    before = (folder / TEXTS).read_text("utf-8", "replace") if (folder / TEXTS).is_file() else ""
    replace_file(folder / TEXTS, told(examples, before))
    replace_file(folder / FINGERPRINT, fingerprint())


def fingerprint() -> str:
    """What a capture depends on beside the examples, found out without importing torch."""
    packages = [name for name in installed() if name.startswith(("torch-", "numpy-"))]
    sources = sorted(Path(probe.__file__).parent.glob("*.py"))
    code = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
    devices = {name: os.environ.get(name) for name in SEEN}
    driver = DRIVER.is_file()
    facts = [packages, platform.python_version(), system(), code, devices, driver]
    return json.dumps(facts, sort_keys=True)
