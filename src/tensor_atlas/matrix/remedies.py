"""What to call instead where a conversion raises: the recommended call that worked with the same input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tensor_atlas.catalogue import SOURCES, Group, Source
from tensor_atlas.history.cell_changes import FAILURES
from tensor_atlas.matrix.chooser import GIVES, SCOPE, CellSummary, ResultKind, summarize_source
from tensor_atlas.matrix.preferences import CONTIGUOUS, Preference
from tensor_atlas.matrix.table import Entry, Matrix
from tensor_atlas.matrix.traits import Parts, take_apart

CONVERTING = (Group.TO_TENSOR, Group.TO_NUMPY)
"""Groups whose conversions another one can stand in for; an expression, or a move, has none."""
CHOSEN = {c.name for c in SCOPE if c.group in CONVERTING and not c.needs}
"""Names of the conversions that may get a remedy: one that names a device wants that device."""


@dataclass(frozen=True)
class Remedies:
    """Calls by what somebody has and wants."""

    calls: Mapping[tuple[str, ResultKind], str] = field(default_factory=dict)
    """By source and kind of result: the first recommended call that worked."""
    kinds: Mapping[str, ResultKind] = field(default_factory=dict)
    """What each conversion gives, where it works; of one that nowhere does, what its group is called for."""

    def find(self, entry: Entry) -> str:
        """What to call instead of a cell that raises; empty for others, and where no such call is known."""
        if entry.cell.outcome not in FAILURES or entry.conversion.name not in self.kinds:
            return ""
        return self.calls.get((entry.source.name, self.kinds[entry.conversion.name]), "")


NO_REMEDIES = Remedies()


def find_remedies(matrix: Matrix, preferences: Iterable[Preference]) -> Remedies:
    """Of each source the first preferred call for each kind that the newest environment bears out."""
    summaries = {name: _summarize(column) for name, column in matrix.columns.items()}
    calls: dict[tuple[str, ResultKind], str] = {}
    for preference in preferences:
        for source in SOURCES:
            key = source.name, preference.kind
            if key not in calls and _is_for(preference, source) and _works(preference, source, summaries):
                calls[key] = preference.call
    return Remedies(calls, _find_kinds(summaries))


def _summarize(column: Mapping[str, Entry]) -> dict[str, CellSummary]:
    source = next(iter(column.values())).source
    return summarize_source({name: entry.cell for name, entry in column.items()}, source)


def _find_kinds(summaries: Mapping[str, Mapping[str, CellSummary]]) -> dict[str, ResultKind]:
    """The kind that each conversion gives most often; of one that raises on all inputs, that of its group."""
    counts: dict[str, Counter[ResultKind]] = {}
    for column in summaries.values():
        for name, summary in column.items():
            if name in CHOSEN and summary.kind is not None:
                counts.setdefault(name, Counter())[summary.kind] += 1
    found = {c.name: GIVES[c.group][0] for c in SCOPE if c.name in CHOSEN}
    return found | {name: count.most_common(1)[0][0] for name, count in counts.items()}


def _is_for(preference: Preference, source: Source) -> bool:
    is_named = not preference.only or source.name in preference.only
    return source.form is preference.form and is_named and source.name not in preference.unless


def _works(
    preference: Preference, source: Source, summaries: Mapping[str, Mapping[str, CellSummary]]
) -> bool:
    """Whether each of its cells worked, and the last gave what is wanted, with the elements of the source."""
    cells = []
    for step in preference.steps:
        name = _find_plain(source) if step.source == CONTIGUOUS else step.source or source.name
        cells.append(summaries.get(name, {}).get(step.conversion))
    if not cells or any(one is None or one.outcome in FAILURES for one in cells):
        return False
    last = cells[-1]
    assert last is not None
    return (
        last.kind is preference.kind and last.device == "cpu" and not (last.other_values or last.other_shape)
    )


def _find_plain(source: Source) -> str:
    """Name of the contiguous source of a dtype."""
    same = [s for s in SOURCES if s.form is source.form and s.dtype == source.dtype]
    return next((s.name for s in same if take_apart(s) == Parts(s.dtype)), "")
