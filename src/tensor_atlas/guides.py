"""Answers from the committed records for cells of guides, shown as a table in a notebook."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from tensor_atlas.checkout import project
from tensor_atlas.compare.answers import Reading, read_answer
from tensor_atlas.compare.evidence import Evidence, evidence_from_records
from tensor_atlas.history.releases import summarize_environment


@dataclass(frozen=True)
class Answers:
    """Answers to several questions."""

    rows: tuple[tuple[str, str, Reading], ...]
    """The call, the question about it, and what the records say."""

    def __repr__(self) -> str:
        width = max(len(call) for call, _, _ in self.rows)
        lines = [f"{call:<{width}}  {reading.words}  ({_where(reading)})" for call, _, reading in self.rows]
        return "\n".join(lines)

    def _repr_markdown_(self) -> str:
        """A table whose answers the site links to their proof, in the environment that a reader chose."""
        lines = ["| Call | Recorded | Proof |", "| --- | --- | --- |"]
        for call, question, reading in self.rows:
            name = reading.shown.example.name
            lines.append(f"| `{call}` | {{verdict}}`` {question} `` | {{example}}`{name}` |")
        return "\n".join(lines)


def _where(reading: Reading) -> str:
    environment = reading.shown.environment
    if environment is None:
        return reading.shown.missing or "no record"
    return summarize_environment(environment)


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
