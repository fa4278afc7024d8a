"""What can be found on the site: every page by what it is about, every message with its pages; pure.

``atlas-search.js`` ranks them: no rule of the search stands here.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass

from tensor_atlas.compare.evidence import Evidence, ExampleEvidence, locate_statements
from tensor_atlas.compare.rungs import Rung, Support, describe_shipped
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.messages import CLASS_AND_MESSAGE
from tensor_atlas.examples.parse import Example
from tensor_atlas.examples.prose import (
    body_text,
    list_headings,
    paragraph_under,
    prose_to_text,
    quoted_code,
    quoted_names,
)
from tensor_atlas.examples.scenarios import Scenario
from tensor_atlas.history.releases import is_compatible
from tensor_atlas.model.runs import Environment
from tensor_atlas.site.error_index import (
    ERROR,
    FIX,
    Message,
    Sighting,
    collect_messages,
    describe_conditions,
    describe_releases,
    find_fix,
)
from tensor_atlas.toml_tables import required_text, toml_entries

ERRORS, EXAMPLE, CHAPTER, GUIDE, REFERENCE = "Error", "Example", "Chapter", "Guide", "Reference"
RELEASE, PROJECT, MATRIX = "Release", "Contributing", "Matrix"
"""Parts of the site."""
FILE = "atlas-index.js"
"""The index as a script: a page opened as a file can fetch no JSON."""
LATE = frozenset({FILE, "atlas-search.js"})
"""Scripts that a page loads only when something is looked for."""


@dataclass(frozen=True)
class SearchPage:
    """A page in the fields that a search weighs, and what its result shows."""

    page: str
    """Its name, without a suffix."""
    title: str
    """Its title."""
    part: str
    """Part of the site, as a result names it."""
    lead: str = ""
    """One sentence on it, which a result shows."""
    headings: str = ""
    """Its other headings."""
    questions: str = ""
    """Questions that it answers."""
    tags: str = ""
    """Words that its author filed it under."""
    names: str = ""
    """Names that its code uses, the most used first."""
    prose: str = ""
    """All that it says."""
    fix: str = ""
    """What to do about the error that it is about."""
    code: str = ""
    """Code that does it."""
    links: int = 0
    """How many examples point to it."""


@dataclass(frozen=True)
class Wording:
    """What an error says, with the page about it."""

    page: str
    """Its page."""
    type: str
    """Class name; may be empty."""
    text: str
    """The message, its first lines."""
    where: str = ""
    """Which releases say so, as a sentence; empty for what a page only quotes."""
    is_own: bool = True
    """Whether its page is about it, or only shows it among other things."""


def render_script(pages: Sequence[SearchPage], wordings: Iterable[Wording]) -> str:
    """Pages and wordings as the variable ``atlasIndex``; a wording names its page by place."""
    places = {page.page: place for place, page in enumerate(pages)}
    said = [[places[w.page], w.type, w.text, w.where, int(w.is_own)] for w in wordings]
    index = {"pages": [astuple(page) for page in pages], "wordings": said}
    return f"window.atlasIndex = {json.dumps(index, separators=(',', ':'), ensure_ascii=True)};\n"


# --- pages ---------------------------------------------------------------------------------------

_NAMES = 40
"""Names of a page's code that are kept, those used most first."""


def describe_example(
    shown: ExampleEvidence,
    gallery: str,
    titles: Mapping[str, str],
    scenarios: Iterable[Scenario],
    links: Mapping[str, int],
) -> SearchPage:
    """The page of an example."""
    example = shown.example
    fix = find_fix(shown)
    headings = [heading for heading in list_headings(example) if not _is_form(heading)]
    asked = [scenario for scenario in scenarios if example.name in scenario.examples]
    return SearchPage(
        page=f"{gallery}/{example.name}",
        title=prose_to_text(example.title, titles),
        part=ERRORS if fix else EXAMPLE,
        lead=prose_to_text(example.summary.replace("\n", " "), titles),
        headings=prose_to_text(". ".join(headings), titles),
        questions=" ".join(f"{scenario.title}: {scenario.question}" for scenario in asked),
        tags=", ".join(dict.fromkeys([*example.tags, *(scenario.topic for scenario in asked)])),
        names=" ".join(_names(example)),
        prose=body_text(example, titles),
        fix=paragraph_under(example, FIX, titles) if fix else "",
        code="\n".join(statement.code for statement in fix.block.statements) if fix else "",
        links=links.get(example.name, 0),
    )


