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

    rows: tuple[tuple[str, Reading], ...]
    """What was asked, in words, and what the records say."""

    def __repr__(self) -> str:
        width = max(len(label) for label, _ in self.rows)
        return "\n".join(f"{label:<{width}}  {reading.words}  ({_where(reading)})" for label, reading in self.rows)

    def _repr_markdown_(self) -> str:
        lines = ["| Call | Recorded | Environment |", "| --- | --- | --- |"]
        lines += [f"| `{label}` | **{reading.words}** | {_where(reading)} |" for label, reading in self.rows]
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
    return Answers(tuple((label, read(evidence, question, label)) for label, question in questions.items()))


def recorded() -> Evidence:
    """Evidence of the checkout that the working directory lies in, from its records alone."""
    here = project.find(Path.cwd())
    return from_records(project.examples_of(here), store.load(here.records))
