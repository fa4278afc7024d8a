"""What can be found: wordings of every release with their pages, what each page is about; pure."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from tensor_atlas.compare.evidence import Evidence, ExampleEvidence, locate_statements
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example
from tensor_atlas.examples.prose import (
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
    CLASS_AND_MESSAGE,
    ERROR,
    FIX,
    Message,
    Sighting,
    collect_messages,
    describe_conditions,
    describe_releases,
    find_fix,
)
from tensor_atlas.site.ranking import ERRORS, EXAMPLE, Index, Leaf, Ranking, Wording, substance, tokens
from tensor_atlas.toml_tables import required_text, toml_entries

# --- pages ---------------------------------------------------------------------------------------

_NAMES = 40
"""Names of a page's code that are kept, those used most first."""


def leaf(
    shown: ExampleEvidence, gallery: str, titles: Mapping[str, str], scenarios: Iterable[Scenario]
) -> Leaf:
    """The page of an example."""
    example = shown.example
    fix = find_fix(shown)
    questions = [s.question for s in scenarios if example.name in s.examples]
    return Leaf(
        page=f"{gallery}/{example.name}",
        title=example.title,
        part=ERRORS if fix else EXAMPLE,
        lead=prose_to_text(example.summary.replace("\n", " "), titles),
        more=prose_to_text(
            ". ".join([*(h for h in list_headings(example) if not _is_form(h)), *questions]), titles
        ),
        tags=", ".join(example.tags),
        names=" ".join(_names(example)),
        fix=paragraph_under(example, FIX, titles) if fix else "",
        code="\n".join(statement.code for statement in fix.block.statements) if fix else "",
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

_LINES, _LETTERS = 3, 300
"""How much of a long message is kept."""
_FEW = 3
"""Pages on which a message of broken installations may stand and still be about them."""


def wordings(evidence: Evidence, older: Iterable[Wording], gallery: str) -> tuple[Wording, ...]:
    """Every wording of every release once, with the page that is about it; ``older`` ones first."""
    found = [*older, *(w for shown in evidence.shown.values() for w in _said(shown, gallery))]
    general = []
    for message in collect_messages(evidence):
        for one in (message, *message.elsewhere):
            owner = _owner(one)
            if owner is None:
                general.append(one)
            else:
                is_own = owner.place.block.section == ERROR
                found.append(_wording(one, f"{gallery}/{owner.shown.example.name}", is_own=is_own))
    # What broken installations say is met everywhere: it goes to the page that speaks of it.
    speaking = Ranking(Index((), tuple(found)))
    for one in general:
        best = next(iter(speaking.wordings(f"{one.type}: {one.text}")), None)
        if best is not None:
            found.append(_wording(one, best[1].page, is_own=True))
    return tuple(_distinct(found))


def _distinct(found: Iterable[Wording]) -> Iterator[Wording]:
    """Each text of a page once: with its class where a run has shown that."""
    kept: dict[tuple[str, ...], Wording] = {}
    for wording in sorted(found, key=lambda w: not w.type):
        kept.setdefault((wording.page, *tokens(wording.text)), wording)
    return iter(kept.values())


def _wording(message: Message, page: str, *, is_own: bool) -> Wording:
    where = _where(describe_releases(message)) if message.confirmed else UNSEEN
    return Wording(page, message.type, shortened(message.text), where, is_own)


EVERYWHERE, UNSEEN = "With every environment that ran it.", "Expected; no run has shown it yet."
"""Who says something."""


def _where(conditions: str) -> str:
    return f"With {conditions}." if conditions else EVERYWHERE


def _owner(message: Message) -> Sighting | None:
    """Where a message is dealt with; None for one that broken installations alone give, and on many pages."""
    sightings = message.sightings
    if message.environments and not any(map(is_compatible, message.environments)):
        return sightings[0] if len({s.shown.example.name for s in sightings}) <= _FEW else None
    return min(sightings, key=_distance)


def _distance(sighting: Sighting) -> tuple[bool, bool, bool]:
    """How far a page is from being about what is seen on it; an error page also shows what does not help."""
    is_error_page = find_fix(sighting.shown) is not None
    return sighting.place.block.section != ERROR, is_error_page, "error" not in sighting.shown.example.tags


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
    lines = substance(text)
    return "\n".join(lines[:_LINES])[:_LETTERS]
