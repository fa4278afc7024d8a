"""Executes what changed since the last build, and keeps the evidence of the running build."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn
from weakref import WeakKeyDictionary

from sphinx.util import logging

from tensor_atlas import probe, project, report, store
from tensor_atlas.errors import AtlasError
from tensor_atlas.evidence import Evidence, assess
from tensor_atlas.probe.__main__ import write as probe_write
from tensor_atlas.probe.needs import missing
from tensor_atlas.probe.record import Capture, Environment, Run, Status
from tensor_atlas.probe.script import Example
from tensor_atlas.project import Project

if TYPE_CHECKING:
    from sphinx.application import Sphinx

logger = logging.getLogger(__name__)

_evidence: WeakKeyDictionary[Sphinx, Evidence] = WeakKeyDictionary()

CAPTURE = "tensor-atlas-capture.json"
FINGERPRINT = "tensor-atlas-fingerprint.txt"


def evidence_of(app: Sphinx) -> Evidence:
    """Evidence of the build that ``app`` is making."""
    return _evidence[app]


def execute(app: Sphinx) -> None:
    """Handler of ``builder-inited``: run what has no fresh capture, then warn of everything that drifted."""
    here = Project((Path(app.srcdir) / app.config.tensor_atlas_root).resolve())
    try:
        evidence = _gather(app, here)
    except AtlasError as error:
        stop(error)
    _evidence[app] = evidence
    for verdict in evidence.verdicts:
        if verdict.is_drift:
            logger.warning("%s", report.difference(verdict), type="tensor_atlas", subtype="drift")


def stop(error: AtlasError) -> NoReturn:
    """End the build for bad input: one message and exit code 2, without the report Sphinx prints of its own errors."""
    logger.error("%s", error)
    raise SystemExit(2) from None


def _gather(app: Sphinx, here: Project) -> Evidence:
    examples = project.examples_of(here)
    deviations = project.deviations_of(here, examples)
    capture = _capture(app, here, examples)
    path = here.deviations.relative_to(here.root).as_posix()
    evidence = assess(examples, capture, store.load(here.records), deviations, path)
    return replace(evidence, gaps=project.gaps_of(here))


def _capture(app: Sphinx, here: Project, examples: Mapping[str, Example]) -> Capture:
    """Capture of all examples; only those without one for their present code and this environment are executed."""
    folder = Path(app.doctreedir)
    kept = _kept(folder)
    runs = {} if kept is None else {run.example: run for run in kept.runs}
    due = [e for name, e in examples.items() if kept is None or _is_due(e, runs.get(name), kept.environment)]
    if kept is not None and not due:
        logger.info("tensor-atlas: nothing to execute, %d examples unchanged", len(examples))
        return _of(kept, examples)
    captured = _executed(app, here, due, len(examples))
    if kept is not None and captured.environment.id != kept.environment.id:
        # The machine is another than it seemed: nothing that was kept is of this environment.
        kept, captured = None, _executed(app, here, list(examples.values()), len(examples))
    merged = captured if kept is None else _merged(kept, captured)
    _keep(folder, merged)
    return _of(merged, examples)


def _executed(app: Sphinx, here: Project, examples: Sequence[Example], total: int) -> Capture:
    logger.info("tensor-atlas: executing %d of %d examples", len(examples), total)
    paths = [here.root / example.path for example in examples]
    return project.probe(here, paths, app.config.tensor_atlas_jobs or None)


def _is_due(example: Example, run: Run | None, environment: Environment) -> bool:
    """Whether the run that was kept does not tell what the example does now.

    A run that was cut short may end otherwise the next time, and what an example needs may have come or gone.
    """
    if run is None or run.digest != example.digest or run.status not in (Status.COMPLETED, Status.NOT_RUN):
        return True
    return bool(missing(example.tags, environment)) != (run.status is Status.NOT_RUN)


def _merged(kept: Capture, captured: Capture) -> Capture:
    runs = {run.example: run for run in (*kept.runs, *captured.runs)}
    ordered = tuple(runs[name] for name in sorted(runs))
    new = {run.example for run in captured.runs}
    dates = {run.example: kept.environment_of(run.example).date for run in kept.runs if run.example not in new}
    return Capture(captured.environment, ordered, {**kept.seconds, **captured.seconds}, dates)


def _of(capture: Capture, examples: Mapping[str, Example]) -> Capture:
    """Capture without the runs of examples that are gone."""
    return replace(capture, runs=tuple(run for run in capture.runs if run.example in examples))


def _kept(folder: Path) -> Capture | None:
    """Capture of the last build, when it was made by this probe in this environment; None otherwise."""
    mark = folder / FINGERPRINT
    if not mark.is_file() or mark.read_text(encoding="utf-8") != fingerprint():
        return None
    try:
        return store.read_capture(folder / CAPTURE)
    except AtlasError:
        return None  # a build that was interrupted; execute again


def _keep(folder: Path, capture: Capture) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FINGERPRINT).unlink(missing_ok=True)  # an interrupted write must not look fresh
    probe_write(capture, folder / CAPTURE)
    (folder / FINGERPRINT).write_text(fingerprint(), encoding="utf-8")


def fingerprint() -> str:
    """What a capture depends on beside the examples, found out without importing torch."""
    packages = {name: _version(name) for name in ("torch", "numpy")}
    sources = sorted(Path(probe.__file__).parent.glob("*.py"))
    code = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
    devices = {name: os.environ.get(name) for name in ("CUDA_VISIBLE_DEVICES", "PYTORCH_NVML_BASED_CUDA_CHECK")}
    driver = Path("/proc/driver/nvidia/version").is_file()
    facts = [packages, platform.python_version(), platform.platform(), code, devices, driver]
    return json.dumps(facts, sort_keys=True)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
