"""``docs/scenarios.toml``: questions of readers, and the examples that answer them; pure, takes text."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from difflib import get_close_matches

from tensor_atlas.errors import AtlasError
from tensor_atlas.toml_tables import read_tables

SCENARIOS = "docs/scenarios.toml"
ALIKE = 0.8
"""Likeness from which two topics are taken for one that was misspelt."""


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
    topics: dict[str, str] = {}
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
        _refuse_misspelt(scenario.topic, topics, where)
        found[scenario.number] = scenario
    return tuple(found[number] for number in sorted(found))


def _refuse_misspelt(topic: str, topics: dict[str, str], where: str) -> None:
    """AtlasError where a topic is nearly one of the ``topics`` so far, each by its form in small letters."""
    small = topic.lower()
    known = topics.setdefault(small, topic)
    near = get_close_matches(small, set(topics) - {small}, n=1, cutoff=ALIKE)
    if known != topic or near:
        other = known if known != topic else topics[near[0]]
        raise AtlasError(where, f"topic {topic!r} is nearly {other!r}", "write one of them in both entries")
