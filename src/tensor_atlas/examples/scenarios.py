"""``docs/scenarios.toml``: questions of readers, and the examples that answer them; pure, takes text."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

from tensor_atlas.errors import AtlasError
from tensor_atlas.toml_tables import refuse_unknown_fields, required_text, required_texts, toml_entries

SCENARIOS = "docs/scenarios.toml"
_FIELDS = {"number", "topic", "title", "question", "examples", "also_asked"}


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
    for entry, line in toml_entries(text, "scenario", path):
        where = f"{path}:{line}"
        scenario = _read_scenario(entry, where)
        if scenario.number in found:
            what = f"scenario {scenario.number} is listed twice"
            raise AtlasError(where, what, "keep one of the two entries")
        missing = [name for name in scenario.examples if name not in known]
        if missing:
            raise AtlasError(where, f"no example {', '.join(missing)}", "name examples as <chapter>/<stem>")
        found[scenario.number] = scenario
    return tuple(found[number] for number in sorted(found))


def _read_scenario(entry: Mapping[str, object], where: str) -> Scenario:
    refuse_unknown_fields(entry, _FIELDS, where)
    number = entry.get("number")
    if not isinstance(number, int) or isinstance(number, bool):
        raise AtlasError(where, "no number", "write number = 1")
    examples = required_texts(entry, "examples", where)
    if not examples:
        raise AtlasError(where, f"scenario {number} has no example", "write one, and name it here")
    topic, title, question = (required_text(entry, key, where) for key in ("topic", "title", "question"))
    also_asked = required_texts({"also_asked": [], **entry}, "also_asked", where)
    return Scenario(number, topic, title, question, examples, also_asked)
