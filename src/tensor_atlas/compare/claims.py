"""Claims beside what was observed: whether one holds, and an example's source with the claims of a run."""

from __future__ import annotations

from collections.abc import Container

from tensor_atlas.examples.parse import CLAIM, Claim, Example, Statement
from tensor_atlas.model.runs import Run, output_lines

OPEN_END = " ..."
"""End of a claim line whose observed line may go on with any text."""


def claim_holds(claim: Claim | None, observed: tuple[str, ...]) -> bool:
    """Whether the observed lines are the claimed ones, exactly but for open ends.

    No claim claims no lines.
    """
    claimed = claim.lines if claim else ()
    return len(claimed) == len(observed) and all(map(_line_holds, claimed, observed))


def _line_holds(claimed: str, observed: str) -> bool:
    if claimed == observed:
        return True
    if not claimed.endswith(OPEN_END) or not claimed.removesuffix(OPEN_END).strip():
        return False  # dots without text before them are output, as in NumPy's summaries
    return observed.startswith(claimed.removesuffix("..."))


def update_claims(example: Example, run: Run, explained: Container[str] = ()) -> str:
    """Source of ``example`` with the claims that ``run`` gives; statements it did not reach keep theirs.

    A claim that holds stays as it is written, with its open end. So does the claim of a statement whose code
    is ``explained``: it speaks of the newest release, not of the one that ran.
    """
    lines = example.source.split("\n")
    reached = list(zip(example.statements, run.observations, strict=False))
    for statement, observation in reversed(reached):  # from the end, so that line numbers stay true
        observed = output_lines(observation)
        if statement.code not in explained and not claim_holds(statement.claim, observed):
            lines[_claim_slice(statement)] = [f"{CLAIM} {line}".rstrip() for line in observed]
    return "\n".join(lines)


def _claim_slice(statement: Statement) -> slice:
    claimed = len(statement.claim.lines) if statement.claim else 0
    return slice(statement.last_line, statement.last_line + claimed)
