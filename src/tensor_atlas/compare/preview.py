"""A torch that is not released yet against the newest recorded one: what a page warns of; pure, takes text.

It is no record: no claim, deviation, count or comparison reads it, and the next one takes its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct
from packaging.version import Version

from tensor_atlas.compare.headlines import describe_sides
from tensor_atlas.compare.main_calls import find_headline
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example
from tensor_atlas.history.changes import Change, find_changes
from tensor_atlas.history.releases import newest_environment, python_minor, summarize_environment
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Environment, Run, Status

PREVIEW = Path("docs", "preview.json")


class Foreseen(Struct, frozen=True):
    """A statement that will do something else."""

    example: str
    """``<chapter>/<stem>``."""
    severity: str
    """What kind of change it is."""
    call: str
    """The call that changes."""
    before: str
    """First line that differs, in the newest recorded release; empty where none was printed."""
    after: str
    """The same, in the preview."""


class Preview(Struct, frozen=True):
    """A candidate or a nightly build, and what differs there."""

    torch: str
    """Release with its suffixes."""
    where: str
    """The whole environment, in words."""
    date: str
    """Day of the run, ISO 8601, UTC."""
    against: str
    """The recorded environment that it was compared with, in words."""
    compared: int
    """How many examples ran the same code in both."""
    changes: tuple[Foreseen, ...]
    """The gravest first."""


def is_preview(environment: Environment) -> bool:
    """Whether its torch or NumPy is no release: a nightly build, a candidate, a build of a branch."""
    return Version(environment.torch).is_prerelease or Version(environment.numpy).is_prerelease


def find_counterpart(environment: Environment, recorded: Iterable[Environment]) -> Environment | None:
    """The newest recorded environment of a kind of device; if possible, with the same platform and Python."""
    kin = [one for one in recorded if one.kind == environment.kind]
    alike = [one for one in kin if one.platform == environment.platform]
    same = [one for one in alike if python_minor(one) == python_minor(environment)]
    return newest_environment(same or alike or kin)


def build_preview(
    capture: Capture, before: Environment, then: Mapping[str, Run], examples: Mapping[str, Example]
) -> Preview:
    """What a capture does otherwise than the recorded runs of an environment."""
    compared = 0
    changes: list[Change] = []
    for run in capture.runs:
        known = then.get(run.example)
        if known is None or known.digest != run.digest or Status.NOT_RUN in (known.status, run.status):
            continue
        compared += 1
        changes += find_changes(known, run, examples[run.example])
    changes.sort(key=lambda change: change.severity.rank)
    environment = capture.environment
    return Preview(
        environment.torch,
        summarize_environment(environment),
        environment.date,
        summarize_environment(before),
        compared,
        tuple(map(_foresee, changes)),
    )


def _foresee(change: Change) -> Foreseen:
    before, after = describe_sides(change)
    return Foreseen(change.example, str(change.severity), find_headline(change), before, after)


def render_preview(preview: Preview) -> str:
    """Text of the file that keeps a preview."""
    return msgspec.json.format(msgspec.json.encode(preview), indent=1).decode() + "\n"


def parse_preview(text: str) -> Preview:
    """The preview that a file keeps; AtlasError where it is none."""
    try:
        return msgspec.json.decode(text, type=Preview)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        remedy = "remove it, or write it again: nox -s record -- --pre"
        raise AtlasError(PREVIEW.as_posix(), f"is no preview: {error}", remedy) from None
