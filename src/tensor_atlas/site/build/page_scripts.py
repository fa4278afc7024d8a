"""Scripts that pages load: facts of all environments, of the build; styles and scripts of some pages alone.

A page opened as a file could fetch no JSON, so a script of facts assigns a variable. A new commit changes a
script alone: no page is written anew.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from docutils import nodes
from docutils.nodes import Node
from sphinx.application import Sphinx
from sphinx.config import Config

from tensor_atlas.checkout import cache
from tensor_atlas.files import replace_if_changed
from tensor_atlas.history.patterns import Patterns
from tensor_atlas.history.releases import age_key
from tensor_atlas.model.runs import Environment
from tensor_atlas.pages.environment_facts import list_environments
from tensor_atlas.site.build.execution import evidence_of, project_of

ENVIRONMENTS, BUILD, CHOOSER_DATA = "atlas-environments.js", "atlas-build.js", "atlas-matrix.js"
SHARED = "atlas-site.js", "atlas-numbering.js"
UPGRADE_DATA, CELLS_DATA = "atlas-changes.js", "atlas-cells.js"
PATTERNS_DATA = "atlas-patterns.js"
ROWS_DATA, ERRORS_DATA = "atlas-rows.js", "atlas-row-errors.js"
SOME_PAGES = {
    "atlas-chart": ("atlas-chart.css",),
    "atlas-chooser": (ROWS_DATA, PATTERNS_DATA, CHOOSER_DATA, "atlas-chooser.js", "atlas-choose-page.js"),
    "atlas-filter": (ROWS_DATA, PATTERNS_DATA, CELLS_DATA, "atlas-filter.js"),
    "atlas-lines": ("atlas-lines.js",),
    "atlas-machine": (ROWS_DATA, "atlas-machine-page.js"),
    "atlas-map": ("atlas-maps.css", "atlas-maps.js"),
    "atlas-picture": ("atlas-pictures.css",),
    "atlas-panels": ("atlas-landing.css", "atlas-landing.js"),
    "atlas-upgrade": ("atlas-upgrade.css", ROWS_DATA, UPGRADE_DATA, "atlas-upgrade.js"),
}
"""Files that a page loads if a node of it has a class."""
STYLES: dict[str, tuple[str, ...]] = {
    "mystnb.": (),
    "sg_gallery.css": ("gallery/",),
    "sg_gallery-": (),
}
"""How names of other extensions' styles begin, and folders of the pages that use them."""
_ICON = re.compile(r'[^{}]*\{--fa:"(?:\\.|[^"\\])*"\}')
"""Rule of the theme that says which character of a font an icon is."""


_written: WeakKeyDictionary[Sphinx, set[str]] = WeakKeyDictionary()
"""Names of the scripts that a build has written."""


def offer_static_files(_app: Sphinx, config: Config) -> None:
    """Handler of ``config-inited``: the scripts and styles that lie beside the modules which need them."""
    config.html_static_path += sorted(map(str, Path(__file__).parents[1].glob("*/static")))


def folder_of_scripts(app: Sphinx) -> Path:
    """Folder of the scripts that a build writes."""
    return Path(app.doctreedir, "atlas-static")


def write_script(app: Sphinx, name: str, variable: str, value: object) -> str:
    """Put a script that assigns ``value`` to a variable of the page where Sphinx collects static files.

    Its name with a checksum: whoever has an older one in a cache must not read it beside newer ones.
    """
    folder = folder_of_scripts(app)
    _written.setdefault(app, set()).add(name)
    folder.mkdir(parents=True, exist_ok=True)
    text = f"window.{variable} = {json.dumps(value, separators=(',', ':'))};\n"
    replace_if_changed(folder / name, text)
    if str(folder) not in app.config.html_static_path:
        app.config.html_static_path.append(str(folder))
    return f"{name}?v={zlib.crc32(text.encode()):08x}"


def drop_old_scripts(app: Sphinx) -> None:
    """Remove scripts that an earlier build wrote and this one did not, before Sphinx copies them."""
    for path in folder_of_scripts(app).glob("*"):
        if path.name not in _written.get(app, ()):
            path.unlink()


