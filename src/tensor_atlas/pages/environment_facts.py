"""Facts of every environment, from which a reader picks one."""

from __future__ import annotations

from collections.abc import Iterable

from tensor_atlas.history.releases import (
    USUAL_PLATFORM,
    USUAL_PYTHON,
    age_key,
    is_compatible,
    name_platform,
    newest_environment,
    python_minor,
    torch_release,
)
from tensor_atlas.model.runs import Environment


def list_environments(environments: Iterable[Environment]) -> list[dict[str, str | bool]]:
    """Facts of every environment, the newest first."""
    ordered = sorted(environments, key=age_key, reverse=True)
    last = newest_environment(ordered)
    return [{**_list_facts(environment), "newest": environment is last} for environment in ordered]


def _list_facts(environment: Environment) -> dict[str, str | bool]:
    """What the picker needs to know of an environment."""
    return {
        "id": environment.id,
        "torch": str(torch_release(environment)),
        "numpy": environment.numpy,
        "python": python_minor(environment),
        "usual": python_minor(environment) == USUAL_PYTHON and environment.platform == USUAL_PLATFORM,
        "device": _name_device(environment),
        "fits": is_compatible(environment),
        "date": environment.date,
    }


def _name_device(environment: Environment) -> str:
    """Device as a reader chooses it: a CUDA build without a GPU, or another platform, is one of its own."""
    device = environment.device
    if environment.kind == "cpu":
        device = "CPU, CUDA build" if environment.cuda else "CPU"
    return device if environment.platform == USUAL_PLATFORM else f"{device}, {name_platform(environment)}"
