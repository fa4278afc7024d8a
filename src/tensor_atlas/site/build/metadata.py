"""What a page tells those who link to it, list it or cite it: description, addresses, sitemap, BibTeX.

Only ``html_baseurl`` says where the site will be. Without it nothing is written that would need an address.
sphinxext-opengraph 0.13 writes nothing on pages that are no documents, which the matrix has hundreds of.
sphinx-sitemap 2.9 lists only the pages that a build has written, which after a change are a few.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.nodes import Node
from markupsafe import Markup
from sphinx.application import Sphinx

from tensor_atlas import __version__
from tensor_atlas.pages.matrix_places import CONVERSION, SOURCE, list_pages
from tensor_atlas.pages.page_head import (
    SITE,
    describe_policy,
    expand_title,
    first_sentence,
    page_address,
    read_release,
    render_bibtex,
    root_links,
)
from tensor_atlas.pages.release_view import list_pages as list_pages_of_releases
from tensor_atlas.site.build.directives import EvidenceDirective
from tensor_atlas.site.build.execution import ALL_EXAMPLES, evidence_of
from tensor_atlas.site.build.nodes import load_templates
from tensor_atlas.site.build.page_scripts import find_newest_date
from tensor_atlas.site.matrix.matrix_pages import matrix_of

ABOUT = "PyTorch tensors and NumPy arrays: what copies, what shares, what raises"
"""What the picture beside a shared link says."""
CARD = "_static/card.png"
"""That picture."""
SITEMAP, ROBOTS, FEED = "sitemap.xml", "robots.txt", "releases.xml"
NOT_FOUND = "404"
"""Page that a server shows in the place of one that is not there."""
UNLISTED = frozenset({NOT_FOUND, "search", "genindex"})
"""Pages that no search engine should list."""
TEMPLATES = load_templates(SITE=SITE, ABOUT=ABOUT, CARD=CARD, FEED=FEED)


# --- the head of a page ---------------------------------------------------------------------------


def describe_page(app: Sphinx, pagename: str, context: dict[str, Any], doctree: Node | None) -> None:
    """Add to a page's head what those are told who link to it, and its one address."""
    base = app.config.html_baseurl
    title = Markup(context.get("title", "")).striptags()  # noqa: S704 - Sphinx hands titles on as HTML
    context["atlas_title"] = title = expand_title(pagename, title)
    description = find_description(pagename, title, doctree)
    is_listed = pagename not in UNLISTED
    address = page_address(base, app.builder.get_target_uri(pagename)) if base and is_listed else ""
    context["pageurl"] = address or None  # the theme makes the canonical link of it
    head = TEMPLATES.get_template("head.html").render(
        title=title,
        description=description,
        address=address,
        base=base,
        is_home=pagename == app.config.root_doc,
        is_listed=is_listed,
        has_feed=pagename.startswith("history"),
    )
    context["metatags"] = f"{context.get('metatags', '')}\n{head}\n"
    context["atlas_policy"] = describe_policy


def find_description(page: str, title: str, doctree: Node | None) -> str:
    """The page's first sentence; of a page of the matrix what its title says, and where that was run."""
    if page.startswith((f"{CONVERSION}/", f"{SOURCE}/")):
        return f"{title.rstrip('?')}, as recorded in runs of several releases of torch and NumPy."
    return first_sentence(find_lead(doctree)) if doctree is not None else ""


def find_lead(doctree: Node) -> str:
    """First paragraph that stands directly under a title."""
    for section in doctree.findall(nodes.section):
        for child in section.children:
            if isinstance(child, nodes.paragraph):
                return child.astext()
    return ""


# --- what stands beside the pages ------------------------------------------------------------------


def write_addresses(app: Sphinx) -> None:
    """Write the sitemap, what leads to it, the feed of releases, and the page for what is not there."""
    folder, base = Path(app.outdir), app.config.html_baseurl
    if not base:
        for name in (SITEMAP, ROBOTS, FEED):
            (folder / name).unlink(missing_ok=True)
        return
    (folder / SITEMAP).write_text(render_sitemap(list_addresses(app)), encoding="utf-8")
    # Read by search engines where the site has a host of its own.
    (folder / ROBOTS).write_text(f"User-agent: *\nAllow: /\nSitemap: {base}{SITEMAP}\n", encoding="utf-8")
    (folder / FEED).write_text(render_feed(base, list_release_pages(app)), encoding="utf-8")
    missing = folder / f"{NOT_FOUND}.html"
    if missing.is_file():
        missing.write_text(root_links(missing.read_text(encoding="utf-8"), base), encoding="utf-8")


def list_addresses(app: Sphinx) -> list[str]:
    """Full address of every page that may be listed, in order."""
    base = app.config.html_baseurl
    names = {*list_pages(matrix_of(app)), *app.env.found_docs} - UNLISTED
    return [page_address(base, app.builder.get_target_uri(name)) for name in sorted(names)]


def render_sitemap(addresses: Iterable[str]) -> str:
    """Sitemap of full addresses."""
    return TEMPLATES.get_template("sitemap.xml").render(addresses=addresses)


def list_release_pages(app: Sphinx) -> list[tuple[str, str, str]]:
    """Address, title and day of the first record of each page of a release, the newest release first."""
    evidence = evidence_of(app)
    pages = []
    for name, title in list_pages_of_releases(evidence).items():
        package, _, release = name.partition("-")
        dates = [each.date for each in evidence.environments if read_release(each, package) == release]
        address = page_address(app.config.html_baseurl, app.builder.get_target_uri(f"history/{name}"))
        pages.append((address, f"What {title} changed", min(dates, default=find_newest_date(app))))
    return pages


def render_feed(base: str, pages: Iterable[tuple[str, str, str]]) -> str:
    """Atom feed of pages: address, title and day of each."""
    listed = list(pages)
    newest = max((date for _, _, date in listed), default="1970-01-01")
    return TEMPLATES.get_template("releases.xml").render(base=base, pages=listed, newest=newest)


# --- citing ----------------------------------------------------------------------------------------


class Citation(EvidenceDirective):
    """The entry for a bibliography."""

    def build_nodes(self) -> Iterable[Node]:
        app = self.context.app
        self.context.depend_on(ALL_EXAMPLES)  # a new record may bring another year, a build another address
        entry = render_bibtex(__version__, find_newest_date(app), app.config.html_baseurl)
        yield nodes.literal_block(entry, entry, language="bibtex")
