"""Gives every page the list of environments, from which its picker is made."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from tensor_atlas.history.releases import (
    USUAL_PYTHON,
    age_key,
    is_compatible,
    newest_environment,
    python_minor,
    torch_release,
)
from tensor_atlas.model.runs import Environment
from tensor_atlas.site.execution import evidence_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FILE = "atlas-environments.js"


def provide(app: Sphinx) -> None:
    """Handler of ``builder-inited``, after the execution: write the list where Sphinx collects static files."""
    if app.builder.format != "html":
        return
    evidence = evidence_of(app)
    here = [evidence.capture.environment] if evidence.capture else []
    known = {environment.id: environment for environment in (*here, *evidence.store.environments.values())}
    folder = Path(app.doctreedir) / "atlas-static"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(script(known.values()), encoding="utf-8")
    app.config.html_static_path.append(str(folder))
    app.add_js_file(FILE, priority=400)


def script(environments: Iterable[Environment]) -> str:
    """JavaScript that names every environment, the newest first; a page opened as a file could fetch no JSON."""
    found = sorted(environments, key=age_key, reverse=True)
    last = newest_environment(found)
    listed = [{**_facts(environment), "newest": environment is last} for environment in found]
    return f"window.atlasEnvironments = {json.dumps(listed, ensure_ascii=True)};\n"


def _facts(environment: Environment) -> dict[str, str | bool]:
    return {
        "id": environment.id,
        "torch": str(torch_release(environment)),
        "numpy": environment.numpy,
        "python": python_minor(environment),
        "usual": python_minor(environment) == USUAL_PYTHON,
        "device": _device(environment),
        "fits": is_compatible(environment),
        "date": environment.date,
    }


def _device(environment: Environment) -> str:
    """Device as a reader chooses it; a CUDA build without a GPU says some things otherwise than a CPU build."""
    if environment.kind != "cpu":
        return environment.device
    return "CPU, CUDA build" if environment.cuda else "CPU"