_LINK = re.compile(r"/gallery/(\d\d_\w+/\w+)")


def count_links(evidence: Evidence) -> Counter[str]:
    """How many other examples point to an example."""
    return Counter(
        name
        for shown in evidence.shown.values()
        for name in set(_LINK.findall(shown.example.source)) - {shown.example.name}
    )


def _is_form(heading: str) -> bool:
    """Whether every error page has this heading."""
    return heading in (ERROR, FIX, "What does not help")


def _names(example: Example) -> list[str]:
    """Attributes and arguments that the code uses, the most used first."""
    nodes = [node for statement in example.statements for node in ast.walk(ast.parse(statement.code))]
    counts = Counter([*(name for node in nodes for name in _named(node)), *quoted_names(example)])
    return [name for name, _ in counts.most_common(_NAMES)]


def _named(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Attribute):
        of = node.value.id if isinstance(node.value, ast.Name) else ""
        yield f"{of}.{node.attr}" if of in ("np", "torch") else node.attr
    elif isinstance(node, ast.keyword) and node.arg is not None:
        yield node.arg


# --- wordings ------------------------------------------------------------------------------------

_LETTERS = 500
"""How much of a long message is kept."""
_FEW = 3
"""Pages on which a message of broken installations may stand and still be about them."""
_FRAMES = re.compile(
    r"^ *(?:Original )?Traceback \(most recent call last\):\n|^ *File \"[^\n]*\n(?:    [^\n]*\n)*",
    re.MULTILINE,
)
"""Frames of a traceback inside a message."""
_SAME = re.compile(r"[^a-z_.]+")
"""What two spellings of one message may differ in: numbers, spaces and signs."""


def collect_wordings(evidence: Evidence, older: Iterable[Wording], gallery: str) -> tuple[Wording, ...]:
    """Every wording of every release with the pages that show it; ``older`` ones first."""
    found = [*older, *(w for shown in evidence.shown.values() for w in _said(shown, gallery))]
    general = []
    for message in collect_messages(evidence):
        for one in (message, *message.elsewhere):
            if _is_general(one):
                general.append(one)
            else:
                found += _wordings(one, gallery)
    # What broken installations say is met everywhere: it goes to the error page that says most of its words.
    own = [wording for wording in found if wording.is_own]
    for one in general:
        best = max(own, key=lambda wording: _shared_words(wording.text, one.text))
        found.append(_wording(one, best.page, is_own=True))
    return tuple(_distinct(found))


def _shared_words(text: str, other: str) -> float:
    """Share of the words of two texts that both have."""
    some, rest = set(text.lower().split()), set(other.lower().split())
    return len(some & rest) / len(some | rest)


def _distinct(found: Iterable[Wording]) -> Iterator[Wording]:
    """Each text of a page once: with its class where a run has shown that."""
    kept: dict[tuple[str, str], Wording] = {}
    for wording in sorted(found, key=lambda w: (not w.type, not w.is_own)):
        kept.setdefault((wording.page, plain(wording.text)), wording)
    return iter(kept.values())


def plain(text: str) -> str:
    """A message without what its spellings differ in."""
    return _SAME.sub(" ", text.lower()).strip()


def _wordings(message: Message, gallery: str) -> Iterator[Wording]:
    """A message with each page that shows it; error pages with it under "The error" are about it."""
    nearest: dict[str, Sighting] = {}
    for sighting in sorted(message.sightings, key=lambda one: one.place.block.section != ERROR):
        nearest.setdefault(sighting.shown.example.name, sighting)
    for name, sighting in nearest.items():
        yield _wording(message, f"{gallery}/{name}", is_own=sighting.place.block.section == ERROR)


def _wording(message: Message, page: str, *, is_own: bool) -> Wording:
    where = _where(describe_releases(message)) if message.confirmed else _unseen(message.support)
    return Wording(page, message.type, shortened(message.text), where, is_own)


