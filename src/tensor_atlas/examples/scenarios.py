"""``docs/scenarios.toml``: questions of readers, and the examples that answer them; pure, takes text."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from tensor_atlas.errors import AtlasError
from tensor_atlas.toml_tables import read_tables

SCENARIOS = "docs/scenarios.toml"


@dataclass(frozen=True)
class Scenario:
    """One question."""

    number: int
    """Number by which examples and people refer to it."""
    topic: str
    """Heading that it is listed under, such as ``NumPy to tensor``."""
    title: str
    """The question in a few words."""
    question: str
    """The question as a reader would ask it."""
    examples: tuple[str, ...]
    """``<chapter>/<stem>`` of the examples that answer it, the best first."""
    also_asked: tuple[str, ...] = ()
    """Other words in which readers look for the first of the examples."""


def parse_scenarios(text: str, path: str, known: Container[str]) -> tuple[Scenario, ...]:
    """Scenarios in order of number; each number occurs once, and each scenario has an example.

    AtlasError names the line of an entry that cannot be read, or that names an example that is not ``known``.
    """
    found: dict[int, Scenario] = {}
    for scenario, where in read_tables(text, "scenario", path, Scenario):
        if scenario.number in found:
            what = f"scenario {scenario.number} is listed twice"
            raise AtlasError(where, what, "keep one of the two entries")
        if not scenario.examples:
            what = f"scenario {scenario.number} has no example"
            raise AtlasError(where, what, "write one, and name it here")
        missing = [name for name in scenario.examples if name not in known]
        if missing:
            raise AtlasError(where, f"no example {', '.join(missing)}", "name examples as <chapter>/<stem>")
        found[scenario.number] = scenario
    return tuple(found[number] for number in sorted(found))
