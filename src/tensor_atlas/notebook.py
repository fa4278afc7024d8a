"""Answers from the committed records, for the cells of guides; shows as a table in a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tensor_atlas import project, store
from tensor_atlas.evidence import Evidence, from_records
from tensor_atlas.verdicts import Reading, read


@dataclass(frozen=True)
class Answers:
    """Answers to several questions."""

    rows: tuple[tuple[str, str, Reading], ...]
    """The call, the question about it, and what the records say."""

    def __repr__(self) -> str:
        width = max(len(call) for call, _, _ in self.rows)
        return "\n".join(f"{call:<{width}}  {reading.words}  ({_where(reading)})" for call, _, reading in self.rows)

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
    """Answers of the committed records: call to show → question, as `tensor_atlas.verdicts.read` takes it.

    AtlasError for an example, a name or a statement that does not exist.
    """
    evidence = recorded()
    return Answers(tuple((call, asked, read(evidence, asked, call)) for call, asked in questions.items()))


def recorded() -> Evidence:
    """Evidence of the checkout that the working directory lies in, from its records alone."""
    here = project.find(Path.cwd())
    return from_records(project.examples_of(here), store.load(here.records))
