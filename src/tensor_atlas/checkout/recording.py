"""What ``tensor-atlas record`` and ``replay`` do with captures, the committed records beside them."""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tensor_atlas.checkout import project
from tensor_atlas.checkout.project import Project
from tensor_atlas.compare import replays, report
from tensor_atlas.compare.change_text import count_noun
from tensor_atlas.compare.comparisons import (
    ALONE,
    NOTHING_NEW,
    Comparison,
    compare_environments,
    describe_missing_shards,
    render_comparison,
)
from tensor_atlas.compare.deviations import Deviation
from tensor_atlas.compare.evidence import evidence_from_records
from tensor_atlas.compare.judge import find_missing_cells
from tensor_atlas.compare.preview import (
    PREVIEW,
    build_preview,
    find_counterpart,
    is_preview,
    render_preview,
)
from tensor_atlas.compare.proposals import Recording, render_proposal, render_whole
from tensor_atlas.compare.upgrade import build_upgrade_table
from tensor_atlas.compare.verdicts import RECORD_IT, compare_run
from tensor_atlas.errors import BAD_INPUT, DRIFT, NO_RECORDS, AtlasError
from tensor_atlas.examples.messages import list_searched_words
from tensor_atlas.examples.parse import Example
from tensor_atlas.files import replace_file
from tensor_atlas.history import releases, retirement
from tensor_atlas.model.capture import Capture, MergedCapture, merge_captures
from tensor_atlas.model.runs import Environment, Status
from tensor_atlas.probe.capture import write_capture
from tensor_atlas.records import store
from tensor_atlas.records.checks import Fault, find_faults
from tensor_atlas.records.shipped import find_shipping_files, parse_wheel, search_wheel
from tensor_atlas.records.store import Store

NOT_KEPT = "what was captured could not be kept: there is no room for it"


def record(here: Project, options: argparse.Namespace) -> int:
    """Fold a run of all examples, or of some, into ``docs/records``; name what changed, and what differs."""
    examples = project.examples_of(here)
    for is_asked, do in (
        (options.check, _check_records),
        (options.prune or options.seal, _write_again),
        (options.retire is not None, _retire),
        (options.shipped, _record_wheels),
    ):
        if is_asked:
            return do(here, examples, options)
    if options.only and options.matrix:
        raise AtlasError("--only", "runs examples alone, not the matrix", "leave out --matrix")
    selected = project.select_examples(examples, options.only)
    deviations = project.deviations_of(here, examples)
    taken = _read_captures(options.captures, examples, is_forgiving=options.skip_broken)
    _read_recordable(here, examples)
    if options.report is not None:
        # What cannot be written must be known before everything is executed.
        project.try_output(options.report)
    if not taken:
        paths = [here.root / example.path for example in selected.values()] or [here.examples]
        taken = {"": project.run_probe(here, paths, options.jobs, matrix=options.matrix)}
    if options.preview:
        return _write_preview(here, taken, examples)
    with _keep_unrecorded(taken):
        _refuse_previews(taken)
        folded = [_fold_capture(here, found, examples) for found in merge_captures(taken)]
    # Compared when all are there: with what one is compared must not depend on the order of the captures.
    recordings = [_compare_capture(here, one, examples, deviations) for one in folded]
    if options.report is not None:
        _write_report(here, options.report, recordings, examples)
    return 0


def _write_report(
    here: Project, path: Path, recordings: Sequence[Recording], examples: dict[str, Example]
) -> None:
    """Write the text of a pull request, and beside it the whole report."""
    with project.share_records(here):
        environments = store.read_records(here.records, matrix=False).environments.values()
    due = retirement.describe_due(environments, _measure_records(here))
    whole = name_whole_report(path)
    project.write_output(path, render_proposal(recordings, examples, whole.name, due))
    project.write_output(whole, render_whole(recordings, examples))


def name_whole_report(path: Path) -> Path:
    """File beside a report that holds all of it: ``report-whole.md``."""
    return path.with_stem(f"{path.stem}-whole")


