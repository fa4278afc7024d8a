"""Works around faults of Sphinx, sphinx-gallery and the theme by documented interfaces, with sources."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape, unescape
from pathlib import Path, PurePosixPath
from typing import Any

from bs4 import BeautifulSoup
from docutils import nodes
from docutils.nodes import Node
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from tensor_atlas.files import replace_file
from tensor_atlas.pages import GALLERY
from tensor_atlas.site.build.execution import evidence_of, project_of
from tensor_atlas.site.build.page_scripts import folder_of_scripts
from tensor_atlas.site.build.workers import LostPagesError

# --- pages that Sphinx does not write --------------------------------------------------------------
#
# Sphinx 9.0.4, sphinx/util/parallel.py: `ParallelTasks.add_task` catches whatever a worker raised while
# others are still to be started ("shutdown other child processes on failure", #8957), and goes on: the pages
# of that worker are missing, and the build is said to have succeeded.
#
# A page that is to be written is dated back before, so that it is older than its source until it has been
# written.


def mark_page_as_outdated(app: Sphinx, _: nodes.document, docname: str) -> None:
    """Handler of ``doctree-resolved``, emitted in the main process before a worker writes the page."""
    _date_back(app, docname)


def check_pages(app: Sphinx) -> None:
    """Raise LostPagesError where the page of a document was not written."""
    lost = [name for name in sorted(app.env.found_docs) if not _date_of_page(app, name)]
    if lost:
        for name in lost:
            _date_back(app, name)
        message = f"{len(lost)} pages were not written, because a process that wrote pages raised an error:\n"
        message += f"    {', '.join(lost[:10])}{', ...' * (len(lost) > 10)}\n"
        message += "    build once more with --jobs 1 to see the error"
        raise LostPagesError(message)


def _date_back(app: Sphinx, docname: str) -> None:
    """Date the built page of a document to the year 1970; nothing where there is no page."""
    if app.builder.name == "html":
        with contextlib.suppress(OSError):
            os.utime(_page(app, docname), ns=(0, 0))


def _date_of_page(app: Sphinx, docname: str) -> int:
    """When the page of a document was written, in nanoseconds; 0 where it was not."""
    try:
        return _page(app, docname).stat().st_mtime_ns
    except OSError:
        return 0


def _page(app: Sphinx, docname: str) -> Path:
    return Path(app.outdir, app.builder.get_target_uri(docname))


# --- pages that are older than what they show -------------------------------------------------------
#
# Sphinx 9.0.4, `StandaloneHTMLBuilder.get_outdated_docs`: a page counts as written once it is younger than
# its source, whatever else it is made of (#11556 asks for more than dates). Who read it last need not have
# written it: a build that was cut short, one for another folder, a check of links.
#
# Sphinx also writes a checksum of each style and script into every page, and a theme the titles that the root
# document lists, and looks at neither.


def find_outdated_pages(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Handler of ``env-updated``: documents that were read after their page was written.

    All documents where what every page shows has changed.
    """
    if app.builder.name != "html":
        return []
    path = Path(app.doctreedir, "layout.digest")
    digest = _digest_layout(app)
    if path.is_file() and path.read_text(encoding="utf-8") == digest:
        names = sorted(env.found_docs)
        return [name for name in names if _date_of_page(app, name) < _date_of_tree(app, name)]
    for docname in env.found_docs:
        _date_back(app, docname)
    replace_file(path, digest)
    return sorted(env.found_docs)


def _date_of_tree(app: Sphinx, docname: str) -> int:
    """When a document was read, in nanoseconds."""
    return Path(app.doctreedir, f"{docname}.doctree").stat().st_mtime_ns


