"""The evidence of the running build: executes what has changed, and says which pages show what.

A page depends on a small file for each example that it shows. Sphinx reads it again when one is younger.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn
from weakref import WeakKeyDictionary

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from tensor_atlas.checkout import execution, project
from tensor_atlas.checkout.execution import Execution
from tensor_atlas.checkout.guide_cache import find_mark
from tensor_atlas.checkout.project import Project
from tensor_atlas.compare import report
from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.compare.evidence import (
    Evidence,
    ExampleEvidence,
    add_support,
    assess_capture,
    has_same_code,
)
from tensor_atlas.errors import AtlasError
from tensor_atlas.files import replace_if_changed
from tensor_atlas.pages import GALLERY

logger = logging.getLogger(__name__)

ALL_EXAMPLES, WHOLE_MATRIX = "all-examples", "matrix"
"""Stand for all examples, and for the matrix, in what a page depends on."""

_executions: WeakKeyDictionary[Sphinx, tuple[Execution, Sequence[Deviation]]] = WeakKeyDictionary()
_apps: WeakKeyDictionary[Config, Sphinx] = WeakKeyDictionary()
_evidence: WeakKeyDictionary[Sphinx, Evidence] = WeakKeyDictionary()


def app_of(env: BuildEnvironment) -> Sphinx:
    """The application that reads pages in this environment, which is all that a directive knows."""
    return _apps[env.config]


def project_of(app: Sphinx) -> Project:
    """The checkout that the site documents: the folder around the pages."""
    return Project(Path(app.srcdir).resolve().parent)


def read_beside_pages(app: Sphinx, name: str) -> str:
    """Text of a file beside the pages; empty where there is none."""
    path = Path(app.srcdir, name)
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def example_of_page(app: Sphinx, docname: str) -> ExampleEvidence | None:
    """The example that a page shows; None for any other page."""
    is_in_gallery = docname.startswith(f"{GALLERY}/")
    return evidence_of(app).pages.get(docname.removeprefix(f"{GALLERY}/")) if is_in_gallery else None


def evidence_of(app: Sphinx) -> Evidence:
    """Evidence of the build that ``app`` is making."""
    return _evidence[app]


def begin_execution(app: Sphinx, _: Config) -> None:
    """Handler of ``config-inited``: start what has no fresh capture.

    While it runs, Sphinx loads what it knows, and sphinx-gallery makes its pages: of a broken example this
    has told by then, with line and remedy.
    """
    _apps[app.config] = app
    here = project_of(app)
    try:
        examples = project.examples_of(here)
        deviations = project.deviations_of(here, examples)
        _executions[app] = (execution.begin(here, examples, _report_progress), deviations)
    except AtlasError as error:
        stop(error)


def finish_execution(app: Sphinx) -> None:
    """Handler of ``builder-inited``: wait for what has been started, then warn of everything that drifted."""
    try:
        evidence = _assess(*_executions.pop(app))
    except AtlasError as error:
        stop(error)
    _evidence[app] = evidence
    drifted = (verdict for verdict in evidence.verdicts if verdict.is_drift)
    for difference in report.describe_differences(drifted):
        logger.warning("%s", difference, type="tensor_atlas", subtype="drift")


def _assess(running: Execution, deviations: Sequence[Deviation]) -> Evidence:
    """Evidence of a finished execution; what did not drift need not be executed again."""
    here = running.project
    with project.share_records(here):  # the digest is of what is read
        recorded = project.records_of(here, running.examples)
        matrix_key = project.digest_matrix(here)
    capture = running.finish()
    evidence = assess_capture(running.examples, capture, recorded, deviations)
    if not any(verdict.is_drift for verdict in evidence.verdicts):
        execution.settle(running, capture)
    evidence = add_support(evidence, project.reports_of(here, running.examples))
    # In a process of Sphinx, which reads them for a page, a fault would end in a crash report.
    project.scenarios_of(here, running.examples)
    return replace(evidence, gaps=project.gaps_of(here), matrix_key=matrix_key)


def _report_progress(words: str) -> None:
    logger.info("tensor-atlas: %s", words)


def replace_prose(app: Sphinx, path: Path) -> bool:
    """Let pages show an example as it is now; False where more than its prose has changed.

    AtlasError for a script that cannot be read.
    """
    evidence = evidence_of(app)
    (example,) = project.examples_of(project_of(app), [path]).values()
    page = evidence.pages.get(example.name)
    if page is None or not has_same_code(page.example, example):
        return False
    known = {**evidence.pages, example.name: replace(page, example=example)}
    examples = {**evidence.examples, example.name: example}
    _evidence[app] = replace(evidence, examples=examples, pages=known)
    return True


# --- which pages are read again -------------------------------------------------------------------


def note_dependency(app: Sphinx, docname: str, example: str) -> None:
    """Read a page again when evidence of an example changes, of ALL_EXAMPLES or of the WHOLE_MATRIX."""
    app.env.note_dependency(_find_folder(app) / f"{example}.json", docname=docname)


def note_mark(app: Sphinx, docname: str, _: list[str]) -> None:
    """Handler of ``source-read``: a guide is read again when its mark changes."""
    mark = find_mark(Path(app.srcdir), docname)
    if mark.is_file():
        app.env.note_dependency(mark, docname=docname)


def write_evidence(app: Sphinx) -> None:
    """Handler of ``builder-inited``, after the execution: write each file whose digest has changed."""
    evidence = evidence_of(app)
    keys = {name: evidence.key(name) for name in evidence.pages}
    keys[ALL_EXAMPLES] = evidence.whole_key + app.config.html_baseurl  # the citation names the address
    keys[WHOLE_MATRIX] = evidence.matrix_key
    folder = _find_folder(app)
    wanted = {folder / f"{name}.json": json.dumps({"evidence": key}) + "\n" for name, key in keys.items()}
    for path in folder.rglob("*.json"):
        if path not in wanted:
            path.unlink()  # of an example that is gone: a page that depends on it is read again
    for path, text in wanted.items():
        replace_if_changed(path, text)


def _find_folder(app: Sphinx) -> Path:
    return Path(app.srcdir, "_build", "evidence")


# --- input that is wrong --------------------------------------------------------------------------


class BuildStoppedError(SystemExit):
    """Ends the build with exit code 2; where a worker raises it, Sphinx reports it by its words."""

    def __init__(self, error: AtlasError) -> None:
        super().__init__(2)
        self.words = str(error)

    def __str__(self) -> str:
        """Message of the error."""
        return self.words


def stop(error: AtlasError) -> NoReturn:
    """End the build for bad input: one message and exit code 2, without a report of Sphinx."""
    logger.error("%s", error)
    raise BuildStoppedError(error) from None