@contextlib.contextmanager
def _keep_unrecorded(captures: Mapping[str, Capture]) -> Iterator[None]:
    """Say where captures are if they cannot be recorded, whatever the reason; keep one that is in no file."""
    try:
        yield
    except BrokenPipeError:  # all is written before anything is printed
        raise
    except BaseException:  # an interrupt, too
        kept = [file or _keep_capture(capture) for file, capture in captures.items()]
        words = f"what was captured is kept: tensor-atlas record --from {' '.join(kept)}"
        print(f"tensor-atlas: record did not end; {words if all(kept) else NOT_KEPT}", file=sys.stderr)
        raise


def _keep_capture(capture: Capture) -> str:
    """Path of a new file that holds a capture; empty where there is no place for it."""
    for folder in (tempfile.gettempdir(), str(Path.cwd()), str(Path.home())):
        with contextlib.suppress(AtlasError, OSError):
            path = Path(tempfile.mkdtemp(prefix="tensor-atlas-kept-", dir=folder), "capture.json")
            write_capture(capture, path)
            return str(path)
    return ""


def _check_records(here: Project, examples: dict[str, Example], _: argparse.Namespace) -> int:
    """Name everything that is wrong with the records, and what has none; the exit code."""
    with project.share_records(here):
        edits = project.find_edits(here)
        committed = Store() if edits else store.read_records(here.records)
    if edits:
        _name_faults(here, edits)
        return BAD_INPUT
    faults = list(find_faults(committed, examples, project.today()))
    _name_faults(here, faults)
    gaps = project.gaps_of(here)
    unrecorded = set(examples) - set(committed.records)
    unexplained = unrecorded - {name for gap in gaps for name in filter(gap.match, unrecorded)}
    for name in sorted(unexplained):
        print(f"{examples[name].path}:1  not recorded\n    {RECORD_IT}")
    cells = [verdict for verdict in find_missing_cells(committed) if verdict.is_drift]
    for verdict in cells:
        print(report.describe_verdict(verdict))
    counts = f"{len(committed.records)} examples, {len(committed.environments)} environments recorded"
    lacking = f"{len(unrecorded)} examples without a record"
    lacking += f", and {len(cells)} of the matrix's calls and inputs" if cells else ""
    print(f"{counts}; {len(faults)} faults; {lacking}")
    if faults:
        return BAD_INPUT
    return DRIFT if unexplained or cells else 0


def _name_faults(here: Project, faults: Iterable[Fault]) -> None:
    for fault in faults:
        print(AtlasError(str(here.records / fault.file), fault.problem, fault.remedy), file=sys.stderr)


def _record_wheels(here: Project, examples: dict[str, Example], options: argparse.Namespace) -> int:
    """Look in wheels for messages of examples that need a GPU; name those that no newest wheel has."""
    claimed: dict[str, str] = {}
    for example in examples.values():
        for words, line in list_searched_words(example).items():
            claimed.setdefault(words, f"{example.path}:{line}")
    files_of = {wheel.name.removesuffix(".whl"): search_wheel(wheel, claimed) for wheel in options.shipped}
    with project.lock_records(here):
        committed = _read_recordable(here, examples)
        merged = {**committed.shipped, **files_of}
        shipped = {wheel: _keep_claimed(files, claimed) for wheel, files in merged.items()}
        store.write_records(replace(committed, shipped=shipped), here.records)
    for wheel, files in files_of.items():
        held = sum(file is not None for file in files.values())
        print(f"{parse_wheel(wheel)}: {held} of {len(files)} messages")
    for words, where in claimed.items():
        if not find_shipping_files(shipped, words):
            print(f"{where}  in no file of the newest wheels: {words}")
    return 0


def _keep_claimed(files: Mapping[str, str | None], claimed: Container[str]) -> dict[str, str | None]:
    return {words: file for words, file in files.items() if words in claimed}


def _write_again(here: Project, examples: dict[str, Example], options: argparse.Namespace) -> int:
    """Seal records that were edited, or remove those of what does not exist; name each file."""
    with project.lock_records(here):
        committed = _read_recordable(here, examples, is_edited=options.seal)
        kept = committed if options.seal else store.drop_removed(committed, set(examples))
        changed = store.write_records(kept, here.records)
    for path in changed:
        print(f"{path.relative_to(here.root).as_posix()}  {'changed' if path.exists() else 'removed'}")
    print(f"{count_noun(len(changed), 'file')} changed")
    return 0


