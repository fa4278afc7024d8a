"""The filter by tag on a chapter's page: a script of ours in the place of sphinx-gallery's, which keys do not reach."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

SCRIPT = "atlas-tags.js"
THEIRS = "sg-tags.js"


def load(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Node | None
) -> None:
    """Handler of ``html-page-context``: a chapter's page loads our script, no page loads theirs."""
    scripts = context["script_files"]
    scripts[:] = [script for script in scripts if PurePosixPath(str(script.filename or "")).name != THEIRS]
    page = PurePosixPath(pagename)
    if page.name == "index" and page.parent.parent == PurePosixPath(app.config.tensor_atlas_gallery):
        app.add_js_file(SCRIPT, priority=600, defer="defer")
