"""Rungs of evidence: what bears out a claim that no run has shown, such as threads in ``docs/reported.toml``.

Pure, takes text. A claim shows its highest rung and never a higher one: words that a release ships are no
run, and a thread counts only where it shows the words of the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from tensor_atlas.compare.deviations import strip_lines
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.messages import FEWEST, OMISSION, fix_words, list_claimed_messages
from tensor_atlas.examples.parse import Example, Statement
from tensor_atlas.history.releases import age_key, torch_release
from tensor_atlas.model.runs import Environment, Raised
from tensor_atlas.records.shipped import Release, Shipped, find_shipping_files, parse_wheel
from tensor_atlas.records.store import Store
from tensor_atlas.toml_tables import read_tables


class Rung(StrEnum):
    """How well a claim is borne out, the best first."""

    RECORDED = "recorded"
    """A run on that kind of device showed it."""
    EXECUTED = "executed on another accelerator"
    """A run on the lazy device, XLA or Vulkan showed its message, with that device's name in it."""
    SHIPPED = "shipped"
    """The fixed words of its message stand in a file of the newest release that was searched."""
    REPORTED = "reported"
    """A public thread shows it."""
    EXPECTED = "expected"
    """Its author expects it, from documentation."""


@dataclass(frozen=True)
class Report:
    """A public thread that shows a message, or what a statement does."""

    examples: tuple[str, ...]
    """Examples that claim it."""
    url: str
    line: int
    """Line of the entry in the file."""
    text: str = ""
    """Words of the message that the thread and the claim have alike; empty where ``statement`` says it."""
    statement: str = ""
    """A line of the statement whose output the thread shows; may be empty."""
    torch: str = ""
    """Release that the thread names; may be empty."""
    device: str = ""
    """Device that the thread names; may be empty."""

    def bears_out(self, statement: Statement) -> bool:
        """Whether it is about this statement."""
        if self.statement:
            return statement.claim is not None and self.statement in strip_lines(statement.code)
        return any(self.text in message.text for message in list_claimed_messages(statement))

    def __str__(self) -> str:
        where = [f"with torch {self.torch}"] if self.torch else []
        where += [f"on {self.device}"] if self.device else []
        return " ".join(where)


@dataclass(frozen=True)
class Twin:
    """A recorded message that is the claimed one but for the name of the accelerator."""

    device: str
    """The accelerator as the message names it: ``lazy:0``."""
    environments: tuple[Environment, ...]
    """Environments that showed it, the newest first."""


Twins = Mapping[tuple[str, str], Twin]
"""By class and message, the device's name left out."""
_ACCELERATOR = re.compile(r"(?<![\w.])(?:cuda|mps|lazy|xla|vulkan)(?::\d+)?(?!\w)")
_EXECUTED = re.compile(_ACCELERATOR.pattern.replace("cuda|mps|", ""))


def find_twins(store: Store) -> Twins:
    """Messages that cells of the matrix raised on the lazy device, on XLA or on Vulkan."""
    seen_on: dict[tuple[str, str], tuple[str, set[str]]] = {}
    for environment, error in _list_accelerator_errors(store):
        lazy_device = _EXECUTED.search(error.message)
        if lazy_device:
            key = error.type, _leave_device_out(error.message)
            seen_on.setdefault(key, (lazy_device[0], set()))[1].add(environment)
    return {key: Twin(device, _sort_newest_first(ids, store)) for key, (device, ids) in seen_on.items()}


def _list_accelerator_errors(store: Store) -> Iterator[tuple[str, Raised]]:
    """Environments with what cells raised there whose conversion or source is on such an accelerator."""
    for row in store.rows.values():
        for environment, cells in row.cells.items():
            for source, cell in cells.items():
                if cell.error and (_names_accelerator(row.conversion) or _names_accelerator(source)):
                    yield environment, cell.error


@cache
def _names_accelerator(name: str) -> bool:
    return not {"lazy", "xla", "vulkan"}.isdisjoint(name.split("-"))


def _leave_device_out(message: str) -> str:
    return _ACCELERATOR.sub(OMISSION, message)


def _sort_newest_first(ids: Iterable[str], store: Store) -> tuple[Environment, ...]:
    return tuple(sorted((store.environments[name] for name in ids), key=age_key, reverse=True))


