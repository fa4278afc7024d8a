"""Scripts that pages load: facts of all environments, of the build; styles and scripts of some pages alone.

A page opened as a file could fetch no JSON, so a script of facts assigns a variable. A new commit changes a
script alone: no page is written anew.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from importlib.metadata import version as installed
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

from tensor_atlas.files import replace_if_changed
from tensor_atlas.history.releases import (
    USUAL_PYTHON,
    age_key,
    is_compatible,
    newest_environment,
    python_minor,
    torch_release,
)
from tensor_atlas.model.runs import Environment
from tensor_atlas.site.execution import evidence_of, project_of

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

ENVIRONMENTS, BUILD, CHOOSER_DATA = "atlas-environments.js", "atlas-build.js", "atlas-matrix.js"
UPGRADE_DATA = "atlas-changes.js"
SOME_PAGES = {
    "atlas-chapters": ("atlas-landing.css",),
    "atlas-chooser": (CHOOSER_DATA, "atlas-chooser.js"),
    "atlas-lines": ("atlas-lines.js",),
    "atlas-machine": ("atlas-machine-page.js",),
    "atlas-map": ("atlas-maps.css", "atlas-maps.js"),
    "atlas-panels": ("atlas-landing.css", "atlas-landing.js"),
    "atlas-upgrade": ("atlas-upgrade.css", UPGRADE_DATA, "atlas-upgrade.js"),
}
"""Files that a page loads if a node of it has a class."""


def write_script(app: Sphinx, name: str, variable: str, value: object) -> None:
    """Put a script that assigns ``value`` to a variable of the page where Sphinx collects static files."""
    folder = Path(app.doctreedir, "atlas-static")
    folder.mkdir(parents=True, exist_ok=True)
    words = json.dumps(value, separators=(",", ":"))
    replace_if_changed(folder / name, f"window.{variable} = {words};\n")
    if str(folder) not in app.config.html_static_path:
        app.config.html_static_path.append(str(folder))


def add_files_of_page(
    app: Sphinx, _page: str, _template: str, _context: dict[str, object], doctree: Node | None
) -> None:
    """Handler of ``html-page-context``: files that only pages of this kind load."""
    classes: set[str] = set()
    for node in doctree.findall(nodes.Element) if doctree is not None else ():
        classes.update(node.get("classes", ()))
    for css, names in SOME_PAGES.items():
        for name in names if css in classes else ():
            if name.endswith(".css"):
                app.add_css_file(name, priority=600)
            else:
                app.add_js_file(name, priority=600, defer="defer")


def add_scripts(app: Sphinx) -> None:
    """Handler of ``builder-inited``, after the execution: both scripts, in every page."""
    if app.builder.format == "html":
        write_script(app, ENVIRONMENTS, "atlasEnvironments", list_environments(_find_environments(app)))
        write_script(app, BUILD, "atlasBuild", list_build_facts(app))
        app.add_js_file(ENVIRONMENTS, priority=400)
        app.add_js_file(BUILD, priority=400)


def _find_environments(app: Sphinx) -> list[Environment]:
    """Every environment that has recorded something, and that of this build's own run."""
    evidence = evidence_of(app)
    here = [evidence.capture.environment] if evidence.capture else []
    known = {environment.id: environment for environment in (*here, *evidence.store.environments.values())}
    return list(known.values())


def list_environments(environments: Iterable[Environment]) -> list[dict[str, str | bool]]:
    """Facts of every environment, the newest first."""
    ordered = sorted(environments, key=age_key, reverse=True)
    last = newest_environment(ordered)
    return [{**_list_facts(environment), "newest": environment is last} for environment in ordered]


def _list_facts(environment: Environment) -> dict[str, str | bool]:
    """What the picker needs to know of an environment."""
    return {
        "id": environment.id,
        "torch": str(torch_release(environment)),
        "numpy": environment.numpy,
        "python": python_minor(environment),
        "usual": python_minor(environment) == USUAL_PYTHON,
        "device": _name_device(environment),
        "fits": is_compatible(environment),
        "date": environment.date,
    }


def _name_device(environment: Environment) -> str:
    """Device as a reader chooses it; a CUDA build without a GPU differs from a CPU build."""
    if environment.kind != "cpu":
        return environment.device
    return "CPU, CUDA build" if environment.cuda else "CPU"


def list_build_facts(app: Sphinx) -> list[str]:
    """What this build was made of and when that was recorded, in words; the commit where there is one."""
    facts = [f"torch {installed('torch')}, NumPy {installed('numpy')}"]
    if recorded := find_newest_date(app):
        facts.append(f"records of {recorded}")
    if commit := read_commit(project_of(app).root):
        facts.append(f"commit {commit}")
    return facts


def find_newest_date(app: Sphinx) -> str:
    """Day of the newest record, or of this build's own run; empty where there is neither."""
    return max((environment.date for environment in _find_environments(app)), default="")


def read_commit(root: Path) -> str:
    """Commit that is checked out; empty outside of git."""
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return ""
    command = [git, "rev-parse", "--short=12", "HEAD"]
    done = subprocess.run(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )  # what git says of a broken .git may be no text
    return done.stdout.decode("ascii", "replace").strip()
