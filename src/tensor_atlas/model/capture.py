"""Everything one environment observed in one run of the probe; standard library alone; pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tensor_atlas.model.cells import Tried
from tensor_atlas.model.runs import Environment, Run
from tensor_atlas.model.shards import Shard


@dataclass(frozen=True)
class Capture:
    """Everything one environment observed in one run of the probe."""

    environment: Environment
    """Where."""
    runs: tuple[Run, ...]
    """In order of example name."""
    seconds: dict[str, float]
    """Wall time by example; never part of a record."""
    dates: dict[str, str] = field(default_factory=dict)
    """Day of a run, by example, where it is not the environment's: a build keeps runs of earlier days."""
    cells: Mapping[str, Mapping[str, Tried]] = field(default_factory=dict)
    """The matrix: by conversion, then by source."""
    shard: Shard | None = None
    """Which part of a run this is; None for a whole one."""

    def environment_of(self, example: str) -> Environment:
        """Environment of one run, with the day it ran."""
        return replace(self.environment, date=self.dates.get(example, self.environment.date))
