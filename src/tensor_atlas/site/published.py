"""What a published site has beside its pages: descriptions, cards, a sitemap, a page for what is not there, its origin.

Only ``html_baseurl`` says where the site will be. Without it nothing is written that would need an address.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from importlib.metadata import version as installed
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from markupsafe import Markup

from tensor_atlas import __version__
from tensor_atlas.site import cards, metadata
from tensor_atlas.site.directives import EvidenceDirective
from tensor_atlas.site.execution import evidence_of
from tensor_atlas.site.freshness import WHOLE, note
from tensor_atlas.site.matrix_pages import CONVERSION, SOURCE, matrix_of

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

NOT_FOUND = "404"
"""Page that a server shows in the place of one that is not there."""
UNLISTED = frozenset({NOT_FOUND, "search", "genindex"})
"""Pages that no search engine should list."""
SITEMAP = "sitemap.xml"


# --- the head of a page ---------------------------------------------------------------------------


def describe_page(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Node | None
) -> None:
    """Handler of ``html-page-context``: what those are told who link to the page, and its one address."""
    base = app.config.html_baseurl
    is_listed = pagename not in UNLISTED
    title = Markup(context.get("title", "")).striptags()  # noqa: S704 - Sphinx hands titles on as HTML
    kind = metadata.page_kind(pagename, app.config.tensor_atlas_gallery)
    page = metadata.PageDescription(
        title,
        kind,
        find_description(app, pagename, title, doctree),
        metadata.page_address(base, app.builder.get_target_uri(pagename)) if base and is_listed else "",
        metadata.page_address(base, metadata.card_path(kind)) if base else "",
        is_listed,
    )
    context["pageurl"] = page.address or None  # the theme makes the canonical link of it
    context["metatags"] = f"{context.get('metatags', '')}\n{metadata.render_head(page)}\n"


def find_description(app: Sphinx, page: str, title: str, doctree: Node | None) -> str:
    """The page's first sentence; of an example its summary, of a page of the matrix its subject."""
    shown = evidence_of(app).shown.get(page.removeprefix(f"{app.config.tensor_atlas_gallery}/"))
    if shown is not None:
        return metadata.first_sentence(shown.example.summary)
    if page.startswith(f"{CONVERSION}/"):
        return f"What {title} does with every kind of input, on every recorded release: shares, copies or raises."
    if page.startswith(f"{SOURCE}/"):
        return f"{title}: what every conversion does with it, on every recorded release."
    return metadata.first_sentence(_lead(doctree)) if doctree is not None else ""


def _lead(doctree: Node) -> str:
    """First paragraph that stands directly under a title."""
    for section in doctree.findall(nodes.section):
        for child in section.children:
            if isinstance(child, nodes.paragraph):
                return child.astext()
    return ""


# --- what stands beside the pages ------------------------------------------------------------------


def write_files(app: Sphinx, exception: Exception | None) -> None:
    """Handler of ``build-finished``: the sitemap, the cards and the page for what is not there."""
    if exception is not None or app.builder.name != "html":
        return
    folder, base = Path(app.outdir), app.config.html_baseurl
    if not base:
        (folder / SITEMAP).unlink(missing_ok=True)
        shutil.rmtree(folder / metadata.CARDS, ignore_errors=True)
        return
    (folder / SITEMAP).write_text(metadata.render_sitemap(list_addresses(app)), encoding="utf-8")
    cards.draw_cards(folder)
    missing = folder / f"{NOT_FOUND}.html"
    if missing.is_file():
        missing.write_text(metadata.root_links(missing.read_text(encoding="utf-8"), base), encoding="utf-8")


def list_addresses(app: Sphinx) -> list[str]:
    """Full address of every page that may be listed, in order."""
    matrix, base = matrix_of(app), app.config.html_baseurl
    names = {f"{CONVERSION}/{name}" for name in matrix.rows} | {f"{SOURCE}/{name}" for name in matrix.columns}
    names |= app.env.found_docs - UNLISTED - {f"{app.config.tensor_atlas_gallery}/sg_execution_times"}
    return [metadata.page_address(base, app.builder.get_target_uri(name)) for name in sorted(names)]


# --- facts of the build, citing -------------------------------------------------------------------


def write_build_facts(app: Sphinx) -> None:
    """Handler of ``builder-inited``, after the execution: the facts of the build, where Sphinx collects static files.

    A script brings them into each footer: pages that are as they were need not be written again for a new
    commit.
    """
    if app.builder.format != "html":
        return
    folder = Path(app.doctreedir) / "atlas-build"
    folder.mkdir(parents=True, exist_ok=True)
    script = f"window.atlasBuild = {json.dumps(build_facts(app))};\n"
    (folder / metadata.BUILD).write_text(script, encoding="utf-8")
    app.config.html_static_path.append(str(folder))
    app.add_js_file(metadata.BUILD, priority=400)


def build_facts(app: Sphinx) -> list[str]:
    """What this build was made of and when that was recorded, in words; the commit where there is one."""
    facts = [f"torch {installed('torch')}, NumPy {installed('numpy')}"]
    if recorded := newest_date(app):
        facts.append(f"records of {recorded}")
    if commit := _commit(Path(app.srcdir) / app.config.tensor_atlas_root):
        facts.append(f"commit {commit}")
    return facts


def newest_date(app: Sphinx) -> str:
    """Day of the newest record, or of this build's own run; empty where there is neither."""
    evidence = evidence_of(app)
    here = [evidence.capture.environment] if evidence.capture else []
    return max((e.date for e in (*here, *evidence.store.environments.values())), default="")


def _commit(root: Path) -> str:
    """Commit that is checked out; empty outside of git."""
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return ""
    done = subprocess.run(
        [git, "rev-parse", "--short=12", "HEAD"], cwd=root, capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


class Citation(EvidenceDirective):
    """The entry for a bibliography."""

    def fill(self) -> Iterable[Node]:
        app, docname = self.site.app, self.site.docname
        note(app, docname, WHOLE)  # a new record may bring another year, a build another address
        entry = metadata.render_bibtex(__version__, newest_date(app), app.config.html_baseurl)
        yield nodes.literal_block(entry, entry, language="bibtex")
