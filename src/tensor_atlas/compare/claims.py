"""Claims and the output they stand for: how an observation becomes a claim, and a claim enters a script; pure."""

from __future__ import annotations

from collections.abc import Container

from tensor_atlas.examples.parse import CLAIM, Claim, Example, Statement
from tensor_atlas.model.runs import Run, output_lines

OPEN_END = " ..."
"""A claim line of text that ends so leaves the rest of the observed line open."""


def claim_holds(claim: Claim | None, observed: tuple[str, ...]) -> bool:
    """Whether the observed lines are the claimed ones, exactly but for an open end."""
    claimed = claim.lines if claim else ()
    return len(claimed) == len(observed) and all(map(_line_holds, claimed, observed))


def _line_holds(claimed: str, observed: str) -> bool:
    if claimed == observed:
        return True
    begun = claimed.removesuffix(
        OPEN_END
    ).strip()  # without text, as in NumPy's summaries, the dots are output
    return claimed.endswith(OPEN_END) and begun != "" and observed.startswith(claimed.removesuffix("..."))


def update_claims(example: Example, run: Run, explained: Container[str] = ()) -> str:
    """Source of ``example`` with the claims that ``run`` gives; statements it did not reach keep theirs.

    A claim that already holds stays as it is written, open end and all, and so does that of a statement whose code is
    ``explained``: it speaks of the newest release, not of the one that ran.
    """
    lines = example.source.split("\n")
    reached = list(zip(example.statements, run.observations, strict=False))
    for statement, observation in reversed(reached):  # from the end, so that line numbers stay true
        observed = output_lines(observation)
        if statement.code not in explained and not claim_holds(statement.claim, observed):
            lines[_claim_place(statement)] = [f"{CLAIM} {line}".rstrip() for line in observed]
    return "\n".join(lines)


def _claim_place(statement: Statement) -> slice:
    claimed = len(statement.claim.lines) if statement.claim else 0
    return slice(statement.last_line, statement.last_line + claimed)
