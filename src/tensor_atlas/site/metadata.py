"""What a page tells those who link to it, list it or cite it: description, card, addresses, sitemap, BibTeX; pure.

sphinxext-opengraph 0.13 writes nothing on pages that are no documents, which the matrix has five hundred of.
sphinx-sitemap 2.9 lists only the pages that a build has written, which after a change are a few.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tensor_atlas.site.ranking import CHAPTER, ERRORS, EXAMPLE, GUIDE, MATRIX, PROJECT, REFERENCE, RELEASE
from tensor_atlas.site.templating import load_templates

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
LONGEST_DESCRIPTION = 200
"""Characters."""
BUILD = "atlas-build.js"
"""Script with the facts of the build."""
CARDS = "_static/cards"
"""Folder of the cards, below the site."""

_SENTENCE = re.compile(r".*?[.!?](?=\s+[A-Z`]|\s*$)", re.DOTALL)
_LINK = re.compile(r'\b(href|src|data-content_root)="(?![a-z]+:|[#/])(?:\./)?([^"]*)"')
_PARTS = {"guides": GUIDE, "contributing": PROJECT, "history": RELEASE, "matrix": MATRIX}
_ERRORS = "13_errors"
_TEMPLATES = load_templates(SITE=SITE, HOME=HOME, KINDS=KINDS)


@dataclass(frozen=True)
class PageDescription:
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
    is_listed: bool = True
    """Whether search engines should list it."""


def page_kind(page: str, gallery: str) -> str:
    """Kind of a page, by its name."""
    folder, _, rest = page.partition("/")
    if page == "index":
        return HOME
    if folder == gallery:
        if rest.endswith("index"):
            return CHAPTER
        return ERRORS if rest.startswith(f"{_ERRORS}/") else EXAMPLE
    return _PARTS.get(folder, REFERENCE)


def card_path(kind: str) -> str:
    """Path of a kind's picture, below the site."""
    return f"{CARDS}/{kind.lower()}.png"


def first_sentence(text: str) -> str:
    """The first sentence of a paragraph on one line, cut at a word where it is long."""
    flat = " ".join(text.split())
    match = _SENTENCE.match(flat)
    sentence = match[0] if match else flat
    if len(sentence) <= LONGEST_DESCRIPTION:
        return sentence
    return f"{sentence[:LONGEST_DESCRIPTION].rpartition(' ')[0]} …"


def render_head(page: PageDescription) -> str:
    """Elements for a page's head."""
    return _TEMPLATES.get_template("head.html").render(page=page)


# --- addresses -----------------------------------------------------------------------------------


def render_sitemap(addresses: Iterable[str]) -> str:
    """Sitemap of full addresses."""
    return _TEMPLATES.get_template("sitemap.xml").render(addresses=addresses)


def page_address(base: str, path: str) -> str:
    """Full address of a page of the site at ``base``, which ends in a slash; the landing page is the site itself."""
    return base if path == "index.html" else f"{base}{path}"


def root_links(html: str, base: str) -> str:
    """A page of the site's top folder with links that lead to the site from whatever address it is shown at."""
    root = "/" + base.split("/", 3)[3]
    return _LINK.sub(lambda match: f'{match[1]}="{root}{match[2]}"', html)


# --- citing ----------------------------------------------------------------------------------------


def render_bibtex(version: str, date: str, base: str) -> str:
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
