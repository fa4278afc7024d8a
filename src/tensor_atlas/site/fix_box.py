"""The box at the top of an error page: the code that fails with its message, and the code that works."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from tensor_atlas.compare.evidence import ExampleEvidence
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.fixes import Fix, FixLine, is_error_page, is_quoted, read_fix
from tensor_atlas.history.outcomes import Box, statement_boxes
from tensor_atlas.history.releases import minor_release
from tensor_atlas.history.timeline import Standing, judge_standing
from tensor_atlas.model.runs import Environment
from tensor_atlas.site.execution import app_of, evidence_of, stop
from tensor_atlas.site.nodes import element, html
from tensor_atlas.site.output_nodes import EXPECTED, build_box, build_own_boxes

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx


NARROW = 37
"""Characters in a line of code up to which both sides stand beside each other."""


class FixDirective(SphinxDirective):
    """``.. fix::`` in the docstring of an error page; each line is code that the script runs."""

    has_content = True

    def run(self) -> list[Node]:
        """The box; ends the build for a line that the script does not run."""
        app = app_of(self.env)
        name = self.env.current_document.docname.removeprefix(f"{app.config.tensor_atlas_gallery}/")
        shown = evidence_of(app).shown.get(name)
        if shown is None or not is_error_page(shown.example):
            stop(AtlasError(name, "a fix on a page that is about no error", "begin its title with the class"))
        try:
            fix = read_fix(shown.example)
            assert fix is not None  # its directive is being read
            return [build_fix_box(shown, fix)]
        except AtlasError as error:
            stop(error)


def keep_title(app: Sphinx, doctree: nodes.document) -> None:
    """Handler of ``doctree-read``, before Sphinx collects titles: quotes of a message stay straight, as it has them."""
    name = app.env.current_document.docname.removeprefix(f"{app.config.tensor_atlas_gallery}/")
    shown = evidence_of(app).shown.get(name)
    title = next(iter(doctree.findall(nodes.title)), None)
    if shown is not None and title is not None and is_error_page(shown.example):
        title.clear()
        title += nodes.Text(shown.example.title)


def build_fix_box(shown: ExampleEvidence, fix: Fix) -> element:
    """Code that fails and its message, beside the code that works and its output."""
    outputs = [box for line in fix.after if line.is_whole for box in _build_output(shown, line)]
    before = _build_side("Before", fix.before, [_build_message(shown, fix)], "atlas-fix-before")
    after = _build_side("After", fix.after, outputs, "atlas-fix-after")
    longest = max(len(row) for line in (*fix.before, *fix.after) for row in line.code.split("\n"))
    return html("div", before, after, css=f"atlas-fix-box{' atlas-fix-wide' if longest > NARROW else ''}")


def _build_side(label: str, lines: Sequence[FixLine], outcome: Sequence[Node], css: str) -> element:
    code = "\n".join(line.code for line in lines)
    head = nodes.paragraph("", label, classes=["atlas-label"])
    literal = nodes.literal_block(code, code, language="python", classes=["atlas-code"])
    return html("div", head, literal, *outcome, css=css)


def _build_message(shown: ExampleEvidence, fix: Fix) -> element:
    """The box with the message that the title quotes."""
    index, box = find_message(shown, fix.before[0].statement)
    outcome = html("div", build_box(box), css="atlas-outcome")
    return html("div", outcome, css="atlas-outcomes", data_statement=str(index))


def find_message(shown: ExampleEvidence, start: int = 0) -> tuple[int, Box]:
    """First statement from ``start`` on that shows the message that the page's title quotes, and its box.

    AtlasError where none does.
    """
    title = shown.example.title
    for index in range(start, len(shown.example.statements)):
        for box in _list_boxes(shown, index):
            if is_quoted(title, box.text):
                return index, box
    what = f"no statement shows what the title quotes: {title}"
    remedy = "write the class of the exception, a colon, and words of its message, with … for those left out"
    raise AtlasError(shown.example.path, what, remedy)


def _list_boxes(shown: ExampleEvidence, index: int) -> Sequence[Box]:
    """What a statement printed, warned and raised; what it claims where no run has shown it."""
    if shown.run is not None:
        return statement_boxes(shown.run, index)
    claim = shown.example.statements[index].claim
    return [Box("expected", EXPECTED, "\n".join(claim.lines))] if claim else []


def _build_output(shown: ExampleEvidence, line: FixLine) -> Iterator[Node]:
    """What a line of the code that works printed; nothing where no run has shown it."""
    if shown.run is not None:
        yield from build_own_boxes(shown, line.statement)


# --- on which releases ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Watched:
    """Statements of an error page that its header speaks of."""

    message: int
    """The one that raises or warns."""
    after: frozenset[int]
    """Those of the fix; empty where the fix is no code."""

    @property
    def all(self) -> frozenset[int]:
        """Both."""
        return self.after | {self.message}


def watch_fix(shown: ExampleEvidence) -> Watched:
    """Statements of the error and of its fix."""
    fix = read_fix(shown.example)
    if fix is None:
        return Watched(find_message(shown)[0], frozenset())
    message, _ = find_message(shown, fix.before[0].statement)
    return Watched(message, frozenset(line.statement for line in fix.after))


def describe_fix_releases(shown: ExampleEvidence, environments: Sequence[Environment]) -> str:
    """``Same on all 17 releases (1.13–2.15)``, or where the error or its fix differs; oldest release first."""
    watched = watch_fix(shown)
    of_fix = _group_standings(shown, environments, watched.after)
    of_error = _group_standings(shown, environments, frozenset({watched.message}))
    alike = of_fix.pop(Standing.SAME, [])
    of_error.pop(Standing.SAME, None)
    if Standing.NOT_MEASURED in of_fix:
        of_error.pop(Standing.NOT_MEASURED, None)
    if not of_fix and not of_error:
        return f"Same on {_count_releases(environments, environments)}"
    words = [f"The fix is the same on {_count_releases(alike, environments)}"] if watched.after else []
    words += [f"{state} on {_list_releases(there, environments)}" for state, there in of_fix.items()]
    sentences = [", ".join(words)]
    for state, there in of_error.items():
        what = _describe_error(shown, state, there[0], watched.message)
        sentences.append(f"{what} on {_list_releases(there, environments)}")
    return ". ".join(filter(None, sentences))


def _group_standings(
    shown: ExampleEvidence, environments: Sequence[Environment], statements: frozenset[int]
) -> dict[Standing, list[Environment]]:
    """Environments by how far these statements differ there from the page."""
    assert shown.run is not None
    runs = {environment.id: run for environment, run in shown.runs}
    found: dict[Standing, list[Environment]] = {}
    for environment in environments:
        standing = judge_standing(shown.example, runs.get(environment.id), shown.run, statements)
        found.setdefault(standing, []).append(environment)
    return found


def _describe_error(shown: ExampleEvidence, state: Standing, there: Environment, statement: int) -> str:
    """What other releases do in place of the error."""
    run = next((run for environment, run in shown.runs if environment == there), None)
    boxes = [] if run is None else statement_boxes(run, statement)
    _, message = find_message(shown, statement)
    if state is Standing.CLASS:
        return f"Raised as {next(box.label for box in boxes if box.kind == message.kind)}"
    if state is Standing.BEHAVIOUR:
        is_silent = message.kind != "output" and all(box.kind != message.kind for box in boxes)
        return f"No {message.kind}" if is_silent else "Another outcome"
    return "Worded otherwise" if state is Standing.WORDING else "Not measured"


def _count_releases(there: Sequence[Environment], among: Sequence[Environment]) -> str:
    """``all 17 releases (1.13–2.15)``, ``15 of 17 releases (2.1–2.15)``."""
    count = f"all {len(among)}" if len(there) == len(among) else f"{len(there)} of {len(among)}"
    return f"{count} releases ({_list_releases(there, among)})"


def _list_releases(there: Sequence[Environment], among: Sequence[Environment]) -> str:
    """Minor releases of torch, neighbours joined: ``1.13–2.2, 2.6``."""
    spans: list[list[Environment]] = []
    for before, environment in zip([None, *among], among, strict=False):
        if environment not in there:
            continue
        if spans and spans[-1][-1] == before:
            spans[-1].append(environment)
        else:
            spans.append([environment])
    return ", ".join(map(_name_span, spans))


def _name_span(span: Sequence[Environment]) -> str:
    first, last = minor_release(span[0].torch), minor_release(span[-1].torch)
    return first if first == last else f"{first}–{last}"
