"""The list of all pages for programs that read Markdown, section by section (llmstxt.org)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tensor_atlas.pages.markdown import escape, escape_prose

OPTIONAL = "contributing/index"
"""Page whose section a reader with little room may skip; llmstxt.org gives such a section its name."""
ABOUT = """\
Every page is also Markdown: replace `.html` with `.md` in its address.
Output, warnings and errors on a page were captured from runs; conditions such as `torch < 2.3` say
where other releases differ. What no run has confirmed is labelled as shipped, reported or expected.
The page of the matrix lists the conversions and the kinds of input, each with its Markdown page."""
DATA = {
    "errors.json": "every captured error and warning with its class, message, pages, fix and releases",
    "chooser.json": "what every conversion does with every kind of input, on every recorded release",
    "names.json": "names that releases of NumPy and torch changed, with what to write instead",
    "records.json": "all records of the examples",
}
"""Documents for programs, with what they hold."""


def list_sections(page: str, listed: Mapping[str, Iterable[str]]) -> Iterator[list[str]]:
    """Pages section by section: one that lists others, then those below it that list none."""
    below = list(listed.get(page, ()))
    yield [page, *(name for name in below if not listed.get(name))]
    for name in below:
        if listed.get(name):
            yield from list_sections(name, listed)


def render_index(
    root: str,
    sections: Iterable[Sequence[str]],
    entries: Mapping[str, tuple[str, str]],
    base: str = "",
) -> str:
    """The list: name and description of the site, then its sections, each with links to its pages.

    ``entries`` gives the title and the description of each page; addresses are full with ``base``.
    """
    name, description = entries[root]
    data = [_entry(f"{base}{path}", path, words) for path, words in DATA.items()]
    parts = [f"# {name}", f"> {description}", ABOUT, "## Data\n\n" + "\n".join(data)]
    for pages in sections:
        title = "Optional" if pages[0] == OPTIONAL else entries[pages[0]][0]
        lines = [_entry(f"{base}{page}.md", *entries[page]) for page in pages]
        parts.append(f"## {title}\n\n" + "\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _entry(address: str, title: str, description: str) -> str:
    return f"- [{escape(title)}]({address})" + (f": {escape_prose(description)}" if description else "")