def drop_old_copies(app: Sphinx, written: Iterable[str]) -> None:
    """Remove styles and scripts of ours beside the pages that no folder has any more, nor this build wrote.

    Sphinx copies static files, and leaves the copies of those that are gone.
    """
    known = {*written}
    for folder in app.config.html_static_path:
        known |= {path.name for path in Path(app.confdir, folder).glob("*")}
    for path in Path(app.outdir, "_static").glob("atlas-*"):
        if path.name not in known:
            path.unlink()


def add_files_of_page(app: Sphinx, doctree: Node | None) -> None:
    """Let a page load the files that only pages of its kind need."""
    classes: set[str] = set()
    for node in doctree.findall(nodes.Element) if doctree is not None else ():
        classes.update(node.get("classes", ()))
    for css, names in SOME_PAGES.items():
        for name in names if css in classes else ():
            if name.endswith(".css"):
                app.add_css_file(name, priority=600)
            else:
                app.add_js_file(name, priority=600, defer="defer")


def drop_icons(app: Sphinx) -> None:
    """Take the rules of all icons out of the theme's styles, a third of them: ours draws those used."""
    path = Path(app.outdir, "_static", "styles", "pydata-sphinx-theme.css")
    if path.is_file():
        replace_if_changed(path, _ICON.sub("", path.read_text(encoding="utf-8")))


def drop_unused_styles(page: str, context: dict[str, Any]) -> None:
    """Let no page load styles of extensions that nothing on it uses."""
    styles = context["css_files"]
    styles[:] = [style for style in styles if _is_used(Path(str(style.filename or "")).name, page)]


def _is_used(style: str, page: str) -> bool:
    """Whether a page may use a style: all styles but those that belong to other pages."""
    for name, folders in STYLES.items():
        if style.startswith(name):
            return any(map(page.startswith, folders))
    return True


def drop_unused_scripts(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Node | None
) -> None:
    """Handler of ``html-page-context``, after the theme's: no options of what no page of it has."""
    scripts = context["script_files"]
    scripts[:] = [script for script in scripts if script.filename or not _is_option(script)]


def _is_option(script: Any) -> bool:
    return str(script.attributes.get("body", "")).startswith("DOCUMENTATION_OPTIONS.")


def add_scripts(app: Sphinx) -> None:
    """Let every page load facts of all environments and of the build, and what the other scripts share."""
    write_script(app, ENVIRONMENTS, "atlasEnvironments", list_environments(_find_environments(app)))
    write_script(app, BUILD, "atlasBuild", list_build_facts(app))
    app.add_js_file(ENVIRONMENTS, priority=400)
    app.add_js_file(BUILD, priority=400)
    for name in SHARED:
        app.add_js_file(name, priority=500, defer="defer")  # before the scripts that use it


def begin_patterns(app: Sphinx) -> Patterns:
    """Patterns over every environment, the newest first, that the data of all pages share."""
    return Patterns(sorted(_find_environments(app), key=age_key, reverse=True))


def write_patterns(app: Sphinx, patterns: Patterns) -> None:
    """Write the patterns, once all data that name one are written."""
    write_script(app, PATTERNS_DATA, "atlasPatterns", patterns.encode())


def _find_environments(app: Sphinx) -> list[Environment]:
    """Every environment that has recorded something, and that of this build's own run."""
    evidence = evidence_of(app)
    here = [evidence.capture.environment] if evidence.capture else []
    known = {environment.id: environment for environment in (*here, *evidence.store.environments.values())}
    return list(known.values())


def list_build_facts(app: Sphinx) -> list[str]:
    """What this build was made of and when that was recorded, in words; the commit where there is one."""
    facts = [f"torch {installed('torch')}, NumPy {installed('numpy')}"]
    if recorded := find_newest_date(app):
        facts.append(f"records of {recorded}")
    if commit := cache.read_commit(project_of(app).root)[:12]:
        facts.append(f"commit {commit}")
    return facts


def find_newest_date(app: Sphinx) -> str:
    """Day of the newest record, or of this build's own run; empty where there is neither."""
    return max((environment.date for environment in _find_environments(app)), default="")