def _digest_layout(app: Sphinx) -> str:
    """Digest of our styles and scripts, and of the titles that the root document lists."""
    digest = hashlib.sha256()
    folders = {Path(app.confdir, folder) for folder in app.config.html_static_path}
    for folder in sorted(folders - {folder_of_scripts(app)}):
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".css", ".js"):
                digest.update(path.name.encode() + b"\0" + path.read_bytes())
    for toctree in app.env.tocs[app.config.root_doc].findall(addnodes.toctree):
        for title, page in toctree["entries"]:
            shown = app.env.titles[page].astext() if page in app.env.titles else page
            digest.update(f"{title or shown}\0".encode())
    return digest.hexdigest()


# --- pages of examples that were renamed -----------------------------------------------------------
#
# sphinx-gallery 0.22.1 leaves the generated files of a script that was renamed or deleted; its documentation
# tells to remove the whole folder ("Cleaning the gallery files", #1079). Sphinx would read such a page again.

MARK_OF_INDEX = "sphx-glr-thumbnails"
"""Class that stands in each list of examples that sphinx-gallery generates."""
MARK = "THIS FILE WAS AUTOMATICALLY GENERATED BY SPHINX-GALLERY"
"""Comment at the top of each page that sphinx-gallery generates."""


def remove_pages_of_renamed_examples(app: Sphinx) -> None:
    """Remove the pages of examples and chapters that are gone, after sphinx-gallery has made its own."""
    gallery = Path(app.srcdir, GALLERY)
    sources = project_of(app).root / "examples"
    known = evidence_of(app).examples
    for index in gallery.glob("*/index.rst"):
        has_source = (sources / index.parent.name).is_dir()
        if not has_source and MARK_OF_INDEX in index.read_text(encoding="utf-8"):
            shutil.rmtree(index.parent)
    for page in gallery.glob("*/*.rst"):
        name = f"{page.parent.name}/{page.stem}"
        has_source = name in known or (sources / f"{name}.py").is_file()
        if not has_source and MARK in page.read_text(encoding="utf-8"):
            for path in page.parent.glob(f"{page.stem}.*"):  # the page, its downloads and its lists
                path.unlink()


# --- the filter by tag -----------------------------------------------------------------------------
#
# sphinx-gallery 0.22.1 has a filter by tag on a chapter's page (#1555) that a keyboard does not reach.

SCRIPT = "atlas-tags.js"
"""Our filter."""
THEIRS = "sg-tags.js"
"""sphinx-gallery's filter."""


def replace_tag_filter(app: Sphinx, pagename: str, context: dict[str, Any]) -> None:
    """Let a chapter's page load our script, and no page theirs."""
    scripts = context["script_files"]
    scripts[:] = [script for script in scripts if PurePosixPath(str(script.filename or "")).name != THEIRS]
    if _is_chapter(pagename):
        app.add_js_file(SCRIPT, priority=600, defer="defer")


def _is_chapter(pagename: str) -> bool:
    page = PurePosixPath(pagename)
    return page.name == "index" and page.parent.parent == PurePosixPath(GALLERY)


# --- cards: their words, their pictures --------------------------------------------------------------
#
# sphinx-gallery 0.22.1, `_thumbnail_div`: it writes title and tags of an example into HTML as they are, shows
# the lead over the title while the mouse is on the card, and gives each card a picture, here the same one.

_CARD_TEXT = re.compile(
    r"""(?<=<div class="sphx-glr-thumbnail-title">).*(?=</div>)|(?<=data-sgtags=').*(?=' tooltip=")"""
)
"""The title of a card, or its tags."""
_CARD_LEAD = re.compile(' tooltip="([^"]*)"')
_CARD_TITLE = re.compile('<div class="sphx-glr-thumbnail-title">.*</div>')


def drop_pictures(app: Sphinx, doctree: nodes.document) -> None:
    """Handler of ``doctree-read``, before Sphinx collects images: a card is words alone."""
    page = PurePosixPath(app.env.current_document.docname)
    if page.name == "index" and page.parts[0] == GALLERY:
        for image in list(doctree.findall(nodes.image)):
            image.replace_self([])


