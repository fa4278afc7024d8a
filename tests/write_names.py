"""Writes the names that the probe asks for: all that some record or capture lists.

    python tests/write_names.py [CAPTURE …]

Run it when a release has new names. A namespace stays, even one that nothing lists.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path

from samples import ROOT

from tensor_atlas.catalogue import CALLS, NAMES
from tensor_atlas.model.names import Names, is_there
from tensor_atlas.records.store import read_capture, read_records

FILE = ROOT / "src" / "tensor_atlas" / "catalogue" / "names.toml"
HEAD = "# Names that a recorded release lists, by module or class: tests/write_names.py writes them.\n"


def join_names(asked: Mapping[str, Iterable[str]], answered: Iterable[Names]) -> dict[str, list[str]]:
    """The names asked for, and those that some answer says are there."""
    joined = {namespace: set(names) for namespace, names in asked.items()}
    for names in answered:
        for namespace, answers in names.items():
            there = {name for name, answer in answers.items() if is_there(name, answer)}
            joined.setdefault(namespace, set()).update(there)
    return {namespace: sorted(names) for namespace, names in joined.items() if namespace not in CALLS}


def spell_names(names: Mapping[str, Iterable[str]]) -> str:
    """The table as TOML, its lines no longer than those of code."""
    tables = []
    for namespace, known in names.items():
        lines = textwrap.fill(" ".join(known), 110, break_long_words=False, break_on_hyphens=False)
        tables.append(f'"{namespace}" = """\n{lines}\n"""\n')
    return "\n".join([HEAD, *tables])


def main(captures: list[str]) -> int:
    """Write the file anew; 0."""
    answered = [read_capture(Path(path)).names for path in captures]
    recorded = read_records(ROOT / "docs" / "records", matrix=False).names
    answered += [
        {record.namespace: answers} for record in recorded.values() for answers in record.answers.values()
    ]
    FILE.write_text(spell_names(join_names(NAMES, answered)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