EVERYWHERE, UNSEEN = "With every environment that ran it.", "Expected; no run has shown it yet."
"""Which releases say something."""


def _unseen(support: Support) -> str:
    """How well a message is borne out that no run has shown."""
    if support.rung is Rung.REPORTED:
        return "Reported in a public thread; no run has shown it yet."
    return f"{describe_shipped(support)} No run has shown it yet." if support.shipped else UNSEEN


def _where(conditions: str) -> str:
    return f"With {conditions}." if conditions else EVERYWHERE


def _is_general(message: Message) -> bool:
    """Whether broken installations alone give a message, and on many pages."""
    is_of_broken = message.environments and not any(map(is_compatible, message.environments))
    return bool(is_of_broken) and len({s.shown.example.name for s in message.sightings}) > _FEW


def _said(shown: ExampleEvidence, gallery: str) -> Iterator[Wording]:
    """What an error page prints, looks for and quotes as the error, and what others print with its class.

    The error of a child process is in no other place.
    """
    page = f"{gallery}/{shown.example.name}"
    is_error_page = find_fix(shown) is not None
    blocks = [block for block in shown.example.blocks if block.section == ERROR or not is_error_page]
    sought = [text for block in blocks for s in block.statements for text in _sought(s.code)]
    printed = _printed(shown, is_error_page=is_error_page)
    for text in dict.fromkeys([*sought, *quoted_code(shown.example, ERROR), *printed]):
        match = CLASS_AND_MESSAGE.match(text)
        if text.startswith("Traceback"):
            continue
        if match or (is_error_page and len(re.findall(r"[^\W\d]{2,}", text)) >= _FEW):
            type_, message = (match["type"], match["message"]) if match else ("", text)
            where = _who(printed[text]) if text in printed else ""
            yield Wording(page, type_, shortened(message), where, is_error_page)


def _who(printed: tuple[list[Environment], list[Environment]]) -> str:
    there, others = printed
    return _where(describe_conditions(there, others)) if there else UNSEEN


def _printed(
    shown: ExampleEvidence, *, is_error_page: bool
) -> dict[str, tuple[list[Environment], list[Environment]]]:
    """Lines that statements printed where packages fit, with who did and who did not.

    Of an example that nobody ran, the lines that it claims.
    """
    found: dict[str, tuple[list[Environment], list[Environment]]] = {}
    for place in locate_statements(shown.example):
        if is_error_page and place.block.section != ERROR:
            continue
        index = place.statement_index
        claim = shown.example.statements[index].claim
        if claim is not None and not shown.runs:
            found |= {line: ([], []) for line in claim.lines}
        ran = [
            (e, run.observations[index].stdout)
            for e, run in shown.runs
            if is_compatible(e) and index < len(run.observations)
        ]
        outputs = {e: set(stdout.split("\n")) for e, stdout in ran}
        for line in dict.fromkeys(line for lines in outputs.values() for line in sorted(lines)):
            there = [e for e, lines in outputs.items() if line in lines]
            found[line] = (there, [e for e in outputs if e not in there])
    return found


def _sought(code: str) -> Iterator[str]:
    """Texts that a statement looks for in an output."""
    for node in ast.walk(ast.parse(code)):
        if (
            isinstance(node, ast.Compare)
            and isinstance(node.ops[0], ast.In)
            and isinstance(node.left, ast.Constant)
        ):
            yield str(node.left.value)


def older(text: str, path: str, evidence: Evidence, gallery: str) -> tuple[Wording, ...]:
    """Wordings of releases that nobody has recorded, from a TOML file; AtlasError for a bad entry."""
    found = []
    for entry, line in toml_entries(text, "wordings", path):
        where = f"{path}:{line}"
        example, type_, said, source = (
            required_text(entry, k, where) for k in ("example", "type", "text", "source")
        )
        if example not in evidence.shown:
            raise AtlasError(where, f"no example {example}", "name it <chapter>/<stem>")
        found.append(
            Wording(
                f"{gallery}/{example}", type_, said, f"Reported for an older release, not recorded: {source}"
            )
        )
    return tuple(found)


def shortened(text: str) -> str:
    """The beginning of a long message, without the frames of a traceback that it repeats."""
    return _FRAMES.sub("", text)[:_LETTERS].strip()
