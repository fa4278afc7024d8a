"""What ran on a reader's machine against the records that ``atlas-probe.pyz`` carries.

Standard library alone: it runs where nothing but torch and NumPy is installed, and the archive runs it as
``__main__``. ``packed_records`` writes the records.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from tensor_atlas.compare.change_text import count_noun, render_change, render_rule
from tensor_atlas.errors import BAD_INPUT, AtlasError
from tensor_atlas.examples.files import read_examples
from tensor_atlas.examples.parse import Example
from tensor_atlas.history.cell_changes import find_rules
from tensor_atlas.history.changes import Change, Rule, Severity, find_changes, observed_lines
from tensor_atlas.history.patterns import ABSENT, read_letter
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.cells import Cell, Tried, restore_cell
from tensor_atlas.model.runs import (
    AFTER,
    JSON,
    LATE,
    Environment,
    Observation,
    Run,
    Snapshot,
    Status,
    encode_json,
)

RECORDS = "records.json"
"""File of the archive that holds the records."""
COMPARISON = "comparison"
"""Field of a capture that holds what was found."""
COMPARISON_FORM = 1
"""Version of that field's form; a change that breaks the page *Your machine* makes it greater."""


class State(StrEnum):
    """What could be done with one example."""

    COMPARED = "compared"
    NOT_RUN = "not run"
    NOT_RECORDED = "not recorded"
    OTHER_CODE = "other code"


@dataclass(frozen=True)
class ExampleComparison:
    """One example on this machine."""

    title: str
    """Its title; its name where the archive does not have it."""
    state: State
    """Whether it was compared."""
    reason: str = ""
    """Why it was not."""
    changes: tuple[Change, ...] = ()
    """Differences from the record; everything that it printed, warned and raised where there is no record."""


@dataclass(frozen=True)
class MachineComparison:
    """Everything that a machine did otherwise than an environment of the records."""

    here: Environment
    """The machine."""
    against: Environment
    """The environment."""
    examples: Mapping[str, ExampleComparison]
    """By name."""
    rules: tuple[Rule, ...]
    """Cells that differ."""
    tried: int
    """How many cells both have tried."""
    unknown: int
    """How many cells have no record there, or one of other code."""

    @property
    def changes(self) -> list[Change]:
        """All differences, example by example."""
        compared = [one for one in self.examples.values() if one.state is State.COMPARED]
        return [change for one in compared for change in one.changes]


def compare_capture(
    records: Mapping[str, Any], examples: Mapping[str, Example], capture: Capture, against: Environment
) -> MachineComparison:
    """A capture against an environment of the records."""
    runs = read_runs(records, against, examples)
    compared = {
        run.example: _compare_run(run, runs.get(run.example), examples.get(run.example), against)
        for run in capture.runs
    }
    recorded = read_cells(records, against)
    before: dict[str, dict[str, Cell]] = {}
    after: dict[str, dict[str, Cell]] = {}
    unknown = 0
    for conversion, row in capture.cells.items():
        for source, tried in row.items():
            known = recorded.get(conversion, {}).get(source)
            if known is None or known.code != tried.code:
                unknown += 1
                continue
            before.setdefault(conversion, {})[source] = known.cell
            after.setdefault(conversion, {})[source] = tried.cell
    rules = find_rules(before, after)
    return MachineComparison(
        capture.environment, against, compared, rules, sum(map(len, after.values())), unknown
    )


def _compare_run(
    run: Run, recorded: Run | None, example: Example | None, against: Environment
) -> ExampleComparison:
    if example is None or example.digest != run.digest:
        return ExampleComparison(run.example, State.OTHER_CODE, "the archive has other code for it")
    if run.status is Status.NOT_RUN:
        return ExampleComparison(example.title, State.NOT_RUN, run.reason or "no reason is given")
    if recorded is None or recorded.status is Status.NOT_RUN:
        reason = f"there is no record of it with {describe(against)}"
        return ExampleComparison(example.title, State.NOT_RECORDED, reason, tuple(_list_output(run, example)))
    return ExampleComparison(example.title, State.COMPARED, changes=find_changes(recorded, run, example))


def _list_output(run: Run, example: Example) -> Iterator[Change]:
    """What each statement gave, as a change from nothing."""
    block_of = [index for index, block in enumerate(example.blocks) for _ in block.statements]
    observed = list(enumerate(run.observations)) + [(LATE, run.late)] * (run.late is not None)
    for index, observation in observed:
        assert observation is not None
        stop = run.describe_stop(index)
        lines = (*observed_lines(observation), stop) if stop else observed_lines(observation)
        if lines:
            block = block_of[-1 if index == LATE else index]
            yield Change(run.example, Severity.VALUE, block, index, observation.code, after=lines)


# --- which record ----------------------------------------------------------------------------------


def list_environments(records: Mapping[str, Any]) -> list[Environment]:
    """Environments of the records, the newest first."""
    return [decode(Environment, one) for one in records["environments"]]


