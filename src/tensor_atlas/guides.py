"""Answers from the committed records, for the cells of guides; shows as a table in a notebook."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from tensor_atlas.checkout import project
from tensor_atlas.compare.answers import Reading, read_answer
from tensor_atlas.compare.evidence import Evidence, evidence_from_records
from tensor_atlas.records import store


@dataclass(frozen=True)
class Answers:
    """Answers to several questions."""

    rows: tuple[tuple[str, str, Reading], ...]
    """The call, the question about it, and what the records say."""

    def __repr__(self) -> str:
        width = max(len(call) for call, _, _ in self.rows)
        return "\n".join(
            f"{call:<{width}}  {reading.words}  ({_where(reading)})" for call, _, reading in self.rows
        )

    def _repr_markdown_(self) -> str:
        """A table whose answers the site links to their proof and shows for the environment a reader chose."""
        lines = ["| Call | Recorded | Proof |", "| --- | --- | --- |"]
        for call, question, reading in self.rows:
            name = reading.shown.example.name
            lines.append(f"| `{call}` | {{verdict}}`` {question} `` | {{example}}`{name}` |")
        return "\n".join(lines)


def _where(reading: Reading) -> str:
    environment = reading.shown.environment
    if environment is None:
        return reading.shown.missing or "no record"
    return f"torch {environment.torch}, NumPy {environment.numpy}, {environment.device}"


def answers(questions: dict[str, str]) -> Answers:
    """Answers of the committed records: call to show → question, as `tensor_atlas.compare.answers.read` takes it.

    AtlasError for an example, a name or a statement that does not exist.
    """
    evidence = load_evidence({question.partition(":")[0].strip() for question in questions.values()})
    return Answers(
        tuple((call, asked, read_answer(evidence, asked, call)) for call, asked in questions.items())
    )


def load_evidence(names: Collection[str]) -> Evidence:
    """Evidence on these examples, from the records of the checkout that the working directory lies in.

    Each guide asks in a process of its own: to read everything recorded would take longer than all else it does. A
    name that no example has is left out.
    """
    here = project.find(Path.cwd())
    files = [path for name in sorted(names) if (path := here.examples / f"{name}.py").is_file()]
    examples = project.examples_of(here, files) if files else {}
    return evidence_from_records(examples, store.read_records(here.records, matrix=False, only=examples))
