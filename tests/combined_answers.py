"""Runs every answer that the chooser combines from several cells, and lists those that a run contradicts.

``python tests/combined_answers.py`` prints how many there are here, and exits with 1 where a wrong one is
shown. ``--write`` writes down what was run, with what the page must not answer. The page's own script says
what it would answer. Another release is tried in three steps:

    python tests/combined_answers.py --of ENVIRONMENT --ask asked.pickle
    PYTHONPATH=src python tests/combined_runs.py asked.pickle cells.pickle      # the Python of that release
    python tests/combined_answers.py --of ENVIRONMENT --cells cells.pickle --write
"""

from __future__ import annotations

import argparse
import json
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TypeAlias

from chooser_script import (
    OUTCOMES,
    SCRIPT,
    find_node,
    give_combinations,
    read_preferences,
    recorded_table,
)
from combined_runs import run_pairs
from combined_sources import make_combination
from samples import ROOT

from tensor_atlas.catalogue import SOURCES, Conversion, Form, Group, Source, make_code
from tensor_atlas.history.cell_changes import FAILURES
from tensor_atlas.matrix.chooser import PLAIN, SCOPE, CellSummary, ResultKind, summarize_source
from tensor_atlas.matrix.traits import Parts
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import JSON
from tensor_atlas.pages.combinations import (
    FILE,
    Combinations,
    Differing,
    add_run,
    read_combinations,
    spell_combinations,
)
from tensor_atlas.probe.runner import Pair

LIST = """
const window = globalThis;
const { readFileSync } = require("node:fs");
const [outcomes, script, input] = process.argv.slice(2);
const { data, environment } = JSON.parse(readFileSync(input, "utf-8"));
window.atlasMatrix = data;
window.atlasPatterns = data.patterns;
eval(readFileSync(outcomes, "utf-8"));
eval(readFileSync(script, "utf-8"));
const { sources, environments, describe, accepts, single, kindsOf, answer } = window.atlasChooser;
const here = environments.find(({ id }) => id === environment);
const FIELDS = ["outcome", "kind", "type", "element", "device", "grad", "frozen", "writes"].concat(
  ["otherShape", "otherValues", "warnings", "error"],
);
const claims = new Map();
const found = [];

function claim(result) {
  const text = JSON.stringify(FIELDS.map((field) => result[field]));
  if (!claims.has(text)) claims.set(text, claims.size);
  return claims.get(text);
}

function list(form, have, dtype, layout, flag) {
  const calls = {};
  for (const kind of kindsOf(have)) {
    const { best, more, rest } = answer(here, have, { kind, memory: "ANY", element: "", device: "" });
    for (const one of [...best, ...more, ...rest]) {
      if (one.isComposed && one.fit !== "UNRUN" && !one.seen) calls[one.call] = claim(one.result);
    }
  }
  found.push([form, dtype, layout, flag, calls]);
}

const onCpu = sources.filter(({ device }) => device === "cpu");
onCpu.forEach((source) => list(source.form, single(source), source.name, "", ""));
data.forms.forEach((_, form) => {
  const members = sources.filter((source) => source.form === form && source.traits !== null);
  const isTrait = (one, axis) => one.traits[axis] === one.index;
  const traits = (axis, dtype) => members.filter((one) => isTrait(one, axis) && accepts(one, dtype));
  for (const dtype of new Set(members.map((one) => one.dtype))) {
    for (const layout of [null, ...traits(0, dtype)]) {
      for (const flag of [null, ...traits(1, dtype)]) {
        if (layout === null && flag === null) continue;
        const have = describe(form, dtype, [layout?.index ?? -1, flag?.index ?? -1, -1]);
        if (have.parts.length > 1) list(form, have, dtype, layout?.name ?? "", flag?.name ?? "");
      }
    }
  }
});
process.stdout.write(JSON.stringify({ found, claims: [...claims.keys()].map((text) => JSON.parse(text)) }));
"""
"""Everything on the processor that a reader can choose, with the combined answers that the page shows."""


@dataclass(frozen=True)
class Claim:
    """What an answer says that a run can bear out; the page says nothing else of combinations."""

    outcome: str
    """Name of the outcome."""
    error: str = ""
    """Class of the error, of a failure."""
    result: tuple[JSON, ...] = ()
    """Kind of a result, whether readers expect its class, its dtype, device, flags and warnings."""


@dataclass(frozen=True)
class Asked:
    """Something that a reader can choose, with what the chooser claims of it by combining."""

    form: Form
    """Its form."""
    parts: Parts
    """What it combines; of a single source the name, as its dtype."""
    claims: Mapping[str, Claim]
    """Claims by call, as readers write it."""

    @property
    def is_combined(self) -> bool:
        """Whether it is no source of the matrix."""
        return bool(self.parts.layout or self.parts.flag)

    def make_source(self) -> Source | None:
        """Code that makes it; None where nobody knows how."""
        if self.is_combined:
            return make_combination(self.form, self.parts)
        return next(source for source in SOURCES if source.name == self.parts.dtype)


