"""What the command ``tensor-atlas`` does: probe, drift, claims, record, compare, export."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from tensor_atlas import __version__
from tensor_atlas.checkout import cache, execution, project, repeats
from tensor_atlas.checkout.project import Project
from tensor_atlas.compare import drafts, report
from tensor_atlas.compare import export as data
from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.compare.drafts import update_claims
from tensor_atlas.compare.evidence import evidence_from_records
from tensor_atlas.compare.judge import judge_capture, judge_cells, judge_records
from tensor_atlas.compare.upgrade import build_upgrade_table
from tensor_atlas.compare.upgrade_report import render_markdown
from tensor_atlas.compare.verdicts import RECORD_IT, Verdict, VerdictKind, compare_run
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.messages import list_searched_words
from tensor_atlas.examples.parse import Example
from tensor_atlas.files import lock_folder
from tensor_atlas.history import cell_changes, changes, releases
from tensor_atlas.history.changes import Comparison
from tensor_atlas.model.capture import Capture, MergedCapture, merge_captures
from tensor_atlas.model.runs import Environment, Status
from tensor_atlas.probe import __main__ as probe_main
from tensor_atlas.records import store
from tensor_atlas.records.checks import find_faults
from tensor_atlas.records.shipped import find_shipping_files, parse_wheel, search_wheel
from tensor_atlas.records.store import Store

FORMATS = ("terminal", "json")
MATRIX = "try every cell of the matrix, too"
DRIFT = 1
BAD_INPUT = 2


def main(given: Sequence[str]) -> int:
    """Exit code: 0 when all is well, 1 for drift, 2 for bad input."""
    if given[:1] == ["probe"]:
        return probe_main.main(list(given[1:]))
    options = _parser().parse_args(list(given))
    try:
        code: int = options.command(project.find(Path.cwd()), options)
    except AtlasError as error:
        print(f"tensor-atlas: {error}", file=sys.stderr)
        return BAD_INPUT
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tensor-atlas", description="Run, check and record the examples.")
    parser.add_argument("--version", action="version", version=f"tensor-atlas {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    commands.add_parser("probe", help="run examples and write a capture (see tensor-atlas probe --help)")

    commands.add_parser("site", help="build the site; what follows goes to Sphinx (see sphinx-build --help)")

    drift_ = commands.add_parser(
        "drift", help="run the examples and report what differs from what is documented"
    )
    drift_.add_argument("files", nargs="*", type=Path, help="examples; all when left out")
    drift_.add_argument("--format", choices=FORMATS, default="terminal")
    instead = drift_.add_mutually_exclusive_group()
    flag = partial(instead.add_argument, action="store_true")
    instead.add_argument("--from", dest="capture", type=Path, help="compare this capture instead of running")
    again = "run every example, those too that have run as they are; N times, and name what is not the same"
    instead.add_argument("--again", nargs="?", type=_parse_times, const=1, default=0, metavar="N", help=again)
    flag("--all", help="run nothing: check all that is recorded, and what is not")
    flag("--draft", help="run nothing: write entries for what nothing explains")
    drift_.add_argument("--matrix", action="store_true", help=MATRIX)
    _add_jobs(drift_)
    drift_.set_defaults(command=drift)

    claims_ = commands.add_parser("claims", help="show or write the claim lines that a run gives")
    claims_.add_argument("files", nargs="*", type=Path, help="examples; all when left out")
    claims_.add_argument("--write", action="store_true", help="write them into the examples")
    _add_jobs(claims_)
    claims_.set_defaults(command=claims)

    record_ = commands.add_parser(
        "record", help="run the examples, or take a capture, and fold it into docs/records"
    )
    instead = record_.add_mutually_exclusive_group()
    flag = partial(instead.add_argument, action="store_true")
    captures = "fold these captures, the shards of a run among them, instead of running"
    instead.add_argument(
        "--from", dest="captures", type=Path, nargs="+", action="extend", default=[], help=captures
    )
    flag("--check", help="run nothing: check what is recorded")
    wheels = "run nothing: look in these wheels for the messages of examples that wait for a GPU"
    instead.add_argument("--shipped", type=Path, nargs="+", default=[], help=wheels)
    flag("--prune", help="run nothing: remove records of examples that do not exist")
    record_.add_argument("--report", type=Path, help="write what is new in it here, in Markdown")
    record_.add_argument("--matrix", action="store_true", help=MATRIX)
    _add_jobs(record_)
    record_.set_defaults(command=record)

    compare_ = commands.add_parser("compare", help="report what differs between two recorded environments")
    compare_.add_argument(
        "before", help="TORCH[/NUMPY[/DEVICE]], such as 2.8, 2.13/1.26 or 2.13.0/1.26.4/cpu, or an id"
    )
    compare_.add_argument("after", help="the other environment")
    compare_.add_argument("--format", choices=("markdown", *FORMATS), default="markdown")
    compare_.set_defaults(command=compare)

    export_ = commands.add_parser(
        "export", help="write all that is recorded as one JSON document for other tools"
    )
    export_.add_argument("-o", "--output", type=Path, help="file to write; standard output when left out")
    export_.set_defaults(command=export)
    return parser


def _add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-j", "--jobs", type=probe_main.parse_jobs, help="examples at a time")


def _parse_times(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d{0,3}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of runs: name examples before --again")
    return int(text)


def draft(here: Project, options: argparse.Namespace) -> int:
    """Print an entry for docs/deviations.toml for each recorded difference that nothing explains."""
    every = project.examples_of(here)
    examples = project.examples_of(here, options.files) if options.files else every
    deviations = project.deviations_of(here, every)
    recorded = project.records_of(here, every, matrix=False).all_runs()
    print(drafts.draft_deviations(examples, recorded, deviations))
    return 0


def drift(here: Project, options: argparse.Namespace) -> int:
    """Report every difference between the claims, the records and what runs now."""
    if options.draft:
        return draft(here, options)
    key = cache.report_key(here.root)  # before anything is read
    every = project.examples_of(here)
    examples = project.examples_of(here, options.files) if options.files else every
    deviations = project.deviations_of(here, every)
    project.reports_of(here, every)  # pages show them: a wrong entry must be known before a build
    # What examples are held against has none of the matrix, and that is most of what is recorded.
    has_cells = options.matrix or options.all or options.capture is not None
    committed = project.records_of(here, every, matrix=has_cells)
    path = here.deviations.relative_to(here.root).as_posix()
    running = None
    if not options.all and options.capture is None:
        running = execution.begin(here, examples, _say, jobs=options.jobs, again=options.again > 0)
    capture = None if options.all else _finish_capture(here, every, options, running)
    if capture is None:
        verdicts = judge_records(examples, committed, deviations, path, project.gaps_of(here))
    else:
        verdicts = judge_capture(examples, capture, committed, deviations, path)
        verdicts = (*verdicts, *_judge_repeats(running, capture, verdicts, options))
        _say_if_unrecorded(capture.environment, committed)
    if options.files:
        # Part of the examples cannot tell which deviations and gaps nothing needs.
        paths = {example.path for example in examples.values()}
        verdicts = tuple(verdict for verdict in verdicts if verdict.path in paths)
    verdicts = (*verdicts, *_judge_cells(capture, committed))
    text = report.render_json(verdicts) if options.format == "json" else report.render_terminal(verdicts)
    print(text)
    if any(verdict.is_drift for verdict in verdicts):
        return DRIFT
    if running is not None and capture is not None:
        is_settled = execution.settle(running, capture)
        if is_settled and _is_plain(options):
            cache.write_report(here.root, key, text)
    return 0


def _judge_repeats(
    running: execution.Execution | None,
    capture: Capture,
    verdicts: Sequence[Verdict],
    options: argparse.Namespace,
) -> tuple[Verdict, ...]:
    """Verdicts on what is not the same each time: of every example if asked for, else of those that drift."""
    if running is None:
        return ()
    names = set(running.examples)
    if options.again < 2:
        names = repeats.find_disagreeing(running.examples, capture, verdicts)
    again = {name: example for name, example in running.examples.items() if name in names}
    if not again:
        return ()
    times = max(2, options.again)
    found = repeats.judge_repeats(running.project, again, capture, times=times, jobs=options.jobs, say=_say)
    paths = {verdict.path for verdict in found}
    if found:
        execution.forget(running, capture, {name for name in again if again[name].path in paths})
    return found


def _finish_capture(
    here: Project,
    examples: Mapping[str, Example],
    options: argparse.Namespace,
    running: execution.Execution | None,
) -> Capture:
    """The capture that was given, or that of the probe; with the matrix where that is asked for."""
    capture = project.capture_of(options.capture, examples) if running is None else running.finish()
    if not options.matrix:
        return capture
    return replace(capture, cells=project.run_probe(here, [], options.jobs, matrix=True).cells)


def _say_if_unrecorded(environment: Environment, committed: Store) -> None:
    if environment.id not in committed.environments:
        name = releases.summarize_environment(environment)
        words = f"no records of this environment ({name}): compared with the claims alone"
        print(words, file=sys.stderr)


def _is_plain(options: argparse.Namespace) -> bool:
    """Whether the gate was asked as most ask it: for everything, on a terminal."""
    return not options.files and not options.matrix and options.format == "terminal"


def _judge_cells(capture: Capture | None, committed: Store) -> tuple[Verdict, ...]:
    """Verdicts on the matrix of a capture; none where it has not been tried."""
    if capture is None or not capture.cells:
        return ()
    recorded = {name for row in committed.rows.values() for name in row.cells}
    known = [environment for name, environment in committed.environments.items() if name in recorded]
    expected = cell_changes.find_baseline(capture.environment, known)
    tried = {}
    for name, row in capture.cells.items():
        tried[name] = {source: outcome.cell for source, outcome in row.items()}
    cells = {} if expected is None else committed.cells(expected.id)
    return judge_cells(capture.environment, tried, expected, cells)


def _say(words: str) -> None:
    print(f"tensor-atlas: {words}", file=sys.stderr)


def claims(here: Project, options: argparse.Namespace) -> int:
    """Name the examples whose claims a run would change, and with ``--write`` change them."""
    every = project.examples_of(here)
    examples = project.examples_of(here, options.files) if options.files else every
    deviations = project.deviations_of(here, every)
    paths = [here.root / example.path for example in examples.values()]
    capture = project.run_probe(here, paths, options.jobs)
    code = 0
    for run in capture.runs:
        example = examples[run.example]
        if run.status is Status.NOT_RUN:
            print(f"{example.path}  not run: {run.reason}; its claims stay as they are")
        elif run.status is not Status.COMPLETED:
            code = max(code, DRIFT)
            print(
                "\n".join(
                    report.describe_verdict(v)
                    for v in compare_run(example, run, capture.environment, ())
                    if v.is_drift
                )
            )
        else:
            found = compare_run(example, run, capture.environment, deviations)
            explained = {verdict.statement for verdict in found if verdict.kind is VerdictKind.KNOWN}
            code = max(code, _rewrite(here, example, update_claims(example, run, explained), options.write))
    return code


def _rewrite(here: Project, example: Example, text: str, write: bool) -> int:
    if text == example.source:
        return 0
    if write:
        try:
            project.replace_source(here, example, text)
        except AtlasError as error:
            print(f"tensor-atlas: {error}", file=sys.stderr)
            return BAD_INPUT
        print(f"{example.path}  claims written: review the difference")
        return 0
    print(f"{example.path}  claims differ: tensor-atlas claims --write {example.path}")
    return DRIFT


def record(here: Project, options: argparse.Namespace) -> int:
    """Fold a run of every example into ``docs/records``; name files that changed, and what differs."""
    examples = project.examples_of(here)
    if options.check:
        return _check_records(here, examples)
    if options.prune:
        return _prune_records(here, examples)
    if options.shipped:
        return _record_wheels(here, examples, options.shipped)
    deviations = project.deviations_of(here, examples)
    taken = {str(path): project.capture_of(path, examples) for path in options.captures}
    _refuse_strangers(taken, examples)
    _read_to_record(here, examples)
    if options.report is not None:
        _write(options.report, "")  # what cannot be written must be known before everything is executed
    taken = taken or {"": project.run_probe(here, [here.examples], options.jobs, matrix=options.matrix)}
    reports = [_record_capture(here, found, examples, deviations) for found in merge_captures(taken)]
    if options.report is not None:
        _write(options.report, "\n".join(reports))
    return 0


def _check_records(here: Project, examples: dict[str, Example]) -> int:
    """Name everything that is wrong with the records, and each example that has none; the exit code."""
    committed = store.read_records(here.records)
    faults = list(find_faults(committed, examples, project.today()))
    for fault in faults:
        print(AtlasError(str(here.records / fault.file), fault.what, fault.remedy), file=sys.stderr)
    reasons = project.gaps_of(here)
    unrecorded = set(examples) - set(committed.records)
    waiting = {name for name in unrecorded for gap in reasons if gap.is_about(name)}
    for name in sorted(unrecorded - waiting):
        print(f"{examples[name].path}:1  not recorded\n    {RECORD_IT}")
    counts = f"{len(committed.records)} examples, {len(committed.environments)} environments recorded"
    print(f"{counts}; {len(faults)} faults; {len(unrecorded)} examples without a record")
    if faults:
        return BAD_INPUT
    return DRIFT if unrecorded - waiting else 0


def _record_wheels(here: Project, examples: dict[str, Example], wheels: Sequence[Path]) -> int:
    """Look in wheels for messages of examples that need a GPU; name those that no newest wheel has."""
    claimed: dict[str, str] = {}
    for example in examples.values():
        for words, line in list_searched_words(example).items():
            claimed.setdefault(words, f"{example.path}:{line}")
    found = {wheel.name.removesuffix(".whl"): search_wheel(wheel, claimed) for wheel in wheels}
    with lock_folder(here.records):
        committed = _read_to_record(here, examples)
        merged = {**committed.shipped, **found}
        shipped = {
            wheel: {words: file for words, file in files.items() if words in claimed}
            for wheel, files in merged.items()
        }
        store.write_records(replace(committed, shipped=shipped), here.records)
    for wheel, files in found.items():
        held = sum(file is not None for file in files.values())
        print(f"{parse_wheel(wheel)}: {held} of {len(files)} messages")
    for words, where in claimed.items():
        if not find_shipping_files(shipped, words):
            print(f"{where}  in no file of the newest wheels: {words}")
    return 0


def _prune_records(here: Project, examples: dict[str, Example]) -> int:
    """Remove the records of examples and conversions that do not exist, and name each file."""
    with lock_folder(here.records):
        committed = _read_to_record(here, examples)
        changed = store.write_records(store.drop_removed(committed, set(examples)), here.records)
    for path in changed:
        print(f"{path.relative_to(here.root).as_posix()}  {'changed' if path.exists() else 'removed'}")
    print(f"{len(changed)} file{'s' * (len(changed) != 1)} changed")
    return 0


def _read_to_record(here: Project, examples: dict[str, Example]) -> Store:
    """The records that something is about to be put into: orphans may stay, as writing removes them."""
    committed = store.read_records(here.records)
    faults = find_faults(committed, examples, project.today())
    project.refuse_faults(here, [fault for fault in faults if not fault.is_orphan])
    return committed


def _refuse_strangers(captures: Mapping[str, Capture], examples: dict[str, Example]) -> None:
    for file, capture in captures.items():
        strangers = sorted({run.example for run in capture.runs} - set(examples))
        if strangers:
            remedy = "capture this checkout's examples"
            raise AtlasError(file, f"holds examples that are not here: {', '.join(strangers)}", remedy)


def _record_capture(
    here: Project, found: MergedCapture, examples: dict[str, Example], deviations: Sequence[Deviation]
) -> str:
    """Fold what was observed of one environment into the records; the report on it, in Markdown."""
    capture = _drop_older_code(found.capture, examples)
    environment = capture.environment
    with lock_folder(here.records):  # what another records meanwhile must not be lost
        kept = store.drop_removed(store.add_capture(_read_to_record(here, examples), capture), set(examples))
        changed = store.write_records(kept, here.records)
    for path in changed:
        print(path.relative_to(here.root).as_posix())
    print(
        f"{len(changed)} file{'s' * (len(changed) != 1)} changed for "
        f"{releases.summarize_environment(environment)}"
    )
    news = store.select_files(kept, here.records, changed)
    # Of what has been recorded anew alone: whoever records one example need not read of all others again.
    is_new = bool(news.records or news.rows)
    around = (
        _compare_neighbours(environment, news, {name: examples[name] for name in news.records})
        if is_new
        else []
    )
    alone = report.ALONE if is_new else report.NOTHING_NEW
    verdicts = [v for r in capture.runs for v in compare_run(examples[r.example], r, environment, deviations)]
    drifted = [verdict for verdict in verdicts if verdict.is_drift]
    print("\n\n".join(report.render_comparison(one, examples) for one in around) or alone)
    for verdict in drifted:
        print(report.describe_verdict(verdict), file=sys.stderr)
    lacking = report.describe_missing_shards(found.missing, len(examples) - len(found.capture.runs))
    if lacking:
        print(f"{releases.summarize_environment(environment)}: {lacking}", file=sys.stderr)
    return report.render_recording(environment, around, drifted, examples, lacking, alone)


def _compare_neighbours(recorded: Environment, news: Store, examples: dict[str, Example]) -> list[Comparison]:
    """What differs from the older neighbours of an environment, then what from it to the newer ones."""
    into, out = releases.steps_around(news.environments[recorded.id], news.environments.values())
    return [_compare_recorded(step.before, step.after, news, examples) for step in (*into, *out)]


def _compare_recorded(
    before: Environment, after: Environment, kept: Store, examples: dict[str, Example]
) -> Comparison:
    found = changes.compare_environments(
        (before, kept.runs(before.id)), (after, kept.runs(after.id)), examples
    )
    return replace(found, rules=cell_changes.find_rules(kept.cells(before.id), kept.cells(after.id)))


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        remedy = "name a file in a folder you may write to"
        raise AtlasError(str(path), f"cannot be written: {error.strerror or error}", remedy) from None


def compare(here: Project, options: argparse.Namespace) -> int:
    """Report what differs between two recorded environments; exit code 1 where anything does."""
    examples = project.examples_of(here)
    committed = project.records_of(here, examples)
    before, after = (
        releases.find_environment(text, committed.environments.values())
        for text in (options.before, options.after)
    )
    found = _compare_recorded(before, after, committed, examples)
    if options.format == "markdown":
        evidence = evidence_from_records(examples, committed, project.deviations_of(here, examples))
        table = build_upgrade_table(evidence)
        names = [place.name for place in table.places]
        places = (names.index(releases.name_environment(environment)) for environment in (before, after))
        print(report.escape_controls(render_markdown(table, *places)), end="")
        return DRIFT if found.changes or found.rules else 0
    render = report.render_comparison_json if options.format == "json" else report.render_comparison
    print(render(found, examples))
    return DRIFT if found.changes or found.rules else 0


def export(here: Project, options: argparse.Namespace) -> int:
    """Write what is recorded, with claims and deviations, in the form that the site offers for download."""
    examples = project.examples_of(here)
    text = data.render_export(
        examples,
        project.records_of(here, examples, matrix=False),
        project.deviations_of(here, examples),
    )
    if options.output is None:
        sys.stdout.write(text)
    else:
        _write(options.output, text)
    return 0


def _drop_older_code(capture: Capture, examples: dict[str, Example]) -> Capture:
    """Capture without runs of older code, each of which is named: they would displace newer ones."""
    older = {
        r.example for r in capture.runs if r.example in examples and r.digest != examples[r.example].digest
    }
    for name in sorted(older):
        print(f"{examples[name].path}  changed since it was captured: not recorded", file=sys.stderr)
    return replace(capture, runs=tuple(run for run in capture.runs if run.example not in older))