def _retire(here: Project, examples: dict[str, Example], options: argparse.Namespace) -> int:
    """Remove what was recorded with minor releases of torch; name what must be looked at then."""
    with project.lock_records(here):
        committed = _read_recordable(here, examples)
        known = committed.environments.values()
        chosen = options.retire or retirement.find_due(known, _measure_records(here))
        unknown = sorted(set(chosen) - set(retirement.list_minors(known)))
        if unknown:
            remedy = f"recorded: {', '.join(retirement.list_minors(known))}"
            raise AtlasError("--retire", f"no record of torch {', '.join(unknown)}", remedy)
        leaving = [environment.id for environment in retirement.select_minors(known, chosen)]
        changed = store.write_records(store.drop_environments(committed, leaving), here.records)
    for name in leaving:
        print(f"{name}  left the records")
    print(f"{count_noun(len(changed), 'file')} changed" if leaving else "no release is due to leave")
    if leaving:
        print("tensor-atlas drift --all names the deviations and gaps that nothing needs any more")
    return 0


def _measure_records(here: Project) -> int:
    """Bytes of all records."""
    return sum(path.stat().st_size for path in here.records.rglob("*.json"))


def _read_recordable(here: Project, examples: dict[str, Example], *, is_edited: bool = False) -> Store:
    """The records as a run may be folded into them; AtlasError for a fault other than an orphan."""
    with project.share_records(here):
        if not is_edited:
            project.refuse_faults(here, project.find_edits(here))
        committed = store.read_records(here.records)
    faults = find_faults(committed, examples, project.today())
    project.refuse_faults(here, [fault for fault in faults if not fault.is_orphan])
    return committed


def _refuse_previews(captures: Mapping[str, Capture]) -> None:
    """AtlasError where a torch or NumPy is not released: it would count as the release, and decide claims."""
    for file, capture in captures.items():
        if is_preview(capture.environment):
            where = releases.summarize_environment(capture.environment)
            remedy = "tensor-atlas record --preview --from CAPTURE keeps what it changes"
            raise AtlasError(file or "this environment", f"is no release: {where}", remedy)


def _write_preview(here: Project, captures: Mapping[str, Capture], examples: dict[str, Example]) -> int:
    """Keep what a torch that is not released does otherwise than the newest recorded one."""
    merged = merge_captures(captures)
    if len(merged) > 1 or not is_preview(merged[0].capture.environment):
        raise AtlasError("--preview", "takes one torch that is not released", "record releases without it")
    capture = merged[0].capture
    with project.share_records(here):
        committed = store.read_records(here.records, matrix=False)
    before = find_counterpart(capture.environment, committed.environments.values())
    if before is None:
        raise AtlasError("--preview", "nothing recorded to compare it with", "record a release first")
    preview = build_preview(capture, before, committed.runs(before.id), examples)
    replace_file(here.root / PREVIEW, render_preview(preview))
    print(f"{PREVIEW.as_posix()}  {preview.where}: {count_noun(len(preview.changes), 'change')}")
    return 0


def _read_captures(
    paths: Iterable[Path], examples: dict[str, Example], *, is_forgiving: bool
) -> dict[str, Capture]:
    """Captures by file; one that cannot be used is an AtlasError, or is left out and named."""
    taken: dict[str, Capture] = {}
    broken: list[AtlasError] = []
    for path in paths:
        try:
            capture = project.capture_of(path, examples)
            _refuse_strangers(str(path), capture, examples)
        except AtlasError as error:
            broken.append(error)
        else:
            taken[str(path)] = capture
    if broken and not (is_forgiving and taken):
        raise broken[0]
    for refused in broken:
        print(f"tensor-atlas: left out: {refused}", file=sys.stderr)
    return taken


def _refuse_strangers(file: str, capture: Capture, examples: dict[str, Example]) -> None:
    strangers = sorted({run.example for run in capture.runs} - set(examples))
    if strangers:
        remedy = "capture this checkout's examples"
        raise AtlasError(file, f"holds examples that are not here: {', '.join(strangers)}", remedy)


@dataclass(frozen=True)
class _Folded:
    """A capture whose observations are in the records."""

    merged: MergedCapture
    """What was captured."""
    capture: Capture
    """As much of it as is of the present code."""
    changed: tuple[Path, ...]
    """Files of the records that it changed."""


