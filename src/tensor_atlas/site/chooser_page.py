"""The chooser's page: the data its script loads, and a table of common questions for who has no script."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

from docutils import nodes

from tensor_atlas.catalogue.sources import SOURCES, Source
from tensor_atlas.checkout.project import Project
from tensor_atlas.errors import AtlasError
from tensor_atlas.files import replace_file
from tensor_atlas.history.releases import describe_environment
from tensor_atlas.matrix import chooser
from tensor_atlas.matrix.chooser import (
    GOOD,
    SIGNS,
    ChooserTable,
    Memory,
    RankedCall,
    ResultKind,
    Want,
    build_chooser_table,
    possible_kinds,
    rank_calls,
    select_present_rows,
)
from tensor_atlas.model.cells import Outcome
from tensor_atlas.site import chooser_data
from tensor_atlas.site.directives import EvidenceDirective, Site, build_table, locate_entry, read_field
from tensor_atlas.site.execution import evidence_of
from tensor_atlas.site.nodes import element, html

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

FILE = "atlas-matrix.js"
SCRIPT = "atlas-chooser.js"
MADE_OF = "tensor_atlas_chooser"
"""Field of a page's metadata: the digest of what its answers were read off."""
NAME = "NAME"
"""Stands for a conversion in the address that the page gives its script."""

_boards: WeakKeyDictionary[Sphinx, ChooserTable] = WeakKeyDictionary()
_Word = TypeVar("_Word", bound=StrEnum)


def board_of(app: Sphinx) -> ChooserTable:
    """Board of what is recorded of the present code, made once a build."""
    if app not in _boards:
        store = evidence_of(app).store
        _boards[app] = build_chooser_table(select_present_rows(store.rows, store.sources), store.environments)
    return _boards[app]


# --- the data -----------------------------------------------------------------------------------


def provide(app: Sphinx) -> None:
    """Handler of ``builder-inited``, after the execution: write the data where Sphinx collects static files."""
    if app.builder.format != "html" or not evidence_of(app).store.rows:
        return
    folder = Path(app.doctreedir) / "atlas-chooser"
    folder.mkdir(parents=True, exist_ok=True)
    mark = f"// {_digest(app)}\n"
    path = folder / FILE
    if not path.is_file() or not path.read_text(encoding="utf-8").startswith(mark):
        replace_file(path, mark + chooser_data.script(board_of(app)))  # whole: the mark says that it is
    app.config.html_static_path.append(str(folder))


def _digest(app: Sphinx) -> str:
    """Of the records and of the code that reads them: with another one the data are made again."""
    code = [Path(module.__file__ or "") for module in (chooser, chooser_data)]
    contents = (path.read_bytes() for path in [*records(app), *code])
    return hashlib.sha256(b"".join(hashlib.sha256(content).digest() for content in contents)).hexdigest()[:16]


def records(app: Sphinx) -> list[Path]:
    """Files that the board is made of."""
    folder = Project((Path(app.srcdir) / app.config.tensor_atlas_root).resolve()).records
    return sorted([*folder.glob("matrix/*.json"), *folder.glob("*.json")])


def outdated(
    app: Sphinx,
    env: BuildEnvironment,
    added: AbstractSet[str],
    changed: AbstractSet[str],
    removed: AbstractSet[str],
) -> list[str]:
    """Handler of ``env-get-outdated``: pages with a chooser that were made of other records."""
    shown = {name: fields[MADE_OF] for name, fields in env.metadata.items() if MADE_OF in fields}
    return [name for name, digest in shown.items() if digest != _digest(app)]


def load(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, object], doctree: Node | None
) -> None:
    """Handler of ``html-page-context``: a page with a chooser loads the data and the script, no other does."""
    found = doctree.findall(element) if doctree is not None else ()
    if any("atlas-chooser" in node["classes"] for node in found):
        for name in (FILE, SCRIPT):
            app.add_js_file(name, priority=600, defer="defer")


# --- the page -----------------------------------------------------------------------------------


