"""HTML of a page's body → Markdown of it, with code, captured output and links; pure.

The HTML is what the page shows, so nothing that a page has can be missing, whatever made it: a document, a
template or a directive. Text that a reader sees only after a choice, and drawings, are left out; of a drawing
stays its description.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import urlsplit

from bs4 import BeautifulSoup, Comment, Tag
from bs4.element import NavigableString, PageElement

SKIPPED_TAGS = frozenset(
    {"button", "form", "input", "script", "select", "style", "svg", "template", "textarea"}
)
SKIPPED_CLASSES = frozenset({"atlas-chooser", "atlas-finder-place", "atlas-jumps", "headerlink"})
"""Elements that are of use on the page alone."""
INLINE_TAGS = frozenset(
    {"a", "abbr", "b", "br", "cite", "code", "em", "i", "img", "kbd", "mark", "q", "small", "span", "strong"}
    | {"sub", "sup", "time", "u", "var"}
)
MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*"}
"""Marks around the text of an element in a line."""
LANGUAGES = {"none": "text", "default": "text", "myst-ansi": "text", "ipython3": "python"}
"""Lexers that readers of Markdown know under another name."""
_PRE = re.compile(r"<pre\b.*?</pre>", re.DOTALL)
_COLOURS = re.compile(r"</?(?:span|a)\b[^>]*>")
NOT_WRITTEN = ("genindex.html", "search.html")
"""Pages that have no Markdown."""


def render_markdown(html: str) -> str:
    """Markdown of a page's body; links stay relative, and lead to the Markdown of other pages."""
    # Nearly half of a page's elements colour or link code, of which Markdown shows the text alone.
    plain = _PRE.sub(lambda pre: _COLOURS.sub("", pre[0]), html)
    return "\n\n".join(_render_blocks(BeautifulSoup(plain, "html.parser").children))


# --- blocks --------------------------------------------------------------------------------------


def _render_blocks(elements: Iterable[PageElement]) -> Iterator[str]:
    """Blocks of elements that stand beside each other; text between them is a paragraph."""
    line: list[PageElement] = []
    for element in elements:
        if isinstance(element, Tag) and element.name not in INLINE_TAGS:
            yield from _render_paragraph(line)
            line = []
            if not _is_skipped(element):
                yield from _render_block(element)
        else:
            line.append(element)
    yield from _render_paragraph(line)


def _is_skipped(tag: Tag) -> bool:
    """Whether a reader does not see an element, or cannot use it outside of the page."""
    if tag.name in SKIPPED_TAGS or not SKIPPED_CLASSES.isdisjoint(_classes(tag)):
        return True
    return tag.has_attr("hidden") or tag.get("aria-hidden") == "true"


def _classes(tag: Tag) -> list[str]:
    return [*map(str, tag.get_attribute_list("class"))]


def _elements(tag: Tag) -> list[Tag]:
    """Elements that stand directly in another."""
    return tag.find_all(recursive=False)


def _render_block(tag: Tag) -> Iterator[str]:
    if tag.get("role") == "img":
        yield escape(str(tag.get("aria-label", "")))
    elif tag.name == "p":
        yield from _render_own_paragraph(tag)
    elif re.fullmatch("h[1-6]", tag.name):
        yield f"{'#' * int(tag.name[1])} {_render_line(tag.children)}"
    elif "atlas-strip" in _classes(tag):
        yield " · ".join(_render_line(child.children) for child in _elements(tag))
    elif "sphx-glr-thumbnails" in _classes(tag):
        yield "\n".join(_render_card(card) for card in _elements(tag))
    elif tag.name in RENDERERS:
        yield from RENDERERS[tag.name](tag)
    else:
        yield from _render_highlighted(tag)


def _render_card(card: Tag) -> str:
    """An example in the list of its chapter: a link, and the first sentence of its page."""
    paragraph = card.find(class_="atlas-card-lead")
    lead = paragraph.get_text() if paragraph else ""
    return f"- {_render_inline(card.find('a') or card)}" + (f": {escape_prose(lead)}" if lead else "")


