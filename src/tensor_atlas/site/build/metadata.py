"""What a page tells those who link to it, list it or cite it: description, addresses, sitemap, BibTeX.

Only ``html_baseurl`` says where the site will be. Without it nothing is written that would need an address.
sphinxext-opengraph 0.13 writes nothing on pages that are no documents, which the matrix has hundreds of.
sphinx-sitemap 2.9 lists only the pages that a build has written, which after a change are a few.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.nodes import Node
from markupsafe import Markup
from sphinx.application import Sphinx

from tensor_atlas import __version__
from tensor_atlas.history.releases import minor_release
from tensor_atlas.model.runs import Environment
from tensor_atlas.pages.matrix_places import CONVERSION, SOURCE, list_pages
from tensor_atlas.pages.release_view import list_pages as list_pages_of_releases
from tensor_atlas.site.build.directives import EvidenceDirective
from tensor_atlas.site.build.execution import ALL_EXAMPLES, evidence_of
from tensor_atlas.site.build.nodes import load_templates
from tensor_atlas.site.build.page_scripts import find_newest_date
from tensor_atlas.site.matrix.matrix_pages import matrix_of

WHAT = "executed, recorded and compared examples of PyTorch tensors meeting NumPy arrays"
SITE = "Tensor Atlas"
ABOUT = "PyTorch tensors and NumPy arrays: what copies, what shares, what raises"
"""What the picture beside a shared link says."""
CARD = "_static/card.png"
"""That picture."""
SITEMAP, ROBOTS, FEED = "sitemap.xml", "robots.txt", "releases.xml"
NOT_FOUND = "404"
"""Page that a server shows in the place of one that is not there."""
UNLISTED = frozenset({NOT_FOUND, "search", "genindex"})
"""Pages that no search engine should list."""
LONGEST_DESCRIPTION = 200
"""Characters."""

POLICY = (
    "default-src 'self' file: data:; style-src 'self' file: 'unsafe-inline'; "
    "base-uri 'none'; object-src 'none'; form-action 'self';"
)
"""What a page may load beside scripts. Bars of counts have their widths as styles."""

_INLINE = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)
_SENTENCE = re.compile(r".*?[.!?](?=\s+[A-Z`]|\s*$)", re.DOTALL)
_LINK = re.compile(r'\b(href|src|data-content_root)="(?![a-z]+:|[#/])(?:\./)?([^"]*)"')
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


def describe_policy(html: str) -> str:
    """What a page may run and load: scripts of its own folder, and those written into ``html``."""
    scripts = map(str.encode, _INLINE.findall(html))
    hashes = [f"'sha256-{b64encode(hashlib.sha256(script).digest()).decode()}'" for script in scripts]
    # A page opened as a file loads its scripts from files; its own address is none to a browser.
    return f"{POLICY} script-src 'self' file: {' '.join(dict.fromkeys(hashes))}"


def expand_title(page: str, title: str) -> str:
    """The title as a list of results shows it: that of a page of the matrix says what the page answers."""
    if page.startswith(f"{CONVERSION}/"):
        return f"{title}: shares memory, copies or raises?"
    if page.startswith(f"{SOURCE}/"):
        return f"{title}: which conversions share, copy or raise"
    return title


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


def first_sentence(text: str) -> str:
    """The first sentence of a paragraph on one line, cut at a word where it is long."""
    flat = " ".join(text.split())
    match = _SENTENCE.match(flat)
    sentence = match[0] if match else flat
    if len(sentence) <= LONGEST_DESCRIPTION:
        return sentence
    return f"{sentence[:LONGEST_DESCRIPTION].rpartition(' ')[0]} …"


# --- what stands beside the pages ------------------------------------------------------------------


def write_files(app: Sphinx) -> None:
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
    found = []
    for name, title in list_pages_of_releases(evidence).items():
        package, _, release = name.partition("-")
        dates = [each.date for each in evidence.environments if read_release(each, package) == release]
        address = page_address(app.config.html_baseurl, app.builder.get_target_uri(f"history/{name}"))
        found.append((address, f"What {title} changed", min(dates, default=find_newest_date(app))))
    return found


def read_release(environment: Environment, package: str) -> str:
    """Minor release of torch or NumPy in an environment; empty for another package."""
    versions = {"torch": environment.torch, "numpy": environment.numpy}
    return minor_release(versions[package]) if package in versions else ""


def render_feed(base: str, pages: Iterable[tuple[str, str, str]]) -> str:
    """Atom feed of pages: address, title and day of each."""
    listed = list(pages)
    newest = max((date for _, _, date in listed), default="1970-01-01")
    return TEMPLATES.get_template("releases.xml").render(base=base, pages=listed, newest=newest)


def page_address(base: str, path: str) -> str:
    """Full address of a page; ``base`` ends in a slash, and is the address of the landing page."""
    return base if path == "index.html" else f"{base}{path}"


def root_links(html: str, base: str) -> str:
    """A page of the site's top folder with links that work at whatever address it is shown."""
    root = "/" + base.split("/", 3)[3]
    return _LINK.sub(lambda match: f'{match[1]}="{root}{match[2]}"', html)


# --- citing ----------------------------------------------------------------------------------------


class Citation(EvidenceDirective):
    """The entry for a bibliography."""

    def build_nodes(self) -> Iterable[Node]:
        app = self.context.app
        self.context.depend_on(ALL_EXAMPLES)  # a new record may bring another year, a build another address
        entry = render_bibtex(__version__, find_newest_date(app), app.config.html_baseurl)
        yield nodes.literal_block(entry, entry, language="bibtex")


def render_bibtex(version: str, date: str, base: str) -> str:
    """Entry for a bibliography; ``date`` is that of the newest record."""
    fields = {
        "author": "{{The Tensor Atlas maintainers}}",
        "title": f"{{{SITE}: {WHAT}}}",
        "version": f"{{{version}}}",
        "year": f"{{{date[:4]}}}",
    }
    if base:
        fields["url"] = f"{{{base}}}"
    lines = ",\n".join(f"  {name} = {value}" for name, value in fields.items())
    return f"@software{{tensor_atlas,\n{lines}\n}}"