@dataclass(frozen=True)
class Trial:
    """All combined answers, tried."""

    shown: int
    """Answers that the chooser shows with the committed list."""
    answers: int
    """Answers that it could show without a list."""
    tried: int
    """Of these, those that were run."""
    wrong_answers: int
    """Of these, those that a run contradicts."""
    wrong: tuple[str, ...]
    """Answers that it shows though a run contradicts them, or none could be made."""
    calls: frozenset[str]
    """Calls that were run."""
    differing: tuple[Differing, ...]
    """What the page must not answer."""

    def report(self) -> str:
        """The numbers in words."""
        parts = (
            f"{self.answers:,} combined answers on the processor",
            f"{self.tried:,} run",
            f"{self.wrong_answers:,} of these differ",
            f"{self.shown:,} shown",
            f"{len(self.wrong):,} shown that differ or cannot be run",
        )
        return "; ".join(parts)


# --- what the page would say ------------------------------------------------------------------------


def list_answers(known: Combinations, environment: str) -> list[Asked]:
    """What the page's script answers by combining, where these are the runs."""
    data = give_combinations(known)
    with tempfile.TemporaryDirectory() as folder:
        script, asked = Path(folder, "list.js"), Path(folder, "asked.json")
        script.write_text(LIST, encoding="utf-8")
        question = {"data": data, "environment": environment}
        asked.write_text(json.dumps(question), encoding="utf-8")
        command = [find_node(), str(script), str(OUTCOMES), str(SCRIPT), str(asked)]
        listed = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    claims = [read_claim(*fields) for fields in listed["claims"]]
    forms = list(Form)
    return [
        Asked(forms[form], Parts(*names), {call: claims[place] for call, place in calls.items()})
        for form, *names, calls in listed["found"]
        if calls
    ]


def list_everything(environment: str) -> list[Asked]:
    """What the page's script would answer if every run had agreed."""
    calls = {conversion.title for conversion in SCOPE} | {one.call for one in read_preferences()}
    return list_answers(Combinations({environment: frozenset(calls)}), environment)


def read_claim(outcome: str, kind: int, type_: str, *rest: JSON) -> Claim:
    """A claim from the fields of an answer of the script."""
    *facts, warnings, error = rest
    assert isinstance(warnings, list)
    if Outcome[outcome] in FAILURES:
        return Claim(outcome, str(error).partition(":")[0])
    return Claim(outcome, result=(kind, type_ in {"", *PLAIN}, *facts, *sorted(map(str, warnings))))


def claim_of(summary: CellSummary) -> Claim:
    """What an answer would say that this run bears out."""
    kind = -1 if summary.kind is None else list(ResultKind).index(summary.kind)
    facts = (summary.element, summary.device, summary.grad, summary.frozen, summary.writes)
    others = (summary.other_shape, summary.other_values)
    warnings: list[JSON] = [*summary.warnings]
    return read_claim(summary.outcome.name, kind, summary.type, *facts, *others, warnings, summary.error)


# --- what happens -----------------------------------------------------------------------------------


def find_environment() -> str:
    """Id of the recorded environment that is installed here; empty where there is none."""
    here = (version("torch"), version("numpy"), "cpu")
    found = [e.id for e in recorded_table().environments if (e.torch, e.numpy, e.kind) == here]
    return found[0] if found else ""


@cache
def find_conversion(call: str) -> Conversion:
    """The conversion that a call is, or a new one of its code."""
    known = [conversion for conversion in SCOPE if conversion.title == call]
    return known[0] if known else Conversion(call, call, "", Group.MOVE, make_code("y", call))


def list_pairs(asked: Sequence[Asked]) -> list[Pair]:
    """The cells that bear out the answers, or do not."""
    made = [(one, one.make_source()) for one in asked]
    return [
        (find_conversion(call), source) for one, source in made if source is not None for call in one.claims
    ]


COUNTED = frozenset(preference.call for preference in read_preferences() if preference.copies)
"""Calls whose copies the table counts: a run that cannot compare memory does not contradict it."""


def is_borne_out(call: str, claim: Claim, seen: Claim) -> bool:
    """Whether a run shows what an answer says."""
    if call in COUNTED and (claim.outcome, seen.outcome) == ("COPIES", "NO_BYTES"):
        return claim.result == seen.result
    return claim == seen


def find_wrong(asked: Asked, cells: Mapping[str, Cell]) -> list[str] | None:
    """Calls of which a run contradicts the answer; None where what they are called on could not be made."""
    source = asked.make_source()
    is_missing = asked.is_combined and any(cell.outcome is Outcome.NO_SOURCE for cell in cells.values())
    if source is None or is_missing:
        return None
    seen = {call: claim_of(summary) for call, summary in summarize_source(cells, source).items()}
    return [call for call, claim in asked.claims.items() if not is_borne_out(call, claim, seen[call])]