def find_named(text: str, environments: Sequence[Environment]) -> Environment:
    """The environment of an id, or the newest that ``TORCH[/NUMPY[/DEVICE[/PYTHON]]]`` names."""
    for one in environments:
        facts = (one.torch.partition("+")[0], one.numpy, one.kind, _python_minor(one))
        parts = text.split("/")
        if text == one.id or list(facts[: len(parts)]) == parts:
            return one
    known = dict.fromkeys(f"{one.torch.partition('+')[0]}/{one.numpy}" for one in environments)
    raise AtlasError(f"--against {text}", "no such record", f"name one of {', '.join(known)}")


def find_nearest(
    environments: Sequence[Environment], here: Environment, misfits: Sequence[str]
) -> Environment | None:
    """The environment most like a machine, of those that are the newest first; None where there are none.

    Of the same torch, else of the nearest older one. ``misfits`` are ids of incompatible installs.
    """
    releases = [_read_release(one.torch) for one in environments]
    own = _read_release(here.torch)
    if not releases:
        return None
    older = [
        release
        for release, one in zip(releases, environments, strict=True)
        if release < own and one.id not in misfits
    ]
    release = own if own in releases else (older or releases[-1:])[0]

    def rank(one: Environment) -> tuple[bool, ...]:
        is_fit = one.id not in misfits
        same_python = _python_minor(one) == _python_minor(here)
        same_build = one.torch == here.torch
        return (
            one.kind == here.kind,
            one.kind == "cpu",
            one.numpy == here.numpy,
            is_fit,
            same_python,
            same_build,
        )

    return max((one for one in environments if _read_release(one.torch) == release), key=rank)


def _read_release(text: str) -> tuple[int, ...]:
    """The first three numbers of a release, without its build."""
    return tuple(map(int, re.findall(r"\d+", text.partition("+")[0])[:3]))


def _python_minor(environment: Environment) -> str:
    return ".".join(environment.python.split(".")[:2])


def describe(environment: Environment) -> str:
    """An environment in words: ``torch 2.13.0+cpu, NumPy 2.4.6, Python 3.11.7, cpu``."""
    packages = f"torch {environment.torch}, NumPy {environment.numpy}, Python {environment.python}"
    return f"{packages}, {environment.device}"


# --- reading JSON ----------------------------------------------------------------------------------


def read_capture(document: Mapping[str, Any]) -> Capture:
    """The capture of a JSON object, without what no comparison reads; AtlasError where it is none."""
    try:
        matrix = document["matrix"]
        outcomes = [restore_cell(decode(Cell, one)) for one in matrix["outcomes"]]
        cells: dict[str, dict[str, Tried]] = {}
        for conversion, row in matrix["cells"].items():
            cells[conversion] = {
                source: Tried((code, of_source), outcomes[index])
                for source, (index, code, of_source) in row.items()
            }
        runs = tuple(decode(Run, one) for one in document["runs"])
        return Capture(decode(Environment, document["environment"]), runs, {}, cells=cells)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        problem, remedy = "is no capture that this archive can read", "run the archive again without --from"
        raise AtlasError("the file", problem, remedy) from None


def read_runs(
    records: Mapping[str, Any], environment: Environment, examples: Mapping[str, Example]
) -> dict[str, Run]:
    """Recorded runs of an environment, by name of the example."""
    place = _find_place(records, environment)
    runs = {}
    for name, packed in records["examples"].items():
        number = read_letter(packed["pattern"], place)
        if number is not None and name in examples:
            runs[name] = _read_run(packed, packed["runs"][number], examples[name])
    return runs


def _find_place(records: Mapping[str, Any], environment: Environment) -> int:
    """Place of an environment's letter in each pattern."""
    return [one.id for one in list_environments(records)].index(environment.id)


def _read_run(packed: Mapping[str, Any], facts: Mapping[str, Any], example: Example) -> Run:
    def read_observation(number: int, code: str) -> Observation:
        observation: Observation = decode(Observation, {**packed["observations"][number], "code": code})
        return observation

    numbered = zip(facts["observations"], example.statements, strict=False)
    late = facts["late"]
    return Run(
        example.name,
        example.digest,
        Status(facts["status"]),
        facts["reason"],
        tuple(read_observation(number, statement.code) for number, statement in numbered),
        tuple(decode(Snapshot, packed["snapshots"][number]) for number in facts["snapshots"]),
        facts["stopped"],
        facts["depth"],
        None if late is None else read_observation(late, AFTER),
    )


def read_cells(records: Mapping[str, Any], environment: Environment) -> dict[str, dict[str, Tried]]:
    """Recorded cells of an environment: by conversion, then by source."""
    place = _find_place(records, environment)
    matrix = records["matrix"]
    outcomes: dict[int, Cell] = {}
    cells: dict[str, dict[str, Tried]] = {}
    for conversion, (code, numbers) in matrix["rows"].items():
        row = cells[conversion] = {}
        for (source, of_source), mapping in zip(matrix["sources"].items(), numbers, strict=True):
            if mapping == ABSENT:
                continue
            pattern, *led_to = matrix["mappings"][mapping]
            letter = read_letter(matrix["patterns"][pattern], place)
            if letter is None:
                continue
            index = led_to[letter]
            if index not in outcomes:
                outcomes[index] = restore_cell(decode(Cell, matrix["outcomes"][index]))
            row[source] = Tried((code, of_source), outcomes[index])
    return cells


