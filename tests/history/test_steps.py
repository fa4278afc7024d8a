"""Environments that are composed of steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations

from samples import CPU, GPU

from tensor_atlas.history.releases import name_environment
from tensor_atlas.history.steps import Composed, compose_environments
from tensor_atlas.model.runs import Environment


def at(torch: str, numpy: str, like: Environment = CPU) -> Environment:
    """An environment of these releases."""
    return replace(like, torch=torch, numpy=numpy)


def names(composed: Iterable[Composed]) -> list[str]:
    """Each environment with its base and the torch that took the step."""
    return [
        f"{name_environment(one.environment)} on {name_environment(one.base)} as {one.step.after.torch}"
        for one in composed
    ]


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


def test_no_other_build_of_recorded_releases_is_composed() -> None:
    """What one build did with a NumPy is recorded: nobody needs to compose the other."""
    took = [at("2.9.1", "1.26.4"), at("2.9.1", "2.4.6"), at("2.8.0+cpu", "1.26.4"), at("2.8.0+cpu", "2.4.6")]
    assert compose_environments([*took, at("2.8.0+cu128", "2.4.6")]) == []


def test_what_is_composed_from_afar_says_so() -> None:
    """As does what is composed of that."""
    took = [at("2.9.1", numpy) for numpy in ("1.26.4", "2.0.2", "2.4.6")]
    near = compose_environments([*took, at("2.7.1", "2.4.6")])
    far = compose_environments([*took, at("2.6.0", "2.4.6")])
    assert names(near)[0] == "2.7.1/2.0.2/cpu on 2.7.1/2.4.6/cpu as 2.9.1"
    assert names(far)[1] == "2.6.0/1.26.4/cpu on 2.6.0/2.0.2/cpu as 2.9.1"
    assert [[one.is_far for one in found] for found in (near, far)] == [[False, False], [True, True]]
    nearer = [at("2.5.1", "2.0.2"), at("2.5.1", "2.4.6")]
    beside = compose_environments([*took[:2], *nearer, at("2.6.0", "1.26.4")])
    assert "2.6.0/2.4.6/cpu on 2.6.0/2.0.2/cpu as 2.5.1" in names(beside)
    assert {name_environment(one.environment) for one in beside if one.is_far} >= {"2.6.0/2.4.6/cpu"}


def test_nothing_is_composed_that_cannot_be() -> None:
    """For a torch that cannot use this NumPy, nor from another device or Python."""
    took = [at("2.9.1", "1.26.4"), at("2.9.1", "2.4.6")]
    built = [at("2.3.1", "1.26.4"), at("2.3.1", "2.4.6"), at("2.2.2", "1.26.4")]
    assert compose_environments(built) == []
    assert compose_environments([*took, at("2.8.0", "2.4.6", GPU)]) == []
    assert compose_environments([*took, replace(at("2.8.0", "2.4.6"), python="3.14.0")]) == []
