"""``docs/gaps.toml``: examples that some recorded environments have not run yet, each with a reason; pure, takes text.

Whoever adds an example cannot run it on every release at once. What is not measured stays visible as not measured, and
an entry that the records no longer need is drift.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from tensor_atlas.compare.deviations import read_conditions
from tensor_atlas.errors import AtlasError
from tensor_atlas.history.conditions import condition_holds
from tensor_atlas.model.runs import Environment
from tensor_atlas.toml_tables import required_text, required_texts, toml_entries

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
    """Gaps that ``text`` lists; AtlasError names the line of an entry that cannot be read."""
    return tuple(_gap(entry, f"{path}:{line}", line) for entry, line in toml_entries(text, "gap", path))


def _gap(entry: dict[str, object], where: str, line: int) -> Gap:
    unknown = set(entry) - _FIELDS
    if unknown:
        what = f"unknown field {', '.join(sorted(unknown))}"
        raise AtlasError(where, what, f"fields are {', '.join(sorted(_FIELDS))}")
    return Gap(
        examples=required_texts(entry, "examples", where),
        environments=read_conditions(entry, where),
        reason=required_text(entry, "reason", where),
        line=line,
    )