def _render_highlighted(tag: Tag) -> Iterator[str]:
    """Code in the language that Sphinx names around it; any other element as what is in it."""
    language = re.search(r"highlight-([\w-]+)", " ".join(_classes(tag)))
    code = tag.find("pre") if language else None
    if language and code:
        yield fence(code.get_text(), LANGUAGES.get(language[1], language[1]))
    else:
        yield from _render_blocks(tag.children)


def _render_own_paragraph(tag: Tag) -> Iterator[str]:
    """A paragraph; the label of a box and the title of a note are strong."""
    if {"atlas-label", "admonition-title"}.isdisjoint(_classes(tag)):
        yield from _render_paragraph(tag.children)
    elif text := _render_line(tag.children):
        yield f"**{text}**"


def _render_paragraph(line: Iterable[PageElement]) -> Iterator[str]:
    """Text in a line as a paragraph; nothing where it is blank."""
    text = _render_line(line)
    if text:
        yield _shield(text)


def _render_pre(tag: Tag) -> Iterator[str]:
    yield fence(tag.get_text(), "text")


def _render_list(tag: Tag) -> Iterator[str]:
    """Items with a mark each; numbered where the page numbers them."""
    is_numbered = tag.name == "ol" and not any(name.startswith("atlas-") for name in _classes(tag))
    shown = [item for item in _elements(tag) if not _is_skipped(item)]
    items = []
    for number, item in enumerate(shown, 1):
        mark = f"{number}. " if is_numbered else "- "
        items.append(mark + indent("\n\n".join(_render_blocks(item.children)), " " * len(mark)))
    yield _join_items(items)


def _render_definitions(tag: Tag) -> Iterator[str]:
    """Terms as strong items, with what is said of them below."""
    items = []
    for child in _elements(tag):
        if child.name == "dt":
            items.append(f"- **{_render_line(child.children)}**")
        elif items:
            blocks = [items[-1], *(indent(f"  {block}", "  ") for block in _render_blocks(child.children))]
            items[-1] = "\n\n".join(blocks)
    yield _join_items(items)


def _join_items(items: list[str]) -> str:
    """Items of one list; close together where each is one block."""
    is_tight = not any("\n\n" in item for item in items)
    return ("\n" if is_tight else "\n\n").join(items)


def _render_table(tag: Tag) -> Iterator[str]:
    """A table with the first row as its head, and its caption above it."""
    caption = tag.find("caption")
    if caption is not None:
        yield _render_line(caption.children)
    rows = [[*map(_render_cell, _elements(row))] for row in tag.find_all("tr")]
    if rows:
        yield render_rows(rows)


def _render_cell(cell: Tag) -> str:
    return "<br>".join(_render_blocks(cell.children))