@dataclass(frozen=True)
class Support:
    """What bears out a claim that no run has shown; nothing for one that its author expects alone."""

    twins: tuple[Twin, ...] = ()
    """For each of its messages, the run on another accelerator that showed it."""
    shipped: tuple[tuple[Release, str], ...] = ()
    """Releases with the file of each that holds the words, the newest first."""
    reports: tuple[Report, ...] = ()
    """Threads that show it."""

    @property
    def rung(self) -> Rung:
        """The highest rung that it reaches."""
        if self.twins:
            return Rung.EXECUTED
        if self.shipped:
            return Rung.SHIPPED
        return Rung.REPORTED if self.reports else Rung.EXPECTED


def describe_twin(support: Support) -> str:
    """``Captured with lazy:0 as the device: torch 2.15.0, …``, or nothing."""
    if not support.twins:
        return ""
    twin = support.twins[0]
    newest, *older = dict.fromkeys(str(torch_release(environment)) for environment in twin.environments)
    words = f"Captured with {twin.device} as the device: torch {newest}"
    if older:
        words += f", and {len(older)} older release{'s' * (len(older) != 1)} back to {older[-1]}"
    return f"{words}."


def describe_shipped(support: Support) -> str:
    """``Its text is in torch 2.15.0 (libc10.so) and in 4 older releases back to 1.13.1.``, or nothing."""
    if not support.shipped:
        return ""
    (newest, file), *older = support.shipped
    words = f"Its text is in {newest} ({file.rsplit('/', 1)[-1]})"
    if older:
        words += f" and in {len(older)} older release{'s' * (len(older) != 1)} back to {older[-1][0].version}"
    return f"{words}."


def describe_rungs(rungs: Sequence[Rung]) -> str:
    """How the outputs of a page are borne out of which none was captured, as a sentence."""
    places = {
        Rung.EXECUTED: "",
        Rung.SHIPPED: " in a release's files",
        Rung.REPORTED: " in a public thread",
        Rung.EXPECTED: "",
    }
    parts = [f"{rungs.count(rung)} {rung}{place}" for rung, place in places.items() if rung in rungs]
    if set(rungs) <= {Rung.EXPECTED}:
        return "Its output is expected, not captured."
    return f"None of its {len(rungs)} outputs was captured: {', '.join(parts)}."


def find_support(
    example: Example, shipped: Shipped, reports: Sequence[Report], twins: Twins
) -> tuple[Support, ...]:
    """What bears out each statement's claim, as many as there are statements."""
    about = [report for report in reports if example.name in report.examples]
    is_mac = "mps" in example.tags  # wheels for macOS alone have MPS, and none of them has CUDA
    able = {w: files for w, files in shipped.items() if (parse_wheel(w).system == "macOS") == is_mac}
    supports = []
    for statement in example.statements:
        reported = tuple(report for report in about if report.bears_out(statement))
        supports.append(Support(_match_twins(statement, twins), _match_files(statement, able), reported))
    return tuple(supports)


def _match_twins(statement: Statement, twins: Twins) -> tuple[Twin, ...]:
    """A run for each message that a statement claims; nothing where one message has none."""
    matched = []
    for message in list_claimed_messages(statement):
        twin = twins.get((message.type, _leave_device_out(message.text)))
        if twin is None:
            return ()
        matched.append(twin)
    return tuple(matched)


def _match_files(statement: Statement, shipped: Shipped) -> tuple[tuple[Release, str], ...]:
    files: list[tuple[Release, str]] = []
    for message in list_claimed_messages(statement):
        matching = find_shipping_files(shipped, fix_words(message.text))
        if not matching:
            files = []  # every message of the statement must be borne out
            break
        files = files or matching
    return tuple(files)


# --- docs/reported.toml ---------------------------------------------------------------------------


def parse_reports(text: str, path: str, examples: Mapping[str, Example]) -> tuple[Report, ...]:
    """Reports in the order of the file; AtlasError names the line of an entry that cannot be right."""
    reports = read_tables(text, "report", path, Report)
    for report, where in reports:
        _check_report(report, where)
        for name in report.examples:
            if name not in examples:
                raise AtlasError(where, f"no example {name}", "name it <chapter>/<stem>")
            if not any(map(report.bears_out, examples[name].statements)):
                problem = f"no statement of {name} claims {(report.text or report.statement)!r}"
                raise AtlasError(where, problem, "copy words of the message, or a line of the statement")
    return tuple(report for report, _ in reports)


def _check_report(report: Report, where: str) -> None:
    if bool(report.text) == bool(report.statement):
        raise AtlasError(where, "write either text or statement", "text for a message, else statement")
    if not report.url.startswith("https://"):
        raise AtlasError(where, f"no public address: {report.url}", "give the address of the thread")
    if report.text and len(report.text.split()) < FEWEST:
        raise AtlasError(where, "text is too short to tell messages apart", f"quote {FEWEST} words or more")