class Chooser(EvidenceDirective):
    """What a reader has and wants, asked by a script; below it common questions with their answers."""

    def fill(self) -> Iterable[Node]:
        site = self.site
        self.env.metadata[site.docname][MADE_OF] = _digest(site.app)
        questions = [_question(entry) for entry in self.read_entries("questions")]
        of = board_of(site.app)
        if not of.environments:
            words = "No conversion of the matrix has been recorded yet, so there is nothing to choose from."
            yield nodes.paragraph("", words, classes=["atlas-notice"])
            return
        words = (
            "Choosing needs JavaScript, which is off. The table below answers common questions without it."
        )
        address = page_of(site, NAME)
        yield html(
            "div",
            nodes.paragraph("", words, classes=["atlas-notice"]),
            css="atlas-chooser",
            data_page=address,
        )
        yield self.common(site, of, questions)

    def common(self, site: Site, of: ChooserTable, questions: Iterable[tuple[Source, Want]]) -> nodes.section:
        """Questions with the best call of each."""
        section = nodes.section(ids=["common-questions"])
        section += nodes.title("", "Common questions")
        self.state.document.note_implicit_target(section, section)
        shown = of.environments[0]
        section += nodes.paragraph(
            "", f"Captured with {describe_environment(shown)}.", classes=["atlas-names"]
        )
        rows = [row(site, have, want, rank_calls(of, have, want, shown.id)) for have, want in questions]
        section += build_table(["I have", "I want", "Call", "Captured"], rows, "atlas-decisions")
        return section


def page_of(site: Site, conversion: str) -> str:
    """Address of the page about a conversion."""
    return site.app.builder.get_relative_uri(site.docname, f"matrix/conversion/{conversion}")


def _question(entry: dict[str, object]) -> tuple[Source, Want]:
    """What an entry asks; AtlasError where a name is unknown, or nobody can want that of such a source."""
    have = next((source for source in SOURCES if source.name == read_field(entry, "have")), None)
    if have is None:
        raise AtlasError(
            locate_entry(entry), f"no source {entry['have']}", "take a name of catalogue/sources.toml"
        )
    kind = _word(ResultKind, entry, "want", "TENSOR")
    if kind not in possible_kinds(have.form):
        raise AtlasError(
            locate_entry(entry), f"{kind} is not made of {have.form} sources", "ask for what is tried on them"
        )
    return have, Want(kind, _word(Memory, entry, "memory", "ANY"), str(entry.get("element", "")))


def _word(words: type[_Word], entry: dict[str, object], key: str, default: str) -> _Word:
    name = str(entry.get(key, default))
    if name not in words.__members__:
        raise AtlasError(
            locate_entry(entry), f"{key} {name!r} is unknown", f"write one of {', '.join(words.__members__)}"
        )
    return words[name]


def row(site: Site, have: Source, want: Want, answers: list[RankedCall]) -> list[list[Node]]:
    """Cells of one question: what there is, what is wanted, the best call, what became of it."""
    asked = nodes.reference("", _words(want), refuri=_link(have, want), internal=True)
    question: list[list[Node]] = [[nodes.paragraph("", have.title)], [nodes.paragraph("", "", asked)]]
    best = next((answer for answer in answers if answer.fit in GOOD), None)
    if best is None:
        words = "no call does it" if answers else "not tried here"
        return [*question, [nodes.paragraph("", "–")], [nodes.paragraph("", words)]]
    uri = f"{page_of(site, best.call.conversion.name)}#{have.name}"
    call = nodes.reference("", "", nodes.literal("", best.call.conversion.title), refuri=uri, internal=True)
    return [*question, [nodes.paragraph("", "", call)], list(captured(best))]


def _words(want: Want) -> str:
    memory = [] if want.memory is Memory.ANY else [str(want.memory)]
    return ", ".join([str(want.kind), *memory, *filter(None, [want.element])])


def _link(have: Source, want: Want) -> str:
    """Address of the question on its page, as the script writes it."""
    parts = {"have": have.name, "want": want.kind.name, "memory": want.memory.name, "dtype": want.element}
    return "#" + "&".join(f"{key}={value}" for key, value in parts.items() if value)


def captured(answer: RankedCall) -> Iterable[Node]:
    """What became of the source, what came out, and what to mind."""
    told = answer.call.summary
    text = f"{SIGNS[told.outcome]} {told.outcome}"
    kind = {Outcome.COPIES: "copies", Outcome.SAME: "shares", Outcome.SHARES: "shares"}.get(
        told.outcome, "prints"
    )
    words = nodes.inline("", text, classes=["atlas-verdict", f"atlas-verdict-{kind}"])
    yield nodes.paragraph("", "", words, nodes.Text(f" {told.element}" if told.element else ""))
    mind = [told.error] if told.error else [*answer.cautions, *(["warns"] if told.warnings else [])]
    if mind:
        yield nodes.paragraph("", "; ".join(mind), classes=["atlas-names"])
