"""This checkout's examples and records, read once in each process that runs tests."""

from __future__ import annotations

import functools
from collections.abc import Collection

from samples import ROOT

from tensor_atlas.checkout import project
from tensor_atlas.checkout.project import Project
from tensor_atlas.compare.evidence import Evidence, evidence_from_records
from tensor_atlas.compare.upgrade import UpgradeTable, build_upgrade_table
from tensor_atlas.compare.upgrade_report import ReleaseRules, list_release_rules
from tensor_atlas.examples.parse import Example
from tensor_atlas.records.store import Store

HERE = Project(ROOT)


@functools.cache
def committed_examples() -> dict[str, Example]:
    """Every example by name."""
    return project.examples_of(HERE)


@functools.cache
def committed_records() -> Store:
    """Everything recorded, which breaks no rule of records."""
    return project.records_of(HERE, committed_examples())


@functools.cache
def committed_evidence() -> Evidence:
    """What pages show of the examples as they are."""
    examples = committed_examples()
    return evidence_from_records(examples, committed_records(), project.deviations_of(HERE, examples))


@functools.cache
def committed_changes() -> UpgradeTable:
    """What differs between any two recorded environments."""
    return build_upgrade_table(committed_evidence())


@functools.cache
def committed_rules() -> list[ReleaseRules]:
    """What each release changed in the matrix."""
    return list_release_rules(committed_changes())


def evidence_on(names: Collection[str]) -> Evidence:
    """Evidence on these examples alone, which is there sooner than all of it."""
    examples = {name: committed_examples()[name] for name in names}
    return evidence_from_records(examples, project.records_of(HERE, examples, matrix=False, only=examples))
