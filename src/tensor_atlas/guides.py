"""What cells of guides read of the checkout: answers from the records, shown as a table, and measurements."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tensor_atlas.checkout import project
from tensor_atlas.compare.answers import Reading, read_answer
from tensor_atlas.compare.evidence import Evidence, evidence_from_records


@dataclass(frozen=True)
class Answers:
    """Answers to several questions."""

    rows: tuple[tuple[str, str, Reading], ...]
    """The call, the question about it, and what the records say."""

    def __repr__(self) -> str:
        width = max(len(call) for call, _, _ in self.rows)
        lines = [f"{call:<{width}}  {reading.words}  ({reading.where})" for call, _, reading in self.rows]
        return "\n".join(lines)

    def _repr_markdown_(self) -> str:
        """A table whose answers the site links to the statement that proves them."""
        lines = ["| Call | Recorded |", "| --- | --- |"]
        for call, question, _ in self.rows:
            lines.append(f"| `{call}` | {{verdict}}`` {question} `` |")
        return "\n".join(lines)


def answers(questions: dict[str, str]) -> Answers:
    """Answers of the committed records; ``questions`` maps the call to show to what `read_answer` takes.

    AtlasError for an example, a name or a statement that does not exist.
    """
    evidence = load_evidence({question.partition(":")[0].strip() for question in questions.values()})
    rows = [(call, question, read_answer(evidence, question, call)) for call, question in questions.items()]
    return Answers(tuple(rows))


def load_evidence(names: Collection[str]) -> Evidence:
    """Evidence on these examples, from the records of the checkout around the working directory.

    Only they are read: each guide asks in a process of its own, and reading all records takes a second. Names
    that no example has are left out.
    """
    here = project.find(Path.cwd())
    files = [path for name in sorted(names) if (path := here.examples / f"{name}.py").is_file()]
    examples = project.examples_of(here, files) if files else {}
    return evidence_from_records(examples, project.records_of(here, examples, matrix=False, only=examples))


def read_measurement(device: str = "cpu") -> dict[str, Any] | None:
    """The committed measurement of this kind of device, parsed; None while there is none."""
    path = project.find(Path.cwd()).root / "docs" / "measurements" / f"{device}.json"
    if not path.is_file():
        return None
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
