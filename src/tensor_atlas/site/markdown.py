"""HTML of a page's body → Markdown of it, with code, captured output and links; pure.

The HTML is what the page shows, so nothing that a page has can be missing, whatever made it: a document, a
template or a directive. Text that a reader sees only after a choice, and drawings, are left out; of a drawing
stays its description.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlsplit

EMPTY_TAGS = frozenset({"br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
SKIPPED_TAGS = frozenset(
    {"button", "form", "input", "script", "select", "style", "svg", "template", "textarea"}
)
SKIPPED_CLASSES = frozenset({"atlas-chooser", "atlas-finder-place", "atlas-jumps", "headerlink"})
"""Elements that are of use on the page alone."""
INLINE_TAGS = frozenset(
    {"a", "abbr", "b", "br", "cite", "code", "em", "i", "img", "kbd", "mark", "q", "small", "span", "strong"}
    | {"sub", "sup", "time", "u", "var"}
)
LANGUAGES = {"none": "text", "default": "text", "myst-ansi": "text", "ipython3": "python"}
"""Lexers that readers of Markdown know under another name."""
NOT_WRITTEN = ("genindex.html", "search.html")
"""Pages that have no Markdown."""


@dataclass
class Tag:
    """An element of HTML."""

    name: str
    """Such as ``p``."""
    attributes: Mapping[str, str]
    """By name; one without a value is empty."""
    children: list[Tag | str] = field(default_factory=list)
    """Elements and text, in order."""

    @property
    def classes(self) -> list[str]:
        """CSS classes."""
        return self.attributes.get("class", "").split()


class _TreeBuilder(HTMLParser):
    """Collects elements as a tree; an end tag closes whatever is open inside its element."""

    def __init__(self) -> None:
        super().__init__()
        self.open = [Tag("div", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        element = Tag(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in EMPTY_TAGS:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost element of that name."""
        for depth in range(len(self.open) - 1, 0, -1):
            if self.open[depth].name == tag:
                del self.open[depth:]
                return

    def handle_data(self, data: str) -> None:
        """Text, its entities read."""
        self.open[-1].children.append(data)


def parse_html(html: str) -> Tag:
    """Tree of a piece of HTML, inside one ``div``."""
    builder = _TreeBuilder()
    builder.feed(html)
    builder.close()
    return builder.open[0]


def render_markdown(html: str) -> str:
    """Markdown of a page's body; links stay relative, and lead to the Markdown of other pages."""
    return "\n\n".join(_render_blocks(parse_html(html)))


# --- blocks --------------------------------------------------------------------------------------


def _render_blocks(tag: Tag) -> Iterator[str]:
    """Blocks of what is in an element; text between them is a paragraph."""
    line: list[Tag | str] = []
    for child in tag.children:
        if isinstance(child, str) or child.name in INLINE_TAGS:
            line.append(child)
            continue
        yield from _render_paragraph(line)
        line = []
        if not _is_skipped(child):
            yield from _render_block(child)
    yield from _render_paragraph(line)


def _is_skipped(tag: Tag) -> bool:
    """Whether a reader does not see an element, or cannot use it outside of the page."""
    if tag.name in SKIPPED_TAGS or not SKIPPED_CLASSES.isdisjoint(tag.classes):
        return True
    return "hidden" in tag.attributes or tag.attributes.get("aria-hidden") == "true"


def _render_block(tag: Tag) -> Iterator[str]:
    """Blocks of one element."""
    if tag.attributes.get("role") == "img":
        yield escape(tag.attributes.get("aria-label", ""))
    elif tag.name == "p":
        yield from _render_own_paragraph(tag)
    elif re.fullmatch("h[1-6]", tag.name):
        yield f"{'#' * int(tag.name[1])} {_render_line(tag.children)}"
    elif "atlas-strip" in tag.classes:
        yield " · ".join(_render_line(child.children) for child in _elements(tag))
    elif "sphx-glr-thumbnails" in tag.classes:
        yield "\n".join(_render_card(card) for card in _elements(tag))
    elif tag.name in RENDERERS:
        yield from RENDERERS[tag.name](tag)
    else:
        yield from _render_highlighted(tag)


def _render_card(card: Tag) -> str:
    """An example in the list of its chapter: a link, and the first sentence of its page."""
    link = next(_find_all(card, "a"), card)
    lead = card.attributes.get("tooltip", "")
    return f"- {_render_inline(link)}" + (f": {escape_prose(lead)}" if lead else "")


def _render_highlighted(tag: Tag) -> Iterator[str]:
    """Code in the language that Sphinx names around it; any other element as what is in it."""
    language = re.search(r"highlight-([\w-]+)", tag.attributes.get("class", ""))
    code = _find(tag, "pre") if language else None
    if language and code:
        yield fence(text_of(code), LANGUAGES.get(language[1], language[1]))
    else:
        yield from _render_blocks(tag)


