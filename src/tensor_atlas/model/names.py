"""Names of modules and classes, keywords of calls: what asking for each of them gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tensor_atlas.model.runs import JSON, Raised, Warned, encode_fields

NAME = "{name}"
"""What stands for the name in a message, so that messages of one kind are equal."""


@dataclass(frozen=True)
class NameAnswer:
    """What ``getattr`` gave for one name."""

    warnings: tuple[Warned, ...] = ()
    """What it warned of."""
    error: Raised | None = None
    """None where there is such a name, or such a keyword.

    AttributeError where there is no such name, TypeError where a call does not know a keyword; another class
    where they need a device or another object.
    """


def is_there(name: str, answer: NameAnswer) -> bool:
    """Whether there is a name, even if this machine or object cannot give what it stands for.

    What ends with ``=`` is the keyword of a call.
    """
    absent = "TypeError" if name.endswith("=") else "AttributeError"
    return answer.error is None or answer.error.type != absent


Names: TypeAlias = Mapping[str, Mapping[str, NameAnswer]]
"""By namespace, such as ``numpy.random``, then by name; empty for a namespace that is not there.

The namespace of a keyword is the path of the call, ``numpy.asarray`` of ``copy=``.
"""


def encode_names(names: Names) -> dict[str, JSON]:
    """Each distinct answer once, and each name as the index of its answer."""
    indices: dict[NameAnswer, int] = {}
    namespaces: dict[str, JSON] = {}
    for namespace, answers in names.items():
        namespaces[namespace] = {
            name: indices.setdefault(answer, len(indices)) for name, answer in answers.items()
        }
    return {"answers": [encode_fields(answer) for answer in indices], "namespaces": namespaces}