def decode(form: Any, value: Any) -> Any:
    """What ``encode_json`` wrote, as a value of a type; KeyError or TypeError where it is none."""
    if get_origin(form) is UnionType:
        return None if value is None else decode(get_args(form)[0], value)
    if get_origin(form) is tuple:
        return tuple(decode(get_args(form)[0], item) for item in value)
    if is_dataclass(form) and isinstance(form, type):
        types = _list_types(form)
        return form(**{name: decode(types[name], part) for name, part in value.items()})
    return form(value) if isinstance(form, type) and issubclass(form, StrEnum) else value


@cache
def _list_types(form: type) -> Mapping[str, Any]:
    return get_type_hints(form)


# --- what it says ----------------------------------------------------------------------------------


def summarize(comparison: MachineComparison) -> str:
    """How many differences there are, in how much that both ran."""
    compared = [one for one in comparison.examples.values() if one.state is State.COMPARED]
    counted = count_noun(len(comparison.changes), "difference"), count_noun(len(compared), "example")
    words = f"{describe(comparison.here)}: {counted[0]} in {counted[1]} that both ran."
    if comparison.tried or comparison.unknown:
        differing = sum(len(rule.cells) for rule in comparison.rules)
        cells = count_noun(comparison.tried, "cell")
        words += f" {differing} of {cells} of the matrix differ; {comparison.unknown} have no record there."
    return words


def render_report(comparison: MachineComparison, examples: Mapping[str, Example]) -> str:
    """All differences as text for a terminal, the gravest first, then how many there are."""
    parts = [f"Compared with the record of {describe(comparison.against)}"]
    for severity in Severity:
        changes = [change for change in comparison.changes if change.severity is severity]
        rules = [rule for rule in comparison.rules if rule.severity is severity]
        if changes or rules:
            parts.append(f"--- {severity}: {len(changes) + len(rules)}")
        parts += [render_change(change, examples) for change in changes]
        parts += map(render_rule, rules)
    return "\n\n".join([*parts, summarize(comparison)])


def encode_comparison(comparison: MachineComparison) -> dict[str, JSON]:
    """What the page *Your machine* shows, as a JSON object."""
    return {
        "form": COMPARISON_FORM,
        "against": {"id": comparison.against.id, "words": describe(comparison.against)},
        "words": describe(comparison.here),
        "summary": summarize(comparison),
        "examples": {name: _encode_example(one) for name, one in comparison.examples.items()},
        "rules": [encode_json(rule) for rule in comparison.rules],
    }


def _encode_example(compared: ExampleComparison) -> dict[str, JSON]:
    changes: list[JSON] = []
    for change in compared.changes:
        is_compared = compared.state is State.COMPARED
        changes.append(
            {
                "severity": str(change.severity if is_compared else compared.state),
                "block": change.block,
                "statement": "" if change.statement is None else str(change.statement),
                "code": change.code,
                "before": list(change.before),
                "after": list(change.after),
                "facts": list(change.facts),
            }
        )
    return {
        "title": compared.title,
        "state": str(compared.state),
        "reason": compared.reason,
        "changes": changes,
    }


# --- in the archive --------------------------------------------------------------------------------


def main(arguments: Sequence[str]) -> int:
    """Exit code, once a capture's differences are printed and written into it; in the unpacked archive.

    ``arguments`` are the capture's path, and the name of the environment to compare with or an empty text.
    """
    path, named = Path(arguments[0]), arguments[1]
    try:
        compare_file(path, named, Path.cwd())
    except (AtlasError, OSError, ValueError) as error:
        print(f"atlas-probe: {error}", file=sys.stderr)
        return BAD_INPUT
    return 0


def compare_file(path: Path, named: str, folder: Path) -> None:
    """Compare the capture in a file with the records and examples in a folder; nothing without records."""
    records = json.loads((folder / RECORDS).read_text(encoding="utf-8"))
    document = json.loads(path.read_text(encoding="utf-8"))
    capture = read_capture(document)
    environments = list_environments(records)
    against = find_nearest(environments, capture.environment, records["misfits"])
    if named:
        against = find_named(named, environments)
    if against is None:
        return
    examples = {one.name: one for one in read_examples([folder / "examples"], folder)}
    comparison = compare_capture(records, examples, capture, against)
    document[COMPARISON] = encode_comparison(comparison)
    whole = path.with_name(f"{path.name}.new")
    whole.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    whole.replace(path)  # whoever is stopped meanwhile keeps what has run
    print(render_report(comparison, examples))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
