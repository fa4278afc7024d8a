"""What a published site has beside its pages: descriptions, cards, a sitemap, a page for what is not there, a stamp.

Only ``html_baseurl`` says where the site will be. Without it nothing is written that would need an address.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from html import unescape
from importlib.metadata import version as installed
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes

from tensor_atlas import __version__
from tensor_atlas.site import cards, metadata
from tensor_atlas.site.directives import Page
from tensor_atlas.site.execution import evidence_of
from tensor_atlas.site.freshness import WHOLE, note
from tensor_atlas.site.matrix_pages import CONVERSION, SOURCE

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

NOT_FOUND = "404"
"""Page that a server shows in the place of one that is not there."""
UNLISTED = frozenset({NOT_FOUND, "search", "genindex"})
"""Pages that no search engine should list."""
SITEMAP = "sitemap.xml"
CITED = "tensor_atlas_cited"
"""Field of a page's metadata: the address that it cites the site under."""


# --- the head of a page ---------------------------------------------------------------------------


def describe(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Node | None
) -> None:
    """Handler of ``html-page-context``: what those are told who link to the page, and its one address."""
    base = app.config.html_baseurl
    is_listed = pagename not in UNLISTED
    address = metadata.address(base, app.builder.get_target_uri(pagename)) if base and is_listed else ""
    context["pageurl"] = address or None  # the theme makes the canonical link of it
    kind = metadata.kind_of(pagename, app.config.tensor_atlas_gallery)
    title = unescape(nodes_text(context.get("title", "")))
    card = metadata.address(base, metadata.card_of(kind)) if base else ""
    about = metadata.About(title, kind, description(app, pagename, title, doctree), address, card)
    context["metatags"] = (
        context.get("metatags", "") + "\n" + metadata.tags(about) + ("" if is_listed else metadata.UNLISTED)
    )


def nodes_text(title: str) -> str:
    """Title of a page, which is HTML, without its elements."""
    return "".join(part.partition(">")[2] if place else part for place, part in enumerate(title.split("<")))


def description(app: Sphinx, page: str, title: str, doctree: Node | None) -> str:
    """The page's first sentence; of an example its summary, of a page of the matrix what it is about."""
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
    sections = doctree.findall(nodes.section)
    found = (
        child for section in sections for child in section.children if isinstance(child, nodes.paragraph)
    )
    return next((paragraph.astext() for paragraph in found), "")


# --- what stands beside the pages ------------------------------------------------------------------


def write(app: Sphinx, exception: Exception | None) -> None:
    """Handler of ``build-finished``: the sitemap, the cards and the page for what is not there."""
    if exception is not None or app.builder.name != "html":
        return
    folder, base = Path(app.outdir), app.config.html_baseurl
    if not base:
        (folder / SITEMAP).unlink(missing_ok=True)
        shutil.rmtree(folder / metadata.CARDS, ignore_errors=True)
        return
    (folder / SITEMAP).write_text(metadata.sitemap(addresses(app)), encoding="utf-8")
    cards.write(folder, Path(app.doctreedir) / "atlas-cards")
    missing = folder / f"{NOT_FOUND}.html"
    if missing.is_file():
        missing.write_text(metadata.rooted(missing.read_text(encoding="utf-8"), base), encoding="utf-8")


def addresses(app: Sphinx) -> Iterator[str]:
    """Every page that may be listed, in order."""
    folder = Path(app.outdir)
    times = f"{app.config.tensor_atlas_gallery}/sg_execution_times"
    names = {*app.env.found_docs, *_finished(folder)} - UNLISTED - {times}
    yield from (
        metadata.address(app.config.html_baseurl, app.builder.get_target_uri(name)) for name in sorted(names)
    )


def _finished(folder: Path) -> Iterator[str]:
    """Pages that are no documents."""
    found = (path for part in (CONVERSION, SOURCE) for path in (folder / part).glob("*.html"))
    yield from (path.relative_to(folder).with_suffix("").as_posix() for path in found)


# --- the stamp ---------------------------------------------------------------------------------------


def provide(app: Sphinx) -> None:
    """Handler of ``builder-inited``, after the execution: the facts of the build, where Sphinx collects static files.

    A script brings them into each footer: pages that are as they were need not be written again for a new commit.
    """
    if app.builder.format != "html":
        return
    folder = Path(app.doctreedir) / "atlas-build"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / metadata.BUILD).write_text(f"window.atlasBuild = {json.dumps(facts(app))};\n", encoding="utf-8")
    app.config.html_static_path.append(str(folder))
    app.add_js_file(metadata.BUILD, priority=400)


def facts(app: Sphinx) -> list[str]:
    """What this build was made of and when that was recorded, in words; the commit where there is one."""
    root = Path(app.srcdir) / app.config.tensor_atlas_root
    commit = _commit(root)
    libraries = f"torch {installed('torch')}, NumPy {installed('numpy')}"
    recorded = newest_date(app)
    return [
        libraries,
        *([f"records of {recorded}"] if recorded else []),
        *([f"commit {commit}"] if commit else []),
    ]


def newest_date(app: Sphinx) -> str:
    """Day of the newest record, or of this build's own run; empty where there is neither."""
    evidence = evidence_of(app)
    here = [evidence.capture.environment] if evidence.capture else []
    known: Iterable[str] = (e.date for e in (*here, *evidence.store.environments.values()))
    return max(known, default="")


def _commit(root: Path) -> str:
    """Commit that is checked out; empty outside of git."""
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return ""
    done = subprocess.run(
        [git, "rev-parse", "--short=12", "HEAD"], cwd=root, capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


class Citation(Page):
    """The entry for a bibliography."""

    def fill(self) -> Iterable[Node]:
        app, docname = self.site.app, self.site.docname
        note(app, docname, WHOLE)  # a new record may bring another year
        self.env.metadata[docname][CITED] = app.config.html_baseurl
        entry = metadata.bibtex(__version__, newest_date(app), app.config.html_baseurl)
        yield nodes.literal_block(entry, entry, language="bibtex")


def outdated(
    app: Sphinx,
    env: BuildEnvironment,
    added: AbstractSet[str],
    changed: AbstractSet[str],
    removed: AbstractSet[str],
) -> list[str]:
    """Handler of ``env-get-outdated``: pages that cite the site under another address; Sphinx only writes them anew."""
    cited = {name: fields[CITED] for name, fields in env.metadata.items() if CITED in fields}
    return [name for name, base in cited.items() if base != app.config.html_baseurl]