def dress_cards(_app: Sphinx, doctree: nodes.document) -> None:
    """Handler of ``doctree-read``: titles and tags are text, whatever they hold; the lead stands below."""
    lead = ""
    for raw in list(doctree.findall(nodes.raw)):
        text = _CARD_TEXT.sub(lambda found: escape(found[0]), raw.astext())
        if found := _CARD_LEAD.search(text):
            lead = f'<div class="atlas-card-lead">{found[1]}</div>'
            text = text.replace(found[0], "")
        text = _CARD_TITLE.sub(lambda title: f"{title[0]}{lead}", text)  # noqa: B023 - called at once
        if text != raw.astext():
            raw.replace_self(nodes.raw("", text, format=raw["format"]))


_TAGS_OF_CARD = re.compile("(?<=data-sgtags=').*?(?=')")
_TAG_LIST = re.compile(r"(?<=<div id='sg-tag-list' class='sphx-glr-tag-list)'>(?=</div>)")
_WORDS = '<label>Filter by name, call or message<input type="search" autocomplete="off"></label>'
MOST_TAGS = 8
"""Tags in view; the others are folded."""


def list_tags(app: Sphinx, doctree: nodes.document) -> None:
    """Handler of ``doctree-read``, after ``dress_cards``: the filter's buttons, so that none comes later."""
    if not _is_chapter(app.env.current_document.docname):
        return
    raws = list(doctree.findall(nodes.raw))
    cards = [json.loads(unescape(found)) for raw in raws for found in _TAGS_OF_CARD.findall(raw.astext())]
    shown, folded = choose_tags(cards)
    fold = f"<details><summary>{len(folded)} more tags</summary>{_build_buttons(folded)}</details>"
    filters = _WORDS + _build_buttons(shown) + (fold if folded else "")
    for raw in raws:
        text = _TAG_LIST.sub(lambda _: f" pst-js-only'>{filters}", raw.astext())
        if text != raw.astext():
            raw.replace_self(nodes.raw("", text, format=raw["format"]))


def choose_tags(cards: Sequence[Sequence[str]]) -> tuple[list[str], list[str]]:
    """Tags in view, those of the most cards, and the others; a tag of every card narrows nothing."""
    counts = Counter(tag for tags in cards for tag in set(tags))
    ranked = sorted(counts, key=lambda tag: (counts[tag] == len(cards), -counts[tag], tag))
    return sorted(ranked[:MOST_TAGS]), sorted(ranked[MOST_TAGS:])


def _build_buttons(tags: Iterable[str]) -> str:
    return "".join(f'<button type="button" class="sphx-glr-tag">{escape(tag)}</button>' for tag in tags)


# --- arrows of the side bar without a name ---------------------------------------------------------
#
# pydata-sphinx-theme 0.24.0, `generate_toctree_html`: the fold-outs in the tree of pages have no text for a
# screen reader.


def name_side_bar_arrows(
    _app: Sphinx,
    _page: str,
    _template: str,
    context: dict[str, Any],
    _doctree: Node | None,
) -> None:
    """Handler of ``html-page-context``, after the theme's: the theme's function makes trees with names."""
    generate = context.get("generate_toctree_html")
    if generate is None:
        return

    def generate_named(*arguments: object, **options: object) -> BeautifulSoup | str:
        tree = generate(*arguments, **options)
        return name_arrows(tree) if isinstance(tree, BeautifulSoup) else tree

    context["generate_toctree_html"] = generate_named


def name_arrows(tree: BeautifulSoup) -> BeautifulSoup:
    """The tree, in which each fold-out without words has the name of the link that it stands beside."""
    for summary in tree.find_all("summary"):
        entry = summary.find_parent("li")
        link = entry.find("a") if entry else None
        if link is not None and not summary.get_text(strip=True):
            summary["aria-label"] = f"Pages of {link.get_text(strip=True)}"
    return tree