def render_rows(rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown cells, the first row as its head; shorter rows end in empty cells."""
    width = max(map(len, rows))
    lines = [[*map(_flatten_cell, row), *[""] * (width - len(row))] for row in rows]
    lines.insert(1, ["---"] * width)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _flatten_cell(text: str) -> str:
    """A cell on one line, in which no character ends it."""
    return text.replace("|", r"\|").replace("\n", "<br>")


def _render_details(tag: Tag) -> Iterator[str]:
    """Summary of a fold-out as a strong line, and what it holds, quoted; a long output is not quoted."""
    summary = tag.find("summary", recursive=False)
    yield f"**{_render_line(summary.children if summary else ())}**"
    rest = _render_blocks(child for child in tag.children if child is not summary)
    yield from rest if "atlas-long" in _classes(tag) else _quote_blocks(rest)


def _render_quote(tag: Tag) -> Iterator[str]:
    return _quote_blocks(_render_blocks(tag.children))


def _quote_blocks(blocks: Iterable[str]) -> Iterator[str]:
    text = "\n\n".join(blocks)
    if text:
        yield "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _render_rule(_: Tag) -> Iterator[str]:
    yield "---"


RENDERERS = {
    "aside": _render_quote,
    "blockquote": _render_quote,
    "details": _render_details,
    "dl": _render_definitions,
    "hr": _render_rule,
    "ol": _render_list,
    "pre": _render_pre,
    "table": _render_table,
    "ul": _render_list,
}
"""Elements whose Markdown is more than what is in them."""


# --- in a line -----------------------------------------------------------------------------------


def _render_line(elements: Iterable[PageElement]) -> str:
    """Text, links and code in one line."""
    return " ".join("".join(map(_render_inline, elements)).split())


def _render_inline(element: PageElement) -> str:
    """Markdown of a text or of an element in a line."""
    if isinstance(element, NavigableString):
        return "" if isinstance(element, Comment) else escape(str(element))
    assert isinstance(element, Tag)
    if _is_skipped(element):
        return ""
    if element.name in ("code", "kbd"):
        return quote_code(element.get_text())
    if element.name == "br":
        return "<br>"
    if element.name == "img":
        return f"![{escape(str(element.get('alt', '')))}]({_target(str(element.get('src', '')))})"
    text = "".join(map(_render_inline, element.children))
    if any(name.startswith("atlas-outcome-") for name in _classes(element)):
        return f" {text} "  # counts of a field stand apart by their colours
    if element.name == "a":
        return _link(text, str(element.get("href", "")))
    return _surround(text, MARKS.get(element.name, ""))


def _surround(text: str, mark: str) -> str:
    """Text between marks, blanks outside of them; without text there are none."""
    inner = text.strip()
    return text.replace(inner, f"{mark}{inner}{mark}", 1) if inner and mark else text


def _link(text: str, href: str) -> str:
    """A link; one to a part of the same page is its text, as the parts have no names in Markdown."""
    words = " ".join(text.split())
    return text if not words or not href or href.startswith("#") else f"[{words}]({_target(href)})"


def _target(href: str) -> str:
    """Where a link leads: pages of the site as Markdown."""
    parts = urlsplit(href)
    is_page = not parts.scheme and not parts.netloc and parts.path.endswith(".html")
    if is_page and not parts.path.endswith(NOT_WRITTEN):
        href = parts._replace(path=parts.path.removesuffix(".html") + ".md").geturl()
    return f"<{href}>" if re.search(r"[\s()]", href) else href


# --- text ----------------------------------------------------------------------------------------


def escape(text: str) -> str:
    """Text of which no character is a mark of Markdown; an underscore inside a word is none."""
    marked = re.sub(r"[\\`*\[\]~]|<(?=[A-Za-z/!?])", r"\\\g<0>", text)
    marked = re.sub(r"(?<![^\W_])_+|_+(?![^\W_])", lambda found: found[0].replace("_", r"\_"), marked)
    return re.sub(r"&(?=#?\w+;)", "&amp;", marked)


def escape_prose(text: str) -> str:
    """Text in which code stands between double backticks."""
    parts = text.split("``")
    return "".join(quote_code(part) if place % 2 else escape(part) for place, part in enumerate(parts))


def _shield(line: str) -> str:
    """A paragraph whose first characters begin no heading, list or quote."""
    return re.sub(r"^(?:(\d+)([.)])(?=\s|$)|([#>+-]))", _shield_match, line)


def _shield_match(match: re.Match[str]) -> str:
    number, dot, sign = match.groups()
    return f"\\{sign}" if sign else f"{number}\\{dot}"


def quote_code(text: str) -> str:
    """Code in a line, between more backticks than it has."""
    words = " ".join(text.split())
    ticks = "`" * (_longest_ticks(words) + 1)
    pad = " " if len(ticks) > 1 else ""
    return f"{ticks}{pad}{words}{pad}{ticks}" if words else ""


def fence(text: str, language: str) -> str:
    """Code on lines of its own, as it is, between more backticks than it has."""
    ticks = "`" * max(3, _longest_ticks(text) + 1)
    body = text.strip("\n")
    return f"{ticks}{language}\n{body}\n{ticks}"


def _longest_ticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def indent(text: str, margin: str) -> str:
    """Every line but the first behind a margin; blank ones stay blank."""
    first, *rest = text.split("\n")
    return "\n".join([first, *(margin + line if line else line for line in rest)])
