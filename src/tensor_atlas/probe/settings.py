"""Reads ``[tool.tensor-atlas]`` of pyproject.toml: time-outs, and examples that use ``torch._dynamo``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from reprlib import repr as shorten_repr

from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example

TIMEOUT = 60.0
"""Seconds an example may take unless told otherwise."""
MAX_TIMEOUT = 86_400
"""Seconds that it may be given: a day."""


@dataclass(frozen=True)
class Settings:
    """How examples are run."""

    timeout: float = TIMEOUT
    """Seconds an example may take."""
    timeouts: Mapping[str, float] = field(default_factory=dict)
    """Seconds that single examples may take, by name."""
    dynamo: frozenset[str] = frozenset()
    """Names of examples that import ``torch._dynamo``: they are forked from a server that has it."""

    def timeout_of(self, example: Example) -> float:
        """Seconds that an example may take."""
        return self.timeouts.get(example.name, self.timeout)


def read_settings(path: Path) -> Settings:
    """Settings of a pyproject.toml; the defaults where there is none. AtlasError for what cannot be used."""
    table = _read_table(path)
    timeouts = table.get("timeouts", {})
    dynamo = table.get("dynamo", [])
    if not isinstance(timeouts, dict):
        what = "tool.tensor-atlas.timeouts is not a table"
        raise AtlasError(str(path), what, "map example names to seconds")
    if not isinstance(dynamo, list):
        raise AtlasError(str(path), "tool.tensor-atlas.dynamo is not a list", "list example names")
    settings = Settings(
        timeout=_seconds(table.get("timeout", TIMEOUT), path),
        timeouts={name: _seconds(value, path) for name, value in timeouts.items()},
        dynamo=frozenset(map(str, dynamo)),
    )
    named = sorted({*settings.timeouts, *settings.dynamo})
    unknown = [name for name in named if not (path.parent / "examples" / f"{name}.py").is_file()]
    if unknown:
        what = f"a setting for no example: {', '.join(unknown)}"
        raise AtlasError(str(path), what, "name it <chapter>/<stem>")
    return settings


def _read_table(path: Path) -> dict[str, object]:
    if not path.is_file():
        return {}
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # an integer of too many digits is no TOMLDecodeError
        raise AtlasError(str(path), f"not TOML: {error}", "correct the file") from None
    tools = document.get("tool", {})
    table = tools.get("tensor-atlas", {}) if isinstance(tools, dict) else tools
    if not isinstance(table, dict):
        raise AtlasError(str(path), "tool.tensor-atlas is not a table", "write [tool.tensor-atlas]")
    return table


def _seconds(value: object, path: Path) -> float:
    """Seconds of a timeout; AtlasError for what is no number, and for more than a system waits at once."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= MAX_TIMEOUT:
        return float(value)
    what = f"a timeout of {shorten_repr(value)} is no number of seconds"
    raise AtlasError(str(path), what, f"write a number above 0, up to {MAX_TIMEOUT}")