def _fold_capture(here: Project, merged: MergedCapture, examples: dict[str, Example]) -> _Folded:
    """Fold what was observed of one environment into the records."""
    capture = _drop_older_code(merged.capture, examples)
    with project.lock_records(here):  # what another records meanwhile must not be lost
        kept = store.drop_removed(store.add_capture(_read_recordable(here, examples), capture), set(examples))
        changed = store.write_records(kept, here.records)
    return _Folded(merged, capture, tuple(changed))


def _compare_capture(
    here: Project, folded: _Folded, examples: dict[str, Example], deviations: Sequence[Deviation]
) -> Recording:
    """Name each file that changed, and what is new in a recorded environment."""
    capture, environment = folded.capture, folded.capture.environment
    where = releases.summarize_environment(environment)
    for path in folded.changed:
        print(path.relative_to(here.root).as_posix())
    print(f"{count_noun(len(folded.changed), 'file')} changed for {where}")
    with project.share_records(here):
        kept = store.read_records(here.records)
    news = store.select_files(kept, here.records, folded.changed)
    # Of what has been recorded anew alone: whoever records one example need not read of all others again.
    around, alone = [], NOTHING_NEW
    if news.records or news.rows:
        around, alone = _compare_neighbours(environment, news, examples, deviations), ALONE
    verdicts = [v for r in capture.runs for v in compare_run(examples[r.example], r, environment, deviations)]
    drifted = [verdict for verdict in verdicts if verdict.is_drift]
    print("\n\n".join(render_comparison(one, examples) for one in around) or alone)
    for verdict in drifted:
        print(report.describe_verdict(verdict), file=sys.stderr)
    missing = len(examples) - len(folded.merged.capture.runs)
    lacking = describe_missing_shards(folded.merged.missing, missing)
    if lacking:
        print(f"{where}: {lacking}", file=sys.stderr)
    not_run = Counter(run.reason for run in capture.runs if run.status is Status.NOT_RUN)
    return Recording(environment, tuple(around), tuple(drifted), lacking, alone, not_run)


def _compare_neighbours(
    recorded: Environment, news: Store, examples: dict[str, Example], deviations: Sequence[Deviation]
) -> list[Comparison]:
    """What differs from the older neighbours of an environment, then what from it to the newer ones."""
    evidence = evidence_from_records({name: examples[name] for name in news.records}, news, deviations)
    into, out = releases.steps_around(news.environments[recorded.id], news.environments.values())
    steps = (*into, *out)
    if not steps:
        return []
    table = build_upgrade_table(evidence)
    return [compare_environments(evidence, table, step.before, step.after) for step in steps]


def _drop_older_code(capture: Capture, examples: dict[str, Example]) -> Capture:
    """Capture without runs of older code, each of which is named: they would displace newer ones."""
    runs = []
    for run in capture.runs:
        example = examples[run.example]
        if run.digest == example.digest:
            runs.append(run)
        else:
            print(f"{example.path}  changed since it was captured: not recorded", file=sys.stderr)
    return replace(capture, runs=tuple(runs))


# --- replaying ----------------------------------------------------------------------------------


def replay(here: Project, options: argparse.Namespace) -> int:
    """Report what a capture holds that is not as recorded; exit code 1 where there is anything."""
    examples = project.examples_of(here)
    capture = project.capture_of(options.capture, examples)
    committed = project.records_of(here, examples)
    if capture.environment.id not in committed.environments:
        print(f"tensor-atlas: no records of {capture.environment.id}: nothing to compare", file=sys.stderr)
        return NO_RECORDS
    result, verdicts = replays.compare_with_records(capture, examples, committed)
    if not (result.cells or result.statements or result.differences):
        problem = f"nothing in it is recorded of {capture.environment.id} in its present form"
        raise AtlasError(str(options.capture), problem, "run other examples or cells, or record these first")
    print(report.render_terminal(verdicts))
    print(f"{result.cells} cells, {result.statements} statements as recorded but for {result.differences}")
    if options.write:
        path = here.root / replays.FILE
        before = path.read_text(encoding="utf-8") if path.is_file() else ""
        replace_file(path, replays.put_replay(before, result))
    return DRIFT if result.differences else 0