Wrong: TypeAlias = "Mapping[tuple[Form, Parts], list[str] | None]"
"""What ``find_wrong`` says of each thing."""


def find_all_wrong(asked: Sequence[Asked], cells: Mapping[str, Mapping[str, Cell]]) -> Wrong:
    """What a run contradicts, of each thing that is asked for."""
    return {(one.form, one.parts): find_wrong(one, cells.get(name_of(one), {})) for one in asked}


def recall_wrong(asked: Sequence[Asked], known: Combinations, environment: str) -> Wrong:
    """What an earlier run has contradicted, of each thing that is asked for."""
    calls: dict[tuple[Form, str, str, str], set[str]] = {}
    for row in known.differing:
        for dtype in row.dtypes if environment in row.environments else ():
            calls.setdefault((row.form, row.layout, row.flag, dtype), set()).update(row.calls or [""])
    found: dict[tuple[Form, Parts], list[str] | None] = {}
    for one in asked:
        parts = spell_parts(one)
        differing = calls.get((one.form, parts.layout, parts.flag, parts.dtype), set())
        is_unmade = "" in differing
        found[one.form, one.parts] = None if is_unmade else [call for call in one.claims if call in differing]
    return found


def compare_answers(everything: Sequence[Asked], wrong: Wrong, shown: Sequence[Asked]) -> Trial:
    """Combined answers, held against what was run; ``shown`` is what the page says of the same things."""
    made = [one for one in everything if wrong[one.form, one.parts] is not None]
    return Trial(
        shown=sum(len(one.claims) for one in shown),
        answers=sum(len(one.claims) for one in everything),
        tried=sum(len(one.claims) for one in made),
        wrong_answers=sum(len(wrong[one.form, one.parts] or ()) for one in made),
        wrong=tuple(sorted(name_wrong(shown, wrong))),
        calls=frozenset().union(*(one.claims for one in everything)),
        differing=tuple(describe_wrong(everything, wrong)),
    )


def name_of(asked: Asked) -> str:
    """Name of its source; empty where it cannot be made."""
    source = asked.make_source()
    return "" if source is None else source.name


def name_wrong(shown: Sequence[Asked], wrong: Wrong) -> Iterator[str]:
    """Answers that are shown and wrong."""
    for one in shown:
        found = wrong[one.form, one.parts]
        calls = one.claims if found is None else set(one.claims) & {*found}
        for call in calls:
            yield f"{call} on {' '.join(filter(None, (one.parts.dtype, one.parts.layout, one.parts.flag)))}"


def describe_wrong(asked: Sequence[Asked], wrong: Wrong) -> Iterator[Differing]:
    """What is wrong of each thing, or that it could not be made."""
    for one in asked:
        found = wrong[one.form, one.parts]
        if found != []:
            parts = spell_parts(one)
            yield Differing(one.form, parts.layout, parts.flag, (parts.dtype,), tuple(found or ()))


def spell_parts(asked: Asked) -> Parts:
    """Parts as the file has them: a single source stands by its name, as its dtype is that of others, too."""
    if asked.is_combined:
        return asked.parts
    name = asked.parts.dtype
    dtype = next(source.dtype for source in SOURCES if source.name == name)
    return Parts(dtype, name, "", "")


def main() -> int:
    """Try, report and write; 1 where a wrong answer is shown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write docs/{FILE} anew")
    parser.add_argument(
        "--of", metavar="ENVIRONMENT", default=find_environment(), help="id of a recorded one"
    )
    parser.add_argument("--ask", metavar="FILE", type=Path, help="write what must be run there, and end")
    parser.add_argument("--cells", metavar="FILE", type=Path, help="what was run there")
    options = parser.parse_args()
    if options.of not in {environment.id for environment in recorded_table().environments}:
        print("no matrix is recorded in this environment; --of names one")
        return 1
    everything = list_everything(options.of)
    pairs = list_pairs(everything)
    if options.ask:
        options.ask.write_bytes(pickle.dumps(pairs))
        return 0
    cells = pickle.loads(options.cells.read_bytes()) if options.cells else run_pairs(pairs)
    path = ROOT / "docs" / FILE
    known = read_combinations(path)
    wrong = find_all_wrong(everything, cells)
    trial = compare_answers(everything, wrong, list_answers(known, options.of))
    if options.write:
        written = add_run(known, options.of, trial.calls, trial.differing)
        path.write_text(spell_combinations(written), encoding="utf-8")
        trial = compare_answers(everything, wrong, list_answers(written, options.of))
    print("\n".join(trial.wrong[:20]))
    print(trial.report())
    return 1 if trial.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
