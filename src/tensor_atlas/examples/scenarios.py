"""``docs/scenarios.toml``: what readers need answered, and which examples answer it; pure, takes text."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

from tensor_atlas.errors import AtlasError
from tensor_atlas.toml_tables import required_text, required_texts, toml_entries

_FIELDS = {"number", "topic", "title", "question", "examples"}


@dataclass(frozen=True)
class Scenario:
    """One question."""

    number: int
    """Its number, by which examples and people name it."""
    topic: str
    """What it belongs to, such as ``NumPy to tensor``."""
    title: str
    """It in a few words."""
    question: str
    """It as a reader would ask."""
    examples: tuple[str, ...]
    """``<chapter>/<stem>`` of the examples that answer it by execution, the best first."""


def parse_scenarios(text: str, path: str, known: Container[str]) -> tuple[Scenario, ...]:
    """Scenarios in order of number; AtlasError for an entry that cannot be read, or names an example that is not known.

    Each number stands once, and each scenario has an example.
    """
    found: dict[int, Scenario] = {}
    for entry, line in toml_entries(text, "scenario", path):
        where = f"{path}:{line}"
        scenario = _scenario(entry, where)
        if scenario.number in found:
            raise AtlasError(
                where, f"scenario {scenario.number} is listed twice", "keep one of the two entries"
            )
        strangers = [name for name in scenario.examples if name not in known]
        if strangers:
            raise AtlasError(where, f"no example {', '.join(strangers)}", "name examples as <chapter>/<stem>")
        found[scenario.number] = scenario
    return tuple(found[number] for number in sorted(found))


def _scenario(entry: Mapping[str, object], where: str) -> Scenario:
    fields = dict(entry)
    unknown = set(fields) - _FIELDS
    if unknown:
        what = f"unknown field {', '.join(sorted(unknown))}"
        raise AtlasError(where, what, f"fields are {', '.join(sorted(_FIELDS))}")
    number = fields.get("number")
    if not isinstance(number, int) or isinstance(number, bool):
        raise AtlasError(where, "no number", "write number = 1")
    examples = required_texts(fields, "examples", where)
    if not examples:
        raise AtlasError(where, f"scenario {number} has no example", "write one, and name it here")
    topic, title, question = (required_text(fields, key, where) for key in ("topic", "title", "question"))
    return Scenario(number, topic, title, question, examples)
