"""What the search knows: every page by what it is about, every message with its pages; pure.

``atlas-search.js`` ranks them: no rule of the search stands here.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from itertools import pairwise

from tensor_atlas.compare.evidence import Evidence, ExampleEvidence, locate_statements
from tensor_atlas.compare.rungs import Rung, Support, describe_shipped, describe_twin
from tensor_atlas.examples.messages import CLASS_AND_MESSAGE, ERROR, FIX, WRONG
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
from tensor_atlas.examples.trees import read_tree
from tensor_atlas.history.releases import is_compatible
from tensor_atlas.model.runs import Environment
from tensor_atlas.pages import GALLERY
from tensor_atlas.pages.error_messages import (
    Message,
    Sighting,
    describe_conditions,
    find_fix,
    list_all_wordings,
)
from tensor_atlas.pages.search_details import PATTERNS, list_cases, list_details, list_shown_ranks

ERRORS, EXAMPLE, CHAPTER, GUIDE, REFERENCE = "Error", "Example", "Chapter", "Guide", "Reference"
RELEASE, PROJECT, MATRIX = "Release", "Contributing", "Matrix"
"""Parts of the site."""


@dataclass(frozen=True)
class SearchPage:
    """A page in the fields that a search weighs, and what its result shows."""

    page: str
    """Its name, without a suffix; of a part of a page with ``#`` and the name of the part."""
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
    ranks: frozenset[str] = frozenset()
    """Ranks of the shapes that it shows, as details of a message."""


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
    cases: frozenset[frozenset[str]] = frozenset()
    """Details of the message, and of those that differ from it in numbers alone."""


def render_script(
    pages: Sequence[SearchPage], wordings: Iterable[Wording], choices: Sequence[Sequence[str]]
) -> str:
    """Pages, wordings and the chooser's words as ``atlasIndex``; a wording names its page by place."""
    places = {page.page: place for place, page in enumerate(pages)}
    wordings = tuple(wordings)
    said = [[places[w.page], w.type, w.text, w.where, int(w.is_own)] for w in wordings]
    cases: dict[str, set[frozenset[str]]] = defaultdict(set)
    for wording in wordings:
        if wording.is_own:
            cases[wording.page] |= wording.cases or {list_details(wording.text)}
    index = {
        "pages": [
            (*astuple(replace(page, prose=""))[:-1], _list_page_cases(page, cases[page.page]))
            for page in pages
        ],
        "words": _pack_words(pages),
        "wordings": said,
        "choices": choices,
        "details": PATTERNS,
    }
    return f"window.atlasIndex = {json.dumps(index, separators=(',', ':'), ensure_ascii=True)};\n"


FILLERS = """
after also an and are be before but by can could did do does each for from has have if
into is its like more only or other should so such than that the their them then there these they
this those to use uses using was were what when where which while who why will with would you your
"""
"""Words in prose that the search does not look for."""
_FILLER = re.compile(rf"\b(?:{'|'.join(FILLERS.split())})\b ?", re.IGNORECASE)


_SIGNS = '.,:;`()*"'


def _list_words(prose: str) -> set[str]:
    """Words of prose that the search looks for, each once."""
    bare = (written.strip(_SIGNS) for written in _FILLER.sub("", prose).split())
    # The parts of a name in camel case count, too.
    return {word.lower() if word[1:].islower() else word for word in bare if word}


def _pack_words(pages: Sequence[SearchPage]) -> tuple[str, str]:
    """Words of prose in alphabetical order, and the pages of each, as numbers of pages between two of them.

    The digits of a number are letters, the last one small. Texts of the pages take twice as much.
    """
    places: dict[str, list[int]] = defaultdict(list)
    for place, page in enumerate(pages):
        for word in _list_words(page.prose):
            places[word].append(place)
    words = sorted(places)
    return " ".join(words), " ".join(_spell_steps(places[word]) for word in words)


def _spell_steps(places: Iterable[int]) -> str:
    """How many pages lie between two of some, each number in letters."""
    return "".join(_spell(there - last - 1) for last, there in pairwise([-1, *places]))


