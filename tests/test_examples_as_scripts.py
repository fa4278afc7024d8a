"""Every example of the site, run as a reader runs it: plain Python, no probe, the same output."""

from __future__ import annotations

import difflib
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from samples import CASES, ROOT, python

from tensor_atlas.compare.deviations import parse_deviations
from tensor_atlas.examples.files import read_examples
from tensor_atlas.examples.parse import Example
from tensor_atlas.examples.requirements import find_missing
from tensor_atlas.model.runs import Environment, Observation, output_lines
from tensor_atlas.probe.environment import detect
from tensor_atlas.probe.output import normalise, path_words

pytestmark = pytest.mark.slow

SAMPLE = 5
"""Examples that are run in true fresh interpreters."""

NOT_STDOUT = re.compile(r"[A-Za-z_]\w*Warning:|stderr:")
"""How a claim line begins that is no standard output; a script may still print such a line."""

WRONG = ("11_claims/wrong_value", "11_claims/extra_output", "11_claims/missing_output", "12_errors/no_longer")
GOOD = ("01_observe/warned", "02_isolation/b_next", "15_deviations/not_needed")
ENDS = {"12_errors/nobody_expects": 1, "13_endings/crashes": -11, "13_endings/exits": 3}
"""Cases for the comparison itself: wrong claims, right ones, and exit codes of bad ends."""

EXAMPLES = {example.name: example for example in read_examples([ROOT / "examples"], ROOT)}


@dataclass(frozen=True)
class Plain:
    """What a plain run of a script gave."""

    code: int
    """Exit code."""
    stdout: str
    """As it was written."""
    stderr: str
    """Warnings and tracebacks."""


@pytest.fixture(scope="module")
def here() -> Environment:
    """This machine."""
    return detect()


@pytest.fixture(scope="module")
def plain_runs(here: Environment) -> Mapping[str, Plain]:
    """Plain runs of all examples that this machine can run, and of some cases, by name.

    Each is forked from a process that has imported torch.
    """
    scripts = {name: str(ROOT / e.path) for name, e in EXAMPLES.items() if not find_missing(e.tags, here)}
    scripts |= {name: _case(name) for name in (*WRONG, *ENDS, *GOOD)}
    done = python(ROOT, "tests/plain_runs.py", *scripts.values())
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    return {name: Plain(**found[path]) for name, path in scripts.items()}


def _case(name: str) -> str:
    (path,) = CASES.glob(f"*/{name}.py")
    return str(path)


def lines_of(stdout: str) -> list[str]:
    """Lines as the probe would observe them, blank ones left out: it drops those at the end of each
    statement.
    """
    observation = Observation("", stdout=normalise(stdout, path_words(tempfile.gettempdir())))
    return [line for line in output_lines(observation) if line]


def agrees(example: Example, printed: Sequence[str]) -> bool:
    """Whether the claims, in order, spell what was printed.

    The last lines of a claim may be warnings, which are no standard output: every way to tell them apart is
    tried.
    """
    reached = {0}
    for statement in example.places.values():
        claimed = [line for line in statement.claim.lines if line] if statement.claim else []
        reached = {end for start in reached for end in _ends(claimed, printed, start)}
    return len(printed) in reached


def _ends(claimed: list[str], printed: Sequence[str], start: int) -> list[int]:
    """Where the output of one statement may end that begins at ``start``."""
    least = len(claimed)
    while least and NOT_STDOUT.match(claimed[least - 1]):
        least -= 1
    return [
        start + count
        for count in range(least, len(claimed) + 1)
        if len(printed) >= start + count and all(map(_same, claimed[:count], printed[start : start + count]))
    ]


def _same(claimed: str, line: str) -> bool:
    return claimed == line or (claimed.endswith(" ...") and line.startswith(claimed.removesuffix("...")))


def difference(example: Example, printed: Sequence[str]) -> str:
    """Claims and output side by side, for a person."""
    claimed = [line for s in example.places.values() if s.claim for line in s.claim.lines]
    return "\n".join(difflib.unified_diff(claimed, printed, "claimed", "printed by the script", lineterm=""))


def deviating(example: Example, here: Environment) -> bool:
    """Whether a reviewed deviation says that the example differs here."""
    path = ROOT / "docs" / "deviations.toml"
    entries = parse_deviations(path.read_text(encoding="utf-8"), str(path)) if path.is_file() else ()
    return any(entry.covers(example.name, s.code, here) for entry in entries for s in example.statements)


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_script_prints_what_its_page_claims(
    name: str, here: Environment, request: pytest.FixtureRequest
) -> None:
    """Exit code 0, and the standard output is the claims in order."""
    example = EXAMPLES[name]
    if reason := find_missing(example.tags, here):
        pytest.skip(reason)
    if deviating(example, here):
        pytest.skip("docs/deviations.toml says that it differs here")
    plain: Mapping[str, Plain] = request.getfixturevalue("plain_runs")
    check(example, plain[name])


def check(example: Example, plain: Plain) -> None:
    """Fail unless the plain run is the documented one."""
    assert plain.code == 0, f"{example.path} ended with exit code {plain.code}\n{plain.stderr}"
    printed = lines_of(plain.stdout)
    assert agrees(example, printed), f"{example.path} run as a script\n{difference(example, printed)}"


def test_sample_prints_the_same_in_fresh_interpreters(here: Environment) -> None:
    """A few examples, drawn anew each time, in processes that were not forked from anything."""
    seed = random.randrange(10_000)
    print(f"seed {seed}")
    able = [e for e in EXAMPLES.values() if not find_missing(e.tags, here) and not deviating(e, here)]
    drawn = random.Random(seed).sample(able, min(SAMPLE, len(able)))
    with ThreadPoolExecutor(2) as pool:
        for example, plain in zip(drawn, pool.map(fresh, drawn), strict=True):
            check(example, plain)


def fresh(example: Example) -> Plain:
    """Plain run of an example in a true fresh interpreter, in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(ROOT / example.path)]
        done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True, timeout=120)
    return Plain(done.returncode, done.stdout, done.stderr)


# --- the comparison itself -----------------------------------------------------------------------


def test_faults_are_seen_in_plain_runs_too(plain_runs: Mapping[str, Plain]) -> None:
    """The check above is able to fail: it refuses the cases with wrong claims, errors and bad ends."""
    for name in (*WRONG, *GOOD):
        assert plain_runs[name].code == 0
        (example,) = read_examples([Path(_case(name))], ROOT)
        assert agrees(example, lines_of(plain_runs[name].stdout)) == (name in GOOD), name
    assert {name: plain_runs[name].code for name in ENDS} == ENDS
