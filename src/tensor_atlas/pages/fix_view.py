"""The top of an error page: the code that fails with its message, the code that works, on which releases."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from tensor_atlas.compare.evidence import ExampleEvidence
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.messages import is_quoted, read_fix
from tensor_atlas.history.releases import minor_release
from tensor_atlas.history.timeline import Agreement, Box, rate_agreement, statement_boxes
from tensor_atlas.model.runs import Environment, Run
from tensor_atlas.pages.statement_view import OwnOutput, make_claim_box, view_own_output


@dataclass(frozen=True)
class FixView:
    """Code that fails and its message, and the code that works with its output."""

    before: str
    """Code that raises or warns."""
    message: Box
    """What the title quotes."""
    statement: int
    """Index of the statement that shows it."""
    after: str
    """The same, mended."""
    outputs: tuple[OwnOutput, ...]
    """Output of the whole statements among it."""


def view_fix(evidence: ExampleEvidence) -> FixView | None:
    """What ``.. fix::`` shows; None for an example without it.

    AtlasError for a line that the script does not run, and for a title that no run or claim bears out.
    """
    fix = read_fix(evidence.example)
    if fix is None:
        return None
    index, message = find_message(evidence, fix.before[0].statement)
    whole = [line for line in fix.after if line.is_whole and evidence.run is not None]
    return FixView(
        "\n".join(line.code for line in fix.before),
        message,
        index,
        "\n".join(line.code for line in fix.after),
        tuple(view_own_output(evidence, line.statement) for line in whole),
    )


def find_message(evidence: ExampleEvidence, start: int = 0) -> tuple[int, Box]:
    """First statement from ``start`` on that shows the message that the page's title quotes, and its box.

    Where the run that the page shows gave another message, as a build without CUDA may, the claim has it.
    AtlasError where nothing does.
    """
    title = evidence.example.title
    for list_boxes in (_list_captured, _list_claimed):
        for index in range(start, len(evidence.example.statements)):
            for box in list_boxes(evidence, index):
                if is_quoted(title, box.text):
                    return index, box
    problem = f"no statement shows what the title quotes: {title}"
    remedy = "write the class of the exception, a colon, and words of its message, with … for those left out"
    raise AtlasError(evidence.example.path, problem, remedy)


def _list_captured(evidence: ExampleEvidence, index: int) -> Sequence[Box]:
    """What a statement printed, warned and raised; nothing where no run has shown it."""
    return () if evidence.run is None else statement_boxes(evidence.run, index)


def _list_claimed(evidence: ExampleEvidence, index: int) -> Sequence[Box]:
    """What a statement claims."""
    return [make_claim_box(evidence, index)] if evidence.example.statements[index].claim else []


# --- on which releases ---------------------------------------------------------------------------


ALSO_WARNS = "it also warns"
"""What another run does that does all the same, and warns."""


def watch_fix(evidence: ExampleEvidence) -> tuple[int, frozenset[int]]:
    """Index of the statement that raises or warns, and those of the fix: none where that is no code."""
    fix = read_fix(evidence.example)
    if fix is None:
        return find_message(evidence)[0], frozenset()
    message, _ = find_message(evidence, fix.before[0].statement)
    return message, frozenset(line.statement for line in fix.after)


def describe_fix_releases(evidence: ExampleEvidence, environments: Sequence[Environment]) -> str:
    """``Same on all 17 releases (1.13–2.15)``, or where the error or its fix differs, by release."""
    message, after = watch_fix(evidence)
    runs = {environment.id: run for environment, run in evidence.runs}
    of_error: dict[str, list[Environment]] = {}
    of_fix: dict[str, list[Environment]] = {}
    for environment in environments:
        run = runs.get(environment.id)
        of_error.setdefault(_describe_error(evidence, run, message), []).append(environment)
        of_fix.setdefault(_describe_fix(evidence, run, after), []).append(environment)
    alike = of_fix.pop("", [])
    of_error.pop("", None)
    if not of_fix and not of_error:
        return f"Same on {count_releases(environments, environments)}"
    words = [f"The fix is the same on {count_releases(alike, environments)}"] if after else []
    for what, there in (of_fix | of_error).items():
        words.append(f"{what} on {list_releases(there, environments)}")
    text = "; ".join(words)
    return text[0].upper() + text[1:]


def _describe_error(evidence: ExampleEvidence, run: Run | None, statement: int) -> str:
    """What another run does in place of the error; empty where it does the same."""
    assert evidence.run is not None
    agreement = rate_agreement(evidence.example, run, evidence.run, {statement})
    if agreement is Agreement.SAME:
        return ""
    if run is None or agreement is Agreement.NOT_MEASURED:
        return _name_absence(run)
    if agreement is Agreement.WORDING:
        return "the message is worded differently"
    if _only_warns_besides(run, evidence.run, {statement}):
        return ALSO_WARNS
    kind = find_message(evidence, statement)[1].kind
    labels = [box.label for box in statement_boxes(run, statement) if box.kind == kind]
    if agreement is Agreement.CLASS:
        return f"{labels[0]} instead"
    return "a different result" if labels or kind == "output" else f"no {kind}"


def _describe_fix(evidence: ExampleEvidence, run: Run | None, statements: AbstractSet[int]) -> str:
    """What another run does in place of the fix; empty for the same, and where the fix is no code."""
    assert evidence.run is not None
    agreement = (
        rate_agreement(evidence.example, run, evidence.run, statements) if statements else Agreement.SAME
    )
    if agreement is Agreement.SAME:
        return ""
    if run is None or agreement is Agreement.NOT_MEASURED:
        return _name_absence(run)
    if _only_warns_besides(run, evidence.run, statements):
        return ALSO_WARNS
    new = _list_new_boxes(run, evidence.run, statements)
    raised = [box.label.removesuffix(", uncaught") for box in new if box.kind == "error"]
    return f"it raises {raised[0]}" if raised else "it does something else"


def _only_warns_besides(run: Run, own: Run, statements: AbstractSet[int]) -> bool:
    """Whether a run does all that the shown one does at these statements, and warns."""
    new = _list_new_boxes(run, own, statements)
    return {box.kind for box in new} == {"warning"} and not _list_new_boxes(own, run, statements)


def _list_new_boxes(run: Run, other: Run, statements: AbstractSet[int]) -> list[Box]:
    """Boxes of these statements in one run that another run does not have there."""
    known = {box for index in statements for box in statement_boxes(other, index)}
    return [box for index in sorted(statements) for box in statement_boxes(run, index) if box not in known]


def _name_absence(run: Run | None) -> str:
    """Why nothing is known of a statement there."""
    return "not run" if run is None else "not reached"


def count_releases(there: Sequence[Environment], among: Sequence[Environment]) -> str:
    """``all 17 releases (1.13–2.15)``, ``15 of 17 releases (2.1–2.15)``."""
    count = f"all {len(among)}" if len(there) == len(among) else f"{len(there)} of {len(among)}"
    return f"{count} releases ({list_releases(there, among)})"


def list_releases(there: Sequence[Environment], among: Sequence[Environment]) -> str:
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