def _spell(number: int) -> str:
    """A number in letters."""
    rest, last = divmod(number, 26)
    letters = chr(ord("a") + last)
    while rest:
        rest, digit = divmod(rest, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


def _list_page_cases(page: SearchPage, messages: Iterable[frozenset[str]]) -> list[str]:
    """Details of the messages that a page answers; of its title too, where it is an error's."""
    title = page.title if page.part == ERRORS else ""
    return list_cases(title, f"{page.lead} {page.fix}", page.code, page.ranks, messages)


# --- pages ---------------------------------------------------------------------------------------

_HEADINGS = (ERROR, FIX, WRONG)
"""Headings that every error page has."""
_NAMES = 40
"""Names of a page's code that are kept, those used most first."""


def describe_example(
    evidence: ExampleEvidence,
    titles: Mapping[str, str],
    scenarios: Iterable[Scenario],
    links: Mapping[str, int],
) -> SearchPage:
    """The page of an example."""
    example = evidence.example
    fix = find_fix(evidence)
    headings = [heading for heading in list_headings(example) if heading not in _HEADINGS]
    asked = [scenario for scenario in scenarios if example.name in scenario.examples]
    return SearchPage(
        page=name_page(evidence),
        title=prose_to_text(example.title, titles),
        part=ERRORS if fix else EXAMPLE,
        lead=prose_to_text(example.summary.replace("\n", " "), titles),
        headings=prose_to_text(". ".join(headings), titles),
        questions=" ".join(_list_questions(example.name, asked)),
        tags=", ".join(dict.fromkeys([*example.tags, *(scenario.topic for scenario in asked)])),
        names=" ".join(_list_names(example)),
        prose=body_text(example, titles),
        fix=paragraph_under(example, FIX, titles) if fix else "",
        code="\n".join(statement.code for statement in fix.block.statements) if fix else "",
        links=links.get(example.name, 0),
        ranks=list_shown_ranks(example.title, example.source) if fix else frozenset(),
    )


def _list_questions(name: str, asked: Iterable[Scenario]) -> Iterator[str]:
    """What is asked of an example; other words for it are those of the example that answers best."""
    for scenario in asked:
        yield f"{scenario.title}: {scenario.question}"
        if scenario.examples[0] == name:
            yield from (f"{words}." for words in scenario.also_asked)


_EXAMPLE_LINK = re.compile(r"/gallery/(\d\d_\w+/\w+)")


def count_links(evidence: Evidence) -> Counter[str]:
    """How many other examples point to an example."""
    return Counter(
        name
        for shown in evidence.pages.values()
        for name in set(_EXAMPLE_LINK.findall(shown.example.source)) - {shown.example.name}
    )


def _list_names(example: Example) -> list[str]:
    """Attributes and arguments that the code uses, the most used first."""
    nodes = [node for statement in example.statements for node in ast.walk(read_tree(statement.code))]
    counts = Counter([*(name for node in nodes for name in _find_names(node)), *quoted_names(example)])
    return [name for name, _ in counts.most_common(_NAMES)]


def _find_names(node: ast.AST) -> Iterator[str]:
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
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
"""Codes of a terminal that torch writes into some messages."""
_SAME = re.compile(r"[^a-z_.]+")
"""What two spellings of one message may differ in: numbers, spaces and signs."""


def collect_wordings(
    evidence: Evidence, messages: Iterable[Message], older: Iterable[Wording]
) -> tuple[Wording, ...]:
    """Every wording of every release with the pages that show it; ``older`` ones first."""
    wordings = [*older]
    for page in evidence.pages.values():
        wordings += _list_texts(page)
    general = []
    for message_wording in list_all_wordings(messages):
        if _is_general(message_wording):
            general.append(message_wording)
        else:
            wordings += _list_wordings(message_wording)
    # What broken installations say is met everywhere: it goes to the error page that says most of its words.
    own = [wording for wording in wordings if wording.is_own]
    for message_wording in general:
        best = max(own, key=lambda wording: _shared_words(wording.text, message_wording.text))
        wordings.append(_build_wording(message_wording, best.page, is_own=True))
    return tuple(_distinct(wordings))


def _shared_words(text: str, other: str) -> float:
    """Share of the words of two texts that both have."""
    some, rest = set(text.lower().split()), set(other.lower().split())
    return len(some & rest) / len(some | rest)


def _distinct(wordings: Iterable[Wording]) -> Iterator[Wording]:
    """Each text of a page once, with the details of all: with its class where a run has shown that."""
    kept: dict[tuple[str, str], Wording] = {}
    for wording in sorted(wordings, key=lambda w: (not w.type, not w.is_own)):
        key = (wording.page, plain(wording.text))
        first = kept.get(key, wording)
        kept[key] = replace(first, cases=first.cases | (wording.cases or {list_details(wording.text)}))
    return iter(kept.values())


def plain(text: str) -> str:
    """A message without what its spellings differ in."""
    return _SAME.sub(" ", text.lower()).strip()


def _list_wordings(message: Message) -> Iterator[Wording]:
    """A message with each page that shows it; error pages with it under "The error" are about it."""
    nearest: dict[str, Sighting] = {}
    for sighting in sorted(message.sightings, key=lambda one: one.location.block.section != ERROR):
        nearest.setdefault(name_page(sighting.evidence), sighting)
    for page, sighting in nearest.items():
        is_own = sighting.location.block.section == ERROR and not _is_strange(message, sighting.evidence)
        yield _build_wording(message, page, is_own=is_own)


def name_page(evidence: ExampleEvidence) -> str:
    """Name of an example's page, as Sphinx has it."""
    return f"{GALLERY}/{evidence.example.name}"


def _build_wording(message: Message, page: str, *, is_own: bool) -> Wording:
    if message.confirmed:
        where = _describe_where(describe_conditions(message.environments, message.others))
    else:
        where = _describe_support(message.support)
    cases = frozenset({list_details(message.text)})
    return Wording(page, message.type, shorten_message(message.text), where, is_own, cases)


EVERYWHERE, UNSEEN = "In every environment that ran it.", "Expected; no run has shown it yet."
"""Which releases say something."""


def _describe_support(support: Support) -> str:
    """How well a message is borne out that no run has shown."""
    if support.rung is Rung.REPORTED:
        return "Reported in a public thread; no run has shown it yet."
    if support.rung is Rung.EXECUTED:
        return f"{describe_twin(support)} No run on this device has shown it yet."
    return f"{describe_shipped(support)} No run has shown it yet." if support.shipped else UNSEEN


def _describe_where(conditions: str) -> str:
    return f"With {conditions}." if conditions else EVERYWHERE


def _is_of_broken(message: Message) -> bool:
    """Whether broken installations alone give a message."""
    return bool(message.environments) and not any(map(is_compatible, message.environments))


def _is_general(message: Message) -> bool:
    """Whether broken installations alone give a message, and on many pages."""
    return _is_of_broken(message) and len({s.evidence.example.name for s in message.sightings}) > _FEW


def _is_strange(message: Message, page: ExampleEvidence) -> bool:
    """Whether broken installations alone give a message, in words that its page does not have."""
    words = set(_WORD.findall(message.text.lower()))
    known = set(_WORD.findall(page.example.source.lower()))
    return _is_of_broken(message) and len(words & known) < _SAID * len(words)


_WORD = re.compile(r"[a-z_]{3,}")
_SAID = 0.2
"""Share of a message's words that a page about it has at least."""


_PLAIN_WORD = re.compile(r"(?<![\w.])[A-Za-z][a-z]+(?![\w.(])")
"""A word that is no name of code, and no part of one: ``torch.cuda.FloatTensor`` has none."""


def _has_words(text: str) -> bool:
    """Whether a text without a class is a message, not code or a value."""
    return len(_PLAIN_WORD.findall(text)) > 1 and len(re.findall(r"[^\W\d]{2,}", text)) >= _FEW


def _list_texts(evidence: ExampleEvidence) -> Iterator[Wording]:
    """What an error page prints, looks for and quotes as the error, and what others print with its class.

    The error of a child process is in no other place.
    """
    is_error_page = find_fix(evidence) is not None
    places = [
        location
        for location in locate_statements(evidence.example)
        if location.block.section == ERROR or not is_error_page
    ]
    indices = [location.statement_index for location in places]
    sought: list[str] = []
    for index in indices:
        sought += _list_sought(evidence.example.statements[index].code)
    printed = _list_printed(evidence, indices)
    for text in dict.fromkeys([*sought, *quoted_code(evidence.example, ERROR), *printed]):
        match = CLASS_AND_MESSAGE.match(text)
        if text.startswith("Traceback"):
            continue
        if match or (is_error_page and _has_words(text)):
            type_, message = (match["type"], match["message"]) if match else ("", text)
            where = printed.get(text, "")
            yield Wording(name_page(evidence), type_, shorten_message(message), where, is_error_page)


def _list_printed(evidence: ExampleEvidence, indices: Iterable[int]) -> dict[str, str]:
    """Lines that statements printed where packages fit, with the releases that did, as a sentence.

    Of an example that nobody ran, the lines that it claims.
    """
    texts: dict[str, str] = {}
    for index in indices:
        claim = evidence.example.statements[index].claim
        if claim is not None and not evidence.runs:
            texts |= dict.fromkeys(claim.lines, UNSEEN)
        outputs: dict[Environment, set[str]] = {}
        for environment, run in evidence.runs:
            observation = run.observation(index)
            if is_compatible(environment) and observation is not None:
                outputs[environment] = set(observation.stdout.split("\n"))
        for line in dict.fromkeys(line for lines in outputs.values() for line in sorted(lines)):
            there = [environment for environment, lines in outputs.items() if line in lines]
            others = [environment for environment in outputs if environment not in there]
            texts[line] = _describe_where(describe_conditions(there, others))
    return texts


def _list_sought(code: str) -> Iterator[str]:
    """Texts that a statement looks for in an output."""
    for node in ast.walk(read_tree(code)):
        if (
            isinstance(node, ast.Compare)
            and isinstance(node.ops[0], ast.In)
            and isinstance(node.left, ast.Constant)
        ):
            yield str(node.left.value)


def shorten_message(text: str) -> str:
    """The beginning of a long message, without colour codes and the frames of a traceback that it repeats."""
    return _COLOURS.sub("", _FRAMES.sub("", text))[:_LETTERS].strip()
