"""``docs/gaps.toml``: examples that some recorded environments have not run yet, each with a reason; pure.

Whoever adds an example cannot run it on every release at once. Pages say of these that they are not measured,
and an entry that the records no longer need is drift.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from tensor_atlas.compare.deviations import read_conditions
from tensor_atlas.history.conditions import condition_holds
from tensor_atlas.model.runs import Environment
from tensor_atlas.toml_tables import refuse_unknown_fields, required_text, required_texts, toml_entries

_FIELDS = {"examples", "environments", "reason"}


@dataclass(frozen=True)
class Gap:
    """Examples that these environments have not run as they are."""

    examples: tuple[str, ...]
    """Names, in which ``*`` stands for anything."""
    environments: tuple[str, ...]
    """Conditions, any of which may hold, as in ``docs/deviations.toml``."""
    reason: str
    """Why, in words for the reader."""
    line: int
    """Line of the entry in the file."""

    def covers(self, example: str, environment: Environment) -> bool:
        """Whether it explains that this environment has not run this example."""
        named = any(fnmatchcase(example, pattern) for pattern in self.examples)
        return named and any(condition_holds(condition, environment) for condition in self.environments)


def parse_gaps(text: str, path: str) -> tuple[Gap, ...]:
    """Gaps in the order of the file; AtlasError names the line of an entry that cannot be read."""
    return tuple(_read_gap(entry, f"{path}:{line}", line) for entry, line in toml_entries(text, "gap", path))


def _read_gap(entry: dict[str, object], where: str, line: int) -> Gap:
    refuse_unknown_fields(entry, _FIELDS, where)
    return Gap(
        examples=required_texts(entry, "examples", where),
        environments=read_conditions(entry, where),
        reason=required_text(entry, "reason", where),
        line=line,
    )
