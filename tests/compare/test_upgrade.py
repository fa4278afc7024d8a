"""What changes between two environments: every count equals one made straight from the records."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, permutations

import pytest
from committed import (
    committed_changes,
    committed_evidence,
    committed_examples,
    committed_records,
    committed_rules,
    evidence_on,
)
from composed_upgrades import Items, list_items, measure_left_out, measure_pairs, name_places
from samples import ARRAY, CPU, OLDER, example, ran

from tensor_atlas.compare import upgrade
from tensor_atlas.compare.evidence import evidence_from_records
from tensor_atlas.compare.main_calls import MOST_USED, list_needed_code, rank_code
from tensor_atlas.compare.upgrade import (
    NONE,
    RECENT,
    UpgradeTable,
    build_recent_table,
    build_upgrade_table,
    cut_common_start,
    shorten_lines,
    shorten_sides,
)
from tensor_atlas.compare.upgrade_report import (
    COMPOSED,
    SEVERITIES,
    Upgrade,
    list_release_rules,
    render_markdown,
)
from tensor_atlas.examples.parse import parse_example
from tensor_atlas.history.cell_changes import find_rules
from tensor_atlas.history.changes import Rule, Severity
from tensor_atlas.history.releases import ReleaseStep, name_environment
from tensor_atlas.history.timeline import find_events
from tensor_atlas.model.cells import Cell, Outcome, Proof
from tensor_atlas.model.runs import Environment, Raised, Snapshot
from tensor_atlas.records.fold import Record
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store

PAIRS = 10
DRAWN = 40
"""Pairs of environments that a run draws; ``python tests/composed_upgrades.py`` takes all."""
MOST_WRONG, MOST_WRONG_FAR = 0.02, 0.10
"""Share of the items of a composed environment that may be missing, or too many."""
SHARED_START = "02_tensor_to_numpy/asarray_and_array"
"""An example whose later statements need the same first lines."""


@pytest.fixture
def table() -> UpgradeTable:
    """The table of all records."""
    return committed_changes()


def _place(table: UpgradeTable, name: str) -> int:
    return [place.name for place in table.places].index(name)


def _render(table: UpgradeTable, before: str, after: str) -> str:
    return render_markdown(Upgrade(table, _place(table, before), _place(table, after)))


@pytest.mark.slow
def test_page_tells_what_the_records_differ_in(table: UpgradeTable) -> None:
    """Of pairs of recorded environments on a processor: nothing is missing, and nothing too many."""
    tally = measure_pairs(committed_evidence(), table, DRAWN)
    assert tally.direct > 10 * DRAWN
    assert (tally.missing.total(), tally.surplus.total()) == (0, 0), tally.describe()


@pytest.mark.slow
def test_pages_of_releases_show_changes_of_the_upgrade_page(table: UpgradeTable) -> None:
    """The same ones, between the same two environments.

    The upgrade page alone has what another build brought and the next release took back, and of a step over
    several releases of NumPy what a narrower one shows. An example that few environments have run may stand
    at another pair of releases than the others do, or at a step of torch and NumPy together.
    """
    shown_at: set[tuple[str, str, str, str]] = set()
    names = name_places(committed_evidence(), table)
    told: dict[tuple[str, str], Items] = {}
    steps: dict[tuple[str, str], ReleaseStep] = {}
    for shown in committed_evidence().pages.values():
        for event in find_events(shown.example, shown.runs):
            ends = names[event.step.before.id], names[event.step.after.id]
            change, steps[ends] = event.change, event.step
            shown_at.add((change.example, *_releases_of(event.step)))
            sides = (*shorten_sides(change.before, change.after), shorten_lines(change.facts))
            told.setdefault(ends, Counter())[(change.example, change.block), sides] += 1
    assert sum(items.total() for items in told.values()) > 500
    for ends, on_page in told.items():
        items = list_items(table, *ends)
        cells = Counter({key: items[key] for key in items if key[0][0] not in committed_examples()})
        changes, step = items - cells, steps[ends]
        assert on_page <= changes, ends
        here = {example for (example, _), _ in on_page}
        changes = Counter(
            {
                key: count
                for key, count in changes.items()
                if key[0][0] in here or (_is_usual(step) and (key[0][0], *_releases_of(step)) not in shown_at)
            }
        )
        if on_page < changes and step.package == "torch":
            assert (step.before.cuda is None) != (step.after.cuda is None), ends
        elif on_page < changes:
            assert (step.package, step.width > 1) == ("NumPy", True), ends


def _is_usual(step: ReleaseStep) -> bool:
    """Whether most examples have such a step: of one package, and of torch to a neighbouring release."""
    return len(step.packages) == 1 and (step.package == "NumPy" or step.width == 1)


def _releases_of(step: ReleaseStep) -> tuple[str, str, str]:
    """Package of a step, with its release before and after."""
    name = step.package.lower()
    return name, getattr(step.before, name), getattr(step.after, name)


@pytest.mark.slow
def test_counts_are_those_of_the_items(table: UpgradeTable) -> None:
    """By severity, of pairs in either direction, incompatible installs and composed ones among them."""
    for seed in range(PAIRS):
        found = Upgrade(table, *random.Random(seed).sample(range(len(table.places)), 2))
        assert sum(found.statements) == sum(len(item.changes) for item in found.items)
        for severity in range(len(SEVERITIES)):
            rules = [item.rule for item in found.items if item.rule and item.severity == severity]
            assert found.cells[severity] == sum(len(s) for rule in rules for s in rule.calls.values())


@pytest.mark.slow
def test_left_out_environments_are_composed_nearly_as_recorded(table: UpgradeTable) -> None:
    """Few items are missing, and few are too many: of one, drawn anew in each run; more from afar."""
    measured = dict(measure_left_out(committed_evidence(), table, 1))
    assert measured
    for left_out, tally in measured.items():
        words = f"{name_environment(left_out.environment)}: {tally.describe()}"
        most = MOST_WRONG_FAR if left_out.is_far else MOST_WRONG
        assert tally.missing_share <= most, words
        assert tally.surplus_share <= most, words


@pytest.mark.slow
def test_composed_changes_say_what_they_were_seen_with(table: UpgradeTable) -> None:
    """Each with its step, and the page with a sentence; what is recorded says nothing of that."""
    ends = [_place(table, name) for name in ("2.12.1/2.0.2/cpu", "2.15.0/2.4.6/cpu")]
    text = render_markdown(Upgrade(table, *ends))
    assert f"\n\ntorch 2.12.1, NumPy 2.0.2 {COMPOSED}\n\n" in text
    assert "- **NumPy 2.3 (seen with torch 2.13):**" in text
    assert "- **torch 2.13 (seen with NumPy 2.4):**" in text
    assert "- **several steps:** `torch.from_dlpack(x, copy=True)`" in render_markdown(
        Upgrade(table, _place(table, "2.15.0/2.0.2/cpu"), _place(table, "2.14.1/2.0.2/cpu"))
    )
    recorded = render_markdown(Upgrade(table, _place(table, "2.13.0/2.0.2/cpu"), ends[1]))
    assert "seen with" not in recorded
    assert COMPOSED not in recorded


@pytest.mark.slow
def test_reason_of_both_ends_stands_above_no_change(table: UpgradeTable) -> None:
    """It does not say why they differ: in torch 2.3 and 2.4 zeros() lists all signatures, for one reason."""
    reason = next(n for n, (text, _) in enumerate(table.reasons) if text.startswith("Named tensors were"))
    ends = [_place(table, name) for name in ("2.3.1/2.4.6/cpu", "2.4.1/2.4.6/cpu", "2.13.0/2.4.6/cpu")]
    assert reason not in [item.reason for item in Upgrade(table, *ends[:2]).items]
    assert reason in [item.reason for item in Upgrade(table, *ends[1:]).items]


@pytest.mark.slow
def test_table_of_recent_releases_says_what_the_whole_table_says(table: UpgradeTable) -> None:
    """Of every pair that it has: releases of torch with one NumPy, all on a processor."""
    recent = build_recent_table(committed_evidence())
    names = [place.name for place in recent.places]
    assert len(names) == RECENT
    assert len({name.partition("/")[2] for name in names}) == 1
    for before, after in permutations(names, 2):
        said = render_markdown(Upgrade(recent, names.index(before), names.index(after)))
        assert said == render_markdown(Upgrade(table, _place(table, before), _place(table, after)))


@pytest.mark.slow
def test_release_and_reason_stand_beside_what_changed(table: UpgradeTable) -> None:
    """Each with code that shows it; releases that nobody recorded are given as an interval."""
    text = render_markdown(
        Upgrade(table, _place(table, "2.8.0/2.4.6/cpu"), _place(table, "2.15.0/2.4.6/cpu"))
    )
    assert "## What changes from torch 2.8.0, NumPy 2.4.6 to torch 2.15.0, NumPy 2.4.6\n" in text
    (line,) = (line for line in text.split("\n") if "Named tensors were removed in torch 2.13." in line)
    assert line.startswith("- **torch 2.13:** `print(torch.zeros(2, 3, names=")
    assert "  # after: TypeError: zeros() got an unexpected keyword argument 'names'\n" in text
    numpy = render_markdown(
        Upgrade(table, _place(table, "2.15.0/2.0.2/cpu"), _place(table, "2.15.0/2.4.6/cpu"))
    )
    assert "**NumPy 2.1 to 2.4:**" in numpy
    assert "torch 2." not in "".join(line for line in numpy.split("\n") if line.startswith("- **torch"))


@pytest.mark.slow
def test_way_back_mirrors_the_way(table: UpgradeTable) -> None:
    """What a release made raise no longer raises for whoever goes back."""
    ends = _place(table, "2.8.0/2.4.6/cpu"), _place(table, "2.9.1/2.4.6/cpu")
    there, back = Upgrade(table, *ends), Upgrade(table, *ends[::-1])
    assert there.cells[:2] == back.cells[1::-1]
    assert there.statements[:2] == back.statements[1::-1]


@pytest.mark.slow
def test_builds_of_one_release_are_told_apart(table: UpgradeTable) -> None:
    """The one that the other releases have takes the short name; no step leads from one to the other."""
    places = {place.name: n for n, place in enumerate(table.places)}
    cpu = "torch-2.13.0+cpu_numpy-2.4.6_python-3.11_linux-x86_64_cpu"
    assert len(places) == len(table.places)
    labels = [table.places[places[name]].label for name in ("2.13.0/2.4.6/cpu", cpu)]
    assert labels == ["torch 2.13.0, NumPy 2.4.6", "torch 2.13.0+cpu, NumPy 2.4.6, cpu"]
    ends = [(step.before, step.after) for step in table.steps if step.package == 0]
    later = places["2.14.1/2.4.6/cpu"]
    assert [before for before, after in ends if after == later] == [places["2.13.0/2.4.6/cpu"]]
    assert places[cpu] not in [place for pair in ends for place in pair]
    assert Upgrade(table, places[cpu], places["2.13.0/2.4.6/cpu"]).items


@pytest.mark.slow
def test_same_environment_changes_nothing(table: UpgradeTable) -> None:
    """One sentence says so."""
    text = _render(table, "2.8.0/2.4.6/cpu", "2.8.0/2.4.6/cpu")
    assert text.endswith("\n\nThe results recorded in both are the same.\n")


@pytest.mark.slow
def test_incompatible_install_is_named(table: UpgradeTable) -> None:
    """A reader must not take its errors for those of a release."""
    text = render_markdown(Upgrade(table, _place(table, "2.2.2/2.4.6/cpu"), _place(table, "2.3.1/2.4.6/cpu")))
    assert "torch 2.2.2, NumPy 2.4.6 is an incompatible install: this torch was built for NumPy 1." in text


def test_most_used_calls_come_first() -> None:
    """By a reviewed order; code without such a call comes last."""
    assert rank_code("torch.from_numpy(x)") < rank_code("np.array(x)") < rank_code("print(x)")


def test_needed_code_is_what_makes_the_names() -> None:
    """Through other names, and by assignments to elements; imports that all know are left out."""
    text = (
        '"""T\n=\n\nS.\n"""\n\n# %%\nimport numpy as np\na = np.ones(2)\na[0] = 2\nc = 5\nb = a\nprint(b)\n'
    )
    example = parse_example(text, "examples/01_x/a.py")
    assert list_needed_code(example, 5) == ["a = np.ones(2)", "a[0] = 2", "b = a"]


def test_setup_is_kept_statement_by_statement() -> None:
    """Statements of an example share their first lines, and the page carries each of them once."""
    evidence = evidence_on([SHARED_START])
    table = build_upgrade_table(evidence)
    codes = {statement.code for statement in evidence.pages[SHARED_START].example.statements}
    (row,) = table.examples
    setups = [[table.texts[text] for text in place.setup] for place in row.places]
    assert max(map(len, setups)) > 1
    assert codes.issuperset(chain.from_iterable(setups))


@pytest.mark.parametrize(
    ("before", "after", "ends"),
    [
        (["x " * 90 + "one"], ["x " * 90 + "two"], ("x one", "x two")),
        (["same"] * 20 + ["one"], ["same"] * 20 + ["two"], ("…\none", "…\ntwo")),
        (["same"] * 20, ["same"] * 21, ("…\n", "…\nsame")),
        (["one"], ["two"], ("one", "two")),
    ],
)
def test_cut_output_is_shown_from_where_it_differs(
    before: list[str], after: list[str], ends: tuple[str, str]
) -> None:
    """A page must not show the same before and after: 26 changes of the records were cut to that."""
    sides = shorten_sides(before, after)
    assert sides[0] != sides[1]
    assert all(side.endswith(end) for side, end in zip(sides, ends, strict=True))


def _find_rules(ends: Iterable[Environment]) -> Iterator[Rule]:
    """Rules of what changes in the matrix, without those in which the proof alone is another."""
    for rule in find_rules(*(committed_records().cells(end.id) for end in ends)):
        is_of_proof = rule.severity is Severity.WORDING and "known by" in rule.before + rule.after
        if not is_of_proof:
            yield rule


@pytest.mark.slow
def test_every_changed_cell_of_a_release_is_told_by_a_rule(table: UpgradeTable) -> None:
    """By one of its own, or of a step that lies within; as many as the records hold, each once.

    What two builds of one release differ in is told where no release changed.
    """
    store = committed_records()
    by_name = {
        name: store.environments[one] for one, name in name_places(committed_evidence(), table).items()
    }
    builds = [
        pair
        for pair in permutations(store.environments.values(), 2)
        if name_environment(pair[0]) == name_environment(pair[1])
    ]
    of_builds = {cell for pair in builds for rule in _find_rules(pair) for cell in rule.cells}
    assert ("torch-cuda-current-device-no-gpu", "tensor-float32") in of_builds
    told = {}
    for release in committed_rules():
        rules = [item.rule for item in release.items if item.rule]
        cells = [(call, s) for rule in rules for call, sources in rule.calls.items() for s in sources]
        told[release.label] = {(table.calls[call].name, table.sources[source].name) for call, source in cells}
    for step in table.steps:
        ends = [by_name[table.places[place].name] for place in (step.before, step.after)]
        changed = {cell for rule in _find_rules(ends) for cell in rule.cells}
        if (ends[0].cuda is None) != (ends[1].cuda is None):
            changed -= of_builds
        low, high = (table.places[place].releases[step.package] for place in (step.before, step.after))
        within = [
            other.label
            for other in table.steps
            if other.package == step.package
            and low <= table.places[other.before].releases[step.package]
            and table.places[other.after].releases[step.package] <= high
        ]
        assert changed <= set().union(*(told.get(label, set()) for label in within)), step.label
        if step.package == 0 and within == [step.label]:
            assert told.get(step.label, set()) == changed


@pytest.mark.slow
def test_most_used_calls_lead_the_rules_of_a_release() -> None:
    """Within a kind of change; what few programs call comes last."""
    for release in committed_rules():
        keys = [(item.severity, item.is_minor, item.rank) for item in release.items]
        assert keys == sorted(keys)


FROM_NUMPY, TO_TENSOR = "torch-from-numpy-x", "torch-tensor-x"
SHARES = Cell(Outcome.SHARES, Proof.WRITE, "Tensor")
COPIES = replace(SHARES, outcome=Outcome.COPIES)
RAISES = Cell(Outcome.RAISES, error=Raised("TypeError", "no"))


def test_wide_step_says_what_narrower_ones_do_not_say() -> None:
    """One torch was tried with two releases of NumPy, another also with one between them."""
    cells: dict[str, dict[str, dict[str, Cell]]] = {FROM_NUMPY: {}, TO_TENSOR: {}}
    environments = {}
    for torch, numpy, first, second in (
        ("2.0.0+cpu", "1.24.4", SHARES, SHARES),
        ("2.0.0+cpu", "1.26.4", COPIES, COPIES),
        ("2.1.0+cpu", "1.24.4", SHARES, SHARES),
        ("2.1.0+cpu", "1.25.2", RAISES, SHARES),
        ("2.1.0+cpu", "1.26.4", COPIES, SHARES),
    ):
        one = replace(CPU, torch=torch, numpy=numpy)
        environments[one.id] = one
        for name, cell in ((FROM_NUMPY, first), (TO_TENSOR, second)):
            cells[name][one.id] = {"array-float32": cell}
    store = Store(environments, rows={name: Row(name, of_each) for name, of_each in cells.items()})
    table = build_upgrade_table(evidence_from_records({}, store))
    told = {}
    for release in list_release_rules(table):
        rules = [item.rule for item in release.items if item.rule]
        told[release.label] = {table.calls[call].name for rule in rules for call in rule.calls}
    assert told == {
        "NumPy 1.25": {FROM_NUMPY},
        "NumPy 1.26": {FROM_NUMPY},
        "NumPy 1.25 to 1.26": {TO_TENSOR},
        "torch 2.1": {TO_TENSOR},
    }


def test_long_texts_are_shown_from_where_they_differ() -> None:
    """Never as two halves that are the same."""
    same = "word " * 60
    before, after = cut_common_start(f"{same}one", f"{same}two")
    assert (before[-4:], after[-4:]) == (" one", " two")
    assert before != after
    assert len(before) < 100
    assert cut_common_start("short one", "short two") == ("short one", "short two")


def test_messages_are_shown_from_the_first_line_that_differs() -> None:
    """Lines that both begin with say nothing of the change."""
    tables = upgrade._Tables()
    before, after, shorter = (Cell(Outcome.RAISES, error=Raised("E", text)) for text in ("a\nb", "a\nc", "a"))
    for there, sides in ((after, ["b", "c"]), (shorter, ["b", "(no more lines)"])):
        number = upgrade._number_words(tables, before, there)
        severity, *places, _ = list(tables.words)[number]
        assert SEVERITIES[severity] is Severity.WORDING
        assert [list(tables.texts)[place] for place in places] == sides
    assert upgrade._number_words(tables, before, before) == 0


def test_first_lines_that_differ_are_found() -> None:
    """Where one text is longer, also behind the end of the other."""
    find = upgrade._find_first_difference
    assert find(["a", "b", "c"], ["a", "x", "c"]) == ("b", "x")
    assert find(["a"], ["a", "b", "c"]) == ("(no more lines)", "b")
    assert find(["a", "b"], ["a", "b"]) == ("b", "b")


def test_row_of_a_block_has_no_code_and_comes_last() -> None:
    """What shows only among the values that are alive then is of no call; a statement is of its own."""
    what = example("x = torch.ones(2)\nprint(x.numpy())\n")
    first, second = (replace(ran(what, "", text), snapshots=(Snapshot((ARRAY,)),)) for text in "12")
    alive = replace(first, snapshots=(Snapshot((replace(ARRAY, dtype="int8"),)),))
    rows = []
    for other in (second, alive):
        record = Record(what.name, {OLDER.id: first, CPU.id: other})
        store = Store({CPU.id: CPU, OLDER.id: OLDER}, {what.name: record})
        table = build_upgrade_table(evidence_from_records({what.name: what}, store))
        ((row,),) = [one.places for one in table.examples]
        rows.append((row.rank, row.statement, table.texts[row.code], [table.texts[n] for n in row.setup]))
    code = "print(x.numpy())"
    assert rows[0] == (rank_code(code), 1, code, ["x = torch.ones(2)"])
    assert rows[1] == (len(MOST_USED), NONE, "", [])
