"""What the command ``tensor-atlas`` does: probe, drift, claims, compare, rename, remove, export.

``checkout.recording`` has record and replay.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tensor_atlas import __version__
from tensor_atlas.checkout import cache, execution, project, renaming
from tensor_atlas.checkout.project import Project
from tensor_atlas.checkout.recording import record, replay
from tensor_atlas.compare import drafts, replays, report
from tensor_atlas.compare import export as data
from tensor_atlas.compare.change_text import escape_controls
from tensor_atlas.compare.comparisons import compare_environments, render_comparison, render_comparison_json
from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.compare.drafts import update_claims
from tensor_atlas.compare.evidence import evidence_from_records
from tensor_atlas.compare.judge import judge_capture, judge_cells, judge_records
from tensor_atlas.compare.moves import MOVED
from tensor_atlas.compare.upgrade import build_upgrade_table, list_places
from tensor_atlas.compare.upgrade_report import render_markdown
from tensor_atlas.compare.verdicts import Verdict, VerdictKind, compare_run
from tensor_atlas.errors import BAD_INPUT, DRIFT, AtlasError
from tensor_atlas.examples.parse import Example
from tensor_atlas.history import releases
from tensor_atlas.model.capture import Capture, merge_captures
from tensor_atlas.model.runs import Environment, Status
from tensor_atlas.probe import __main__ as probe_main
from tensor_atlas.records.store import Store

FORMATS = ("terminal", "json")
MATRIX_HELP = "also try every cell of the matrix"


def main(given: Sequence[str]) -> int:
    """Exit code: 0 when all is well, 1 for drift; AtlasError for bad input."""
    if given[:1] == ["probe"]:
        return probe_main.main(list(given[1:]))
    options = _parser().parse_args(list(given))
    code: int = options.command(project.find(Path.cwd()), options)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tensor-atlas", description="Run, check and record the examples.")
    parser.add_argument("--version", action="version", version=f"tensor-atlas {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    commands.add_parser("probe", help="run examples and write a capture (see tensor-atlas probe --help)")

    commands.add_parser(
        "site", help="build the site; all other arguments go to Sphinx (see sphinx-build --help)"
    )

    drift_ = commands.add_parser(
        "drift", help="run the examples and report every difference from the documented output"
    )
    drift_.add_argument("files", nargs="*", type=Path, help="examples; default: all")
    drift_.add_argument("--format", choices=FORMATS, default="terminal")
    instead = drift_.add_mutually_exclusive_group()
    flag = partial(instead.add_argument, action="store_true")
    instead.add_argument("--from", dest="capture", type=Path, help="compare this capture instead of running")
    again = "run every example, even if unchanged; with N, run it N times and report results that vary"
    instead.add_argument("--again", nargs="?", type=_parse_times, const=1, default=0, metavar="N", help=again)
    flag("--all", help="run nothing: check all records, and list those that are missing")
    flag("--draft", help="run nothing: print an entry for each unexplained difference")
    drift_.add_argument("--matrix", action="store_true", help=MATRIX_HELP)
    _add_jobs(drift_)
    drift_.set_defaults(command=drift)

    claims_ = commands.add_parser("claims", help="show or write the claims that a run gives")
    claims_.add_argument("files", nargs="*", type=Path, help="examples; default: all")
    claims_.add_argument("--write", action="store_true", help="write them into the examples")
    captured = "take the output from this capture, or the shards of a run, instead of running"
    instead = claims_.add_mutually_exclusive_group()
    instead.add_argument("--from", dest="captures", type=Path, nargs="+", default=[], help=captured)
    recorded = "take the output from the record of this environment, such as 2.6.0/2.4.6/cpu"
    instead.add_argument("--of", metavar="ENVIRONMENT", help=recorded)
    _add_jobs(claims_)
    claims_.set_defaults(command=claims)

    record_ = commands.add_parser(
        "record", help="run the examples, or take a capture, and fold it into docs/records"
    )
    instead = record_.add_mutually_exclusive_group()
    flag = partial(instead.add_argument, action="store_true")
    captures = "record these captures, or the shards of a run, instead of running"
    instead.add_argument(
        "--from", dest="captures", type=Path, nargs="+", action="extend", default=[], help=captures
    )
    flag("--check", help="run nothing: check the records")
    wheels = "run nothing: look in these wheels for the messages of examples that no GPU has run"
    instead.add_argument("--shipped", type=Path, nargs="+", default=[], help=wheels)
    flag("--prune", help="run nothing: remove records of examples that do not exist")
    flag("--seal", help="run nothing: check edited or merged records, and seal them")
    retired = "run nothing: remove minor releases of torch, such as 1.13; default: those that are due"
    instead.add_argument("--retire", nargs="*", metavar="TORCH", help=retired)
    only = "run these examples, named <chapter>/<stem>; all other records stay as they are"
    instead.add_argument("--only", nargs="+", action="extend", default=[], metavar="NAME", help=only)
    broken = "with --from: name captures that cannot be used, and record the others"
    record_.add_argument("--skip-broken", action="store_true", help=broken)
    preview = "record nothing: keep what a torch before its release changes, docs/preview.json"
    record_.add_argument("--preview", action="store_true", help=preview)
    record_.add_argument("--report", type=Path, help="write what is new to this file, in Markdown")
    record_.add_argument("--matrix", action="store_true", help=MATRIX_HELP)
    _add_jobs(record_)
    record_.set_defaults(command=record)

    replay_ = commands.add_parser("replay", help="compare a capture with the records of its environment")
    replay_.add_argument("capture", type=Path, help="capture of a sample, or of everything")
    written = f"write the day and the result to {replays.FILE.as_posix()}"
    replay_.add_argument("--write", action="store_true", help=written)
    replay_.set_defaults(command=replay)

    compare_ = commands.add_parser("compare", help="report the differences between two environments")
    compare_.add_argument(
        "before",
        help="TORCH[/NUMPY[/DEVICE[/PYTHON[/PLATFORM]]]], such as 2.8 or 2.13/1.26/cpu, or an id",
    )
    compare_.add_argument("after", help="the other environment")
    compare_.add_argument("--format", choices=("markdown", *FORMATS), default="markdown")
    compare_.set_defaults(command=compare)

    rename_ = commands.add_parser(
        "rename", help="give an example another name, with its record and all links"
    )
    rename_.add_argument("old", metavar="OLD", help="its name: <chapter>/<stem>")
    rename_.add_argument("new", metavar="NEW", help="the new one")
    rename_.set_defaults(command=rename)

    remove_ = commands.add_parser("remove", help="take out an example, with its record")
    remove_.add_argument("old", metavar="NAME", help="its name: <chapter>/<stem>")
    instead_ = "the example to which its old page leads"
    remove_.add_argument("--instead", metavar="OTHER", required=True, help=instead_)
    remove_.set_defaults(command=remove)

    export_ = commands.add_parser("export", help="write all records as one JSON document for other tools")
    export_.add_argument("-o", "--output", type=Path, help="file to write; default: standard output")
    export_.set_defaults(command=export)
    return parser


def _add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-j", "--jobs", type=probe_main.parse_jobs, help="examples at a time")


def _parse_times(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d{0,3}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of runs: name examples before --again")
    return int(text)


@dataclass(frozen=True)
class Documented:
    """What a checkout documents, against which ``drift`` holds what it observes."""

    every: dict[str, Example]
    """All examples, by name."""
    examples: dict[str, Example]
    """Those that were named; all where none was."""
    deviations: tuple[Deviation, ...]
    """Of all examples."""
    records: Store
    """Of all examples."""


def drift(here: Project, options: argparse.Namespace) -> int:
    """Report every difference between the claims, the records and what runs now."""
    key = cache.report_key(here.root)  # before anything is read
    documented = _read_documented(here, options)
    if options.draft:
        recorded = documented.records.all_runs()
        print(drafts.draft_deviations(documented.examples, recorded, documented.deviations))
        return 0
    running = None
    if options.capture is None and not options.all:
        running = execution.begin(here, documented.examples, _say, jobs=options.jobs, again=options.again > 0)
    capture = _finish_capture(here, documented, options, running)
    verdicts = _judge(here, documented, capture, is_partial=bool(options.files))
    if running is not None and capture is not None:
        verdicts += _judge_repeats(running, capture, verdicts, options.again)
    text = report.render_json(verdicts) if options.format == "json" else report.render_terminal(verdicts)
    print(text)
    if any(verdict.is_drift for verdict in verdicts):
        return DRIFT
    if running is not None and capture is not None:
        is_settled = execution.settle(running, capture)
        is_plain = not options.files and not options.matrix and options.format == "terminal"
        if is_settled and is_plain:
            cache.write_report(here.root, key, text)
    return 0


def _read_documented(here: Project, options: argparse.Namespace) -> Documented:
    every = project.examples_of(here)
    examples = project.examples_of(here, options.files) if options.files else every
    deviations = project.deviations_of(here, every)
    # Pages show these: a wrong entry must be known before a build.
    project.reports_of(here, every)
    project.scenarios_of(here, every)
    # What examples are held against has none of the matrix, and that is most of what is recorded.
    has_cells = options.matrix or options.all or options.capture is not None
    return Documented(every, examples, deviations, project.records_of(here, every, matrix=has_cells))


def _finish_capture(
    here: Project, documented: Documented, options: argparse.Namespace, running: execution.Execution | None
) -> Capture | None:
    """The capture that was given, with its own cells, or that of the probe; None for ``--all``."""
    if options.all:
        return None
    if running is None:
        return project.capture_of(options.capture, documented.every)
    capture = running.finish()
    if not options.matrix:
        return capture
    return replace(capture, cells=project.run_probe(here, [], options.jobs, matrix=True).cells)


def _judge(
    here: Project, documented: Documented, capture: Capture | None, *, is_partial: bool
) -> list[Verdict]:
    """Verdicts on a capture, or on all that is recorded; of a part of the examples, on those alone."""
    examples, committed, deviations = documented.examples, documented.records, documented.deviations
    if capture is None:
        verdicts = judge_records(examples, committed, deviations, project.coverage_of(here))
    else:
        verdicts = judge_capture(examples, capture, committed, deviations)
    if is_partial:
        # Part of the examples cannot tell which deviations and gaps nothing needs.
        paths = {example.path for example in examples.values()}
        verdicts = tuple(verdict for verdict in verdicts if verdict.path in paths)
    if capture is None:
        return list(verdicts)
    print(_name_compared(capture.environment, committed), file=sys.stderr)
    return [*verdicts, *_judge_cells(capture, committed)]


def _name_compared(ran: Environment, committed: Store) -> str:
    """The record that a capture is held against, with its newest day."""
    name = releases.summarize_environment(ran)
    record = committed.environments.get(ran.id)
    if record is None:
        return f"no records of this environment ({name}): compared with the claims alone"
    return f"compared with the claims and the record of {name}, {record.date}"


def _judge_repeats(
    running: execution.Execution, capture: Capture, verdicts: Sequence[Verdict], again: int
) -> list[Verdict]:
    """Verdicts on what is not the same each time: of every example if asked for, else of those that drift."""
    if again > 1:
        return execution.judge_repeats(running, capture, running.examples, again)
    names = execution.find_disagreeing(running.examples, capture, verdicts)
    return execution.judge_repeats(running, capture, names, 2)


def _judge_cells(capture: Capture, committed: Store) -> tuple[Verdict, ...]:
    """Verdicts on the matrix of a capture; none where it has not been tried."""
    if not capture.cells:
        return ()
    recorded = {name for row in committed.rows.values() for name in row.cells}
    known = [environment for name, environment in committed.environments.items() if name in recorded]
    expected = releases.find_baseline(capture.environment, known)
    tried = replays.list_capture_cells(capture)
    cells = {} if expected is None else committed.cells(expected.id)
    return judge_cells(capture.environment, tried, expected, cells)


def _say(words: str) -> None:
    print(f"tensor-atlas: {words}", file=sys.stderr)


def claims(here: Project, options: argparse.Namespace) -> int:
    """Name the examples whose claims a run or a capture would change, and with ``--write`` change them."""
    every = project.examples_of(here)
    examples = project.examples_of(here, options.files) if options.files else every
    deviations = project.deviations_of(here, every)
    capture = _find_output(here, options, every, examples)
    code = 0
    for run in capture.runs:
        if run.example not in examples:
            continue
        example = examples[run.example]
        if run.digest != example.digest:
            code = DRIFT
            what = "the record" if options.of is not None else "the capture"
            print(f"{example.path}  other code than in {what}; its claims stay as they are")
            continue
        if run.status is Status.NOT_RUN:
            print(f"{example.path}  not run: {run.reason}; its claims stay as they are")
            continue
        verdicts = compare_run(example, run, capture.environment, deviations)
        if run.status is Status.COMPLETED:
            explained = {verdict.statement for verdict in verdicts if verdict.kind is VerdictKind.KNOWN}
            code = max(code, _rewrite(here, example, update_claims(example, run, explained), options))
        elif drifted := [verdict for verdict in verdicts if verdict.is_drift]:
            code = max(code, DRIFT)
            print("\n".join(map(report.describe_verdict, drifted)))
        else:
            print(f"{example.path}  ends as docs/deviations.toml explains; its claims stay as they are")
    return code


def _find_output(
    here: Project, options: argparse.Namespace, every: dict[str, Example], examples: Mapping[str, Example]
) -> Capture:
    """What the captures hold, or the record of an environment; without either, what runs now."""
    if options.of is not None:
        committed = project.records_of(here, every, matrix=False)
        environment = _find_environment(options.of, committed, ())
        return Capture(environment, tuple(committed.runs(environment.id).values()), {})
    if (capture := _join_captures(options.captures, every)) is not None:
        return capture
    return project.run_probe(here, [here.root / example.path for example in examples.values()], options.jobs)


def _join_captures(paths: Sequence[Path], examples: Mapping[str, Example]) -> Capture | None:
    """What these files captured, joined; None for no file, AtlasError for several environments."""
    merged = merge_captures({str(path): project.capture_of(path, examples) for path in paths})
    if len(merged) > 1:
        environments = ", ".join(releases.name_environment(one.capture.environment) for one in merged)
        raise AtlasError("--from", f"captures of several environments: {environments}", "name those of one")
    return merged[0].capture if merged else None


def _rewrite(here: Project, example: Example, text: str, options: argparse.Namespace) -> int:
    if text == example.source:
        return 0
    if options.write:
        try:
            project.replace_source(here, example, text)
        except AtlasError as error:
            print(f"tensor-atlas: {error}", file=sys.stderr)
            return BAD_INPUT
        print(f"{example.path}  claims written: review the difference")
        return 0
    source = f" --from {shlex.join(map(str, options.captures))}" if options.captures else ""
    source += f" --of {options.of}" if options.of is not None else ""
    print(f"{example.path}  claims differ: tensor-atlas claims --write {example.path}{source}")
    return DRIFT


def compare(here: Project, options: argparse.Namespace) -> int:
    """Report what differs between two environments; exit code 1 where anything does."""
    examples = project.examples_of(here)
    committed = project.records_of(here, examples)
    evidence = evidence_from_records(examples, committed, project.deviations_of(here, examples))
    known = list_places(evidence)
    before, after = (_find_environment(text, committed, known) for text in (options.before, options.after))
    comparison = compare_environments(evidence, build_upgrade_table(evidence), before, after)
    if options.format == "json":
        print(render_comparison_json(comparison, examples))
    elif options.format == "terminal":
        print(render_comparison(comparison, examples))
    else:
        print(escape_controls(render_markdown(comparison.upgrade)), end="")
    return DRIFT if comparison.upgrade.items else 0


def _find_environment(text: str, committed: Store, others: Iterable[Environment]) -> Environment:
    """Recorded environment that ``text`` names, else one of the others; AtlasError lists the known names."""
    recorded = sorted(committed.environments.values(), key=releases.age_key)
    environment = releases.find_environment(text, recorded) or releases.find_environment(text, others)
    if environment is None:
        names = ", ".join(dict.fromkeys(map(releases.name_environment, recorded)))
        remedy = f"recorded: {names or 'nothing yet; nox -s record'}"
        raise AtlasError(text, "no recorded environment", remedy)
    return environment


def rename(here: Project, options: argparse.Namespace) -> int:
    """Give an example another name; print what changed."""
    for path in renaming.rename(here, options.old, options.new):
        print(f"{path}  names {options.new}")
    print(f"its old page leads to the new one: {MOVED}")
    return 0


def remove(here: Project, options: argparse.Namespace) -> int:
    """Take out an example; exit code 1 where something still names it."""
    places = renaming.remove(here, options.old, options.instead)
    for place in places:
        print(f"{place}  still names {options.old}")
    return DRIFT if places else 0


def export(here: Project, options: argparse.Namespace) -> int:
    """Write what is recorded, with claims and deviations, in the form that the site offers for download."""
    examples = project.examples_of(here)
    records = project.records_of(here, examples, matrix=False)
    text = data.render_export(examples, records, project.deviations_of(here, examples))
    if options.output is None:
        sys.stdout.write(text)
    else:
        project.write_output(options.output, text)
    return 0
