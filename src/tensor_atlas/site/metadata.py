"""What a page tells those who link to it, list it or cite it: description, card, addresses, sitemap, BibTeX; pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

from tensor_atlas.site.ranking import CHAPTER, ERRORS, EXAMPLE, GUIDE, MATRIX, PROJECT, REFERENCE, RELEASE

SITE = "Tensor Atlas"
HOME = "Home"
"""Kind of the landing page; the others are named as search results are."""
KINDS = {
    HOME: "PyTorch tensors and NumPy arrays: what copies, what shares, what raises",
    EXAMPLE: "Code, and what recorded runs of it did",
    CHAPTER: "Short scripts, each for one decision",
    ERRORS: "What raises it, and the fix",
    GUIDE: "The ideas, with answers read off the records",
    MATRIX: "Every conversion on every kind of input",
    RELEASE: "What a release changed, before and after",
    REFERENCE: "Lists made from what was captured",
    PROJECT: "How the site is made, and how to take part",
}
"""What the card of each kind of page says."""
LONGEST = 200
"""Characters of a description."""
BUILD = "atlas-build.js"
"""Script with the facts of the build."""
CARDS = "_static/cards"
"""Folder of the cards, below the site."""

_SENTENCE = re.compile(r".*?[.!?](?=\s+[A-Z`]|\s*$)", re.DOTALL)
_LINK = re.compile(r'\b(href|src|data-content_root)="(?![a-z]+:|[#/])(?:\./)?([^"]*)"')
_PARTS = {"guides": GUIDE, "contributing": PROJECT, "history": RELEASE, "matrix": MATRIX}
_ERRORS = "13_errors"


@dataclass(frozen=True)
class About:
    """What is said of one page."""

    title: str
    """Its title, as plain text."""
    kind: str
    """One of KINDS."""
    description: str = ""
    """One sentence; empty where there is none."""
    address: str = ""
    """Full address of the page; empty where nobody knows where the site will be."""
    card: str = ""
    """Full address of the picture; likewise."""


def kind_of(page: str, gallery: str) -> str:
    """Kind of a page, by its name."""
    folder, _, rest = page.partition("/")
    if page == "index":
        return HOME
    if folder == gallery:
        if rest.endswith("index"):
            return CHAPTER
        return ERRORS if rest.startswith(f"{_ERRORS}/") else EXAMPLE
    return _PARTS.get(folder, REFERENCE)


def card_of(kind: str) -> str:
    """Path of a kind's picture, below the site."""
    return f"{CARDS}/{kind.lower()}.png"


def first_sentence(text: str) -> str:
    """The first sentence of a paragraph on one line, cut at a word where it is long."""
    flat = " ".join(text.split())
    match = _SENTENCE.match(flat)
    sentence = match[0] if match else flat
    return sentence if len(sentence) <= LONGEST else f"{sentence[:LONGEST].rpartition(' ')[0]} …"


def tags(about: About) -> str:
    """Elements for a page's head. A picture must have a full address, so there is none without one."""
    return "".join(_tags(about))


def _tags(about: About) -> Iterator[str]:
    if about.description:
        yield _meta("name", "description", about.description)
    yield _meta("property", "og:site_name", SITE)
    yield _meta("property", "og:type", "website" if about.kind == HOME else "article")
    yield _meta("property", "og:title", about.title)
    if about.description:
        yield _meta("property", "og:description", about.description)
    if about.address:
        yield _meta("property", "og:url", about.address)
    if about.card:
        yield _meta("property", "og:image", about.card)
        yield _meta("property", "og:image:alt", f"{SITE}: {KINDS[about.kind]}")
    yield _meta("name", "twitter:card", "summary_large_image" if about.card else "summary")


def _meta(key: str, name: str, content: str) -> str:
    return f'<meta {key}="{name}" content="{escape(content)}" />\n'


UNLISTED = '<meta name="robots" content="noindex" />\n'
"""Element for the head of a page that no search engine should list."""


# --- addresses -----------------------------------------------------------------------------------


def sitemap(addresses: Iterable[str]) -> str:
    """Sitemap of full addresses."""
    lines = "".join(f"<url><loc>{escape(address)}</loc></url>\n" for address in addresses)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return f'{head}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{lines}</urlset>\n'


def address(base: str, path: str) -> str:
    """Full address of a page of the site at ``base``, which ends in a slash; the landing page is the site itself."""
    return base if path == "index.html" else f"{base}{path}"


def rooted(html: str, base: str) -> str:
    """A page of the site's top folder with links that lead to the site from whatever address it is shown at."""
    root = "/" + base.split("/", 3)[3]
    return _LINK.sub(lambda match: f'{match[1]}="{root}{match[2]}"', html)


# --- citing ----------------------------------------------------------------------------------------


def bibtex(version: str, date: str, base: str) -> str:
    """Entry for a bibliography; ``date`` is that of the newest record."""
    fields = {
        "author": "{{The Tensor Atlas maintainers}}",
        "title": f"{{{SITE}: executed, recorded and compared examples of PyTorch tensors meeting NumPy arrays}}",
        "version": f"{{{version}}}",
        "year": f"{{{date[:4]}}}",
        **({"url": f"{{{base}}}"} if base else {}),
    }
    lines = ",\n".join(f"  {name} = {value}" for name, value in fields.items())
    return f"@software{{tensor_atlas,\n{lines}\n}}"