def _render_own_paragraph(tag: Tag) -> Iterator[str]:
    """A paragraph; the label of a box and the title of a note are strong."""
    text = _render_line(tag.children)
    is_label = not {"atlas-label", "admonition-title"}.isdisjoint(tag.classes)
    yield from [f"**{text}**" if is_label else _shield(text)] if text else []


def _render_paragraph(line: Iterable[Tag | str]) -> Iterator[str]:
    """What stands between two blocks; nothing where that is blank."""
    text = _render_line(line)
    if text:
        yield _shield(text)


def _render_pre(tag: Tag) -> Iterator[str]:
    yield fence(text_of(tag), "text")


def _render_list(tag: Tag) -> Iterator[str]:
    """Items with a mark each; numbered where the page numbers them."""
    is_numbered = tag.name == "ol" and not any(name.startswith("atlas-") for name in tag.classes)
    items = []
    for number, item in enumerate((child for child in _elements(tag) if not _is_skipped(child)), 1):
        blocks = [*_render_blocks(item)]
        mark = f"{number}. " if is_numbered else "- "
        items.append(mark + indent("\n\n".join(blocks), " " * len(mark)))
    yield _join_items(items)


def _render_definitions(tag: Tag) -> Iterator[str]:
    """Terms as strong items, with what is said of them below."""
    items = []
    for child in _elements(tag):
        if child.name == "dt":
            items.append(f"- **{_render_line(child.children)}**")
        elif items:
            blocks = [items[-1], *(indent(f"  {block}", "  ") for block in _render_blocks(child))]
            items[-1] = "\n\n".join(blocks)
    yield _join_items(items)


def _join_items(items: list[str]) -> str:
    """Items of one list; close together where each is one block."""
    is_tight = not any("\n\n" in item for item in items)
    return ("\n" if is_tight else "\n\n").join(items)


def _render_table(tag: Tag) -> Iterator[str]:
    """A table with the first row as its head, and its caption above it."""
    caption = _find(tag, "caption")
    if caption is not None:
        yield _render_line(caption.children)
    rows = [["<br>".join(_render_blocks(cell)) for cell in _elements(row)] for row in _find_all(tag, "tr")]
    if rows:
        yield render_rows(rows)


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
    summary = next((child for child in _elements(tag) if child.name == "summary"), Tag("summary", {}))
    rest = Tag("div", {}, [child for child in tag.children if child is not summary])
    yield f"**{_render_line(summary.children)}**"
    if "atlas-long" in tag.classes:
        yield from _render_blocks(rest)
    else:
        yield from _render_quote(rest)


def _render_quote(tag: Tag) -> Iterator[str]:
    blocks = "\n\n".join(_render_blocks(tag))
    if blocks:
        yield "\n".join(f"> {line}".rstrip() for line in blocks.split("\n"))


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


def _render_line(children: Iterable[Tag | str]) -> str:
    """Text, links and code in one line."""
    return " ".join("".join(_render_inline(child) for child in children).split())


def _render_inline(child: Tag | str) -> str:
    """Markdown of a text or of an element in a line."""
    if isinstance(child, str):
        return escape(child)
    if _is_skipped(child):
        return ""
    if child.name in ("code", "kbd"):
        return quote_code(text_of(child))
    if child.name == "br":
        return "<br>"
    if child.name == "img":
        return f"![{escape(child.attributes.get('alt', ''))}]({_target(child.attributes.get('src', ''))})"
    text = "".join(_render_inline(each) for each in child.children)
    if any(name.startswith("atlas-outcome-") for name in child.classes):
        return f" {text} "  # counts of a field stand apart by their colours
    if child.name == "a":
        return _link(text, child.attributes.get("href", ""))
    mark = {"strong": "**", "b": "**", "em": "*", "i": "*"}.get(child.name, "")
    return _surround(text, mark)


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


# --- tree ----------------------------------------------------------------------------------------


def text_of(tag: Tag) -> str:
    """All text in an element."""
    return "".join(child if isinstance(child, str) else text_of(child) for child in tag.children)


def _elements(tag: Tag) -> list[Tag]:
    """Elements that stand directly in another."""
    return [child for child in tag.children if isinstance(child, Tag)]


def _find_all(tag: Tag, name: str) -> Iterator[Tag]:
    """Elements of a name at any depth, in order, but none inside of another."""
    for child in _elements(tag):
        if child.name == name:
            yield child
        else:
            yield from _find_all(child, name)


def _find(tag: Tag, name: str) -> Tag | None:
    return next(_find_all(tag, name), None)
