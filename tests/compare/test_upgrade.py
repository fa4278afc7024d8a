"""What changes between two environments: every count equals one made straight from the records."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from tensor_atlas.checkout import project
from tensor_atlas.compare.evidence import evidence_from_records
from tensor_atlas.compare.upgrade import UpgradeTable, build_upgrade_table, list_needed_code, rank_code
from tensor_atlas.compare.upgrade_report import Upgrade, render_markdown
from tensor_atlas.examples.parse import Example, parse_example
from tensor_atlas.history.cell_changes import find_rules
from tensor_atlas.history.changes import Severity, compare_environments
from tensor_atlas.history.releases import name_environment
from tensor_atlas.records.store import Store

HERE = project.find(Path(__file__))
PAIRS = 10


@pytest.fixture(scope="module")
def examples() -> dict[str, Example]:
    """Every example of the checkout."""
    return project.examples_of(HERE)


@pytest.fixture(scope="module")
def store(examples: dict[str, Example]) -> Store:
    """Every record of the checkout."""
    return project.records_of(HERE, examples)


@pytest.fixture(scope="module")
def table(examples: dict[str, Example], store: Store) -> UpgradeTable:
    """The table of all records."""
    return build_upgrade_table(evidence_from_records(examples, store, project.deviations_of(HERE, examples)))


def _place(table: UpgradeTable, name: str) -> int:
    return [place.name for place in table.places].index(name)


def test_counts_of_random_pairs_are_those_of_the_records(
    table: UpgradeTable, examples: dict[str, Example], store: Store
) -> None:
    """Ten pairs in either direction, incompatible installs among them."""
    by_name = {name_environment(e): e for e in store.environments.values()}
    for _ in range(PAIRS):
        before, after = random.Random(_).sample(range(len(table.places)), 2)
        ends = [by_name[table.places[place].name] for place in (before, after)]
        compared = compare_environments(
            (ends[0], store.runs(ends[0].id)), (ends[1], store.runs(ends[1].id)), examples
        )
        rules = find_rules(store.cells(ends[0].id), store.cells(ends[1].id))
        cells: Counter[Severity] = Counter()
        for rule in rules:
            is_of_proof = rule.severity is Severity.WORDING and "known by" in rule.before + rule.after
            cells[rule.severity] += 0 if is_of_proof else len(rule.cells)
        found = Upgrade(table, before, after)
        statements = Counter(change.severity for change in compared.changes)
        assert found.statements == [statements[severity] for severity in Severity]
        assert found.cells == [cells[severity] for severity in Severity]
        assert sum(len(item.shown) for item in found.items) == len(compared.changes)


def test_release_and_reason_stand_beside_what_changed(table: UpgradeTable) -> None:
    """Each with code that shows it; releases that nobody recorded are given as an interval."""
    text = render_markdown(table, _place(table, "2.8.0/2.4.6/cpu"), _place(table, "2.15.0/2.4.6/cpu"))
    assert "## What changes from torch 2.8.0, NumPy 2.4.6 to torch 2.15.0, NumPy 2.4.6\n" in text
    assert "- **torch 2.13:** Named tensors were removed in 2.13." in text
    assert "  # after: TypeError: zeros() got an unexpected keyword argument 'names'\n" in text
    numpy = render_markdown(table, _place(table, "2.15.0/2.0.2/cpu"), _place(table, "2.15.0/2.4.6/cpu"))
    assert "**NumPy 2.1 to 2.4:**" in numpy
    assert "torch 2." not in "".join(line for line in numpy.split("\n") if line.startswith("- **torch"))


def test_way_back_mirrors_the_way(table: UpgradeTable) -> None:
    """What a release made raise no longer raises for whoever goes back."""
    ends = _place(table, "2.8.0/2.4.6/cpu"), _place(table, "2.9.1/2.4.6/cpu")
    there, back = Upgrade(table, *ends), Upgrade(table, *ends[::-1])
    assert there.cells[:2] == back.cells[1::-1]
    assert there.statements[:2] == back.statements[1::-1]


def test_same_environment_changes_nothing(table: UpgradeTable) -> None:
    """One sentence says so."""
    assert render_markdown(table, 5, 5).endswith("\n\nNothing that was recorded in both changes.\n")


def test_incompatible_install_is_named(table: UpgradeTable) -> None:
    """A reader must not take its errors for those of a release."""
    text = render_markdown(table, _place(table, "2.2.2/2.4.6/cpu"), _place(table, "2.3.1/2.4.6/cpu"))
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
