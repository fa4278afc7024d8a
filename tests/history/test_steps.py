"""Changes of steps, joined along a way, and environments that are composed of steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise, permutations

from hypothesis import given
from hypothesis import strategies as st
from samples import CPU, GPU

from tensor_atlas.history.releases import name_environment
from tensor_atlas.history.steps import (
    ABSENT,
    Composed,
    OutcomeChange,
    compare_outcomes,
    compose_environments,
    compose_outcome,
    join_changes,
    reverse_changes,
    span_environments,
)
from tensor_atlas.model.runs import Environment

OUTCOMES = st.lists(st.tuples(*[st.integers(ABSENT, 2)] * 5), max_size=4)


def at(torch: str, numpy: str, like: Environment = CPU) -> Environment:
    """An environment of these releases."""
    return replace(like, torch=torch, numpy=numpy)


def names(composed: Iterable[Composed]) -> list[str]:
    """Each environment with its base and the torch that took the step."""
    return [
        f"{name_environment(one.environment)} on {name_environment(one.base)} as {one.step.after.torch}"
        for one in composed
    ]


# --- changes -------------------------------------------------------------------------------------


def test_changes_join_to_the_first_and_the_last_outcome() -> None:
    """Of each thing for itself; what ends where it began is dropped."""
    first, second = OutcomeChange(0, 1, 2), OutcomeChange(1, 0, 1)
    assert join_changes([[first], [OutcomeChange(0, 2, 3), second]]) == [OutcomeChange(0, 1, 3), second]
    assert join_changes([[first, second], [OutcomeChange(0, 2, 1)]]) == [second]
    assert join_changes([]) == []


@given(OUTCOMES)
def test_joined_steps_are_the_direct_comparison(outcomes: list[tuple[int, ...]]) -> None:
    """Whatever changed in between, in either direction, and where something was not tried."""
    steps = [compare_outcomes(outcomes, before, after) for before, after in pairwise(range(5))]
    assert sorted(join_changes(steps)) == compare_outcomes(outcomes, 0, 4)
    back = [reverse_changes(changes) for changes in reversed(steps)]
    assert sorted(join_changes(back)) == compare_outcomes(outcomes, 4, 0)


def test_earliest_pairs_lead_to_all_environments() -> None:
    """A later pair only where no earlier one leads on."""
    pairs = [(0, 1), (1, 2), (0, 2), (2, 3), (4, 5)]
    assert span_environments(pairs, 2) == {1: (1, 2), 0: (0, 1), 3: (2, 3)}


# --- environments that nobody recorded -----------------------------------------------------------


def test_step_of_a_near_torch_composes_an_environment() -> None:
    """One step behind the other, as far as both ends fit this torch."""
    recorded = [at("2.8.0", "2.4.6"), *(at("2.9.1", numpy) for numpy in ("1.26.4", "2.0.2", "2.4.6"))]
    assert names(compose_environments(recorded)) == [
        "2.8.0/2.0.2/cpu on 2.8.0/2.4.6/cpu as 2.9.1",
        "2.8.0/1.26.4/cpu on 2.8.0/2.0.2/cpu as 2.9.1",
    ]


def test_nearest_torch_composes_an_environment() -> None:
    """Of two that took the step, whichever is older."""
    near, far = ([at(torch, numpy) for numpy in ("1.26.4", "2.4.6")] for torch in ("2.9.1", "2.6.0"))
    for recorded in permutations([*near, *far, at("2.8.0", "2.4.6")], 5):
        assert names(compose_environments(recorded)) == ["2.8.0/1.26.4/cpu on 2.8.0/2.4.6/cpu as 2.9.1"]


def test_nothing_is_composed_from_afar() -> None:
    """Nor for a torch that cannot use this NumPy, nor from another device or Python."""
    took = [at("2.9.1", "1.26.4"), at("2.9.1", "2.4.6")]
    assert len(compose_environments([*took, at("2.7.1", "2.4.6")])) == 1
    assert compose_environments([*took, at("2.6.0", "2.4.6")]) == []
    built = [at("2.3.1", "1.26.4"), at("2.3.1", "2.4.6"), at("2.2.2", "1.26.4")]
    assert compose_environments(built) == []
    assert compose_environments([*took, at("2.8.0", "2.4.6", GPU)]) == []
    assert compose_environments([*took, replace(at("2.8.0", "2.4.6"), python="3.14.0")]) == []


def test_composed_outcome_is_that_of_the_step_where_it_changed_something() -> None:
    """Else that of the base."""
    assert compose_outcome(5, 1, 1) == 5
    assert compose_outcome(5, 1, 2) == 2
    assert compose_outcome(1, 1, ABSENT) == ABSENT
