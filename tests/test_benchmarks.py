"""The benchmark of ``nox -s bench``: the same work for all, proven runs, ratios to the floor of the round."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks import forms, rounds
from benchmarks.results import Row, summarise
from benchmarks.rounds import Measured, NotDoneError, check_systems, measure_size
from benchmarks.systems import SYSTEMS, System, has_done_its_work, write_workload
from benchmarks.tables import COUNTS, NOT_YET, draw_chart, render_growth, render_markdown, render_times
from benchmarks.workload import IMPORTS, Scenario, Size, Step, make_document, make_documents, make_scenario
from samples import ROOT

from tensor_atlas.examples.parse import parse_example

if sys.platform != "linux":
    pytest.skip("the benchmark is for Linux", allow_module_level=True)

SIZE = Size(4, per_file=2)
CLOCK = ROOT / "tests" / "benchmarks" / "clock.py"
NAMED = {system.name: system for system in SYSTEMS}
QUICK = System("floor", "nothing", forms.write_scripts, (sys.executable, "-c", "print('done')"), "done")
"""A system that does nothing, quickly."""


def steps(scenarios: Sequence[Scenario]) -> list[Step]:
    """Statements with their outputs, in order."""
    return [step for scenario in scenarios for step in scenario.steps]


def all_steps() -> list[Step]:
    """Statements of the workload with their outputs, in order."""
    return [step for document in make_documents(SIZE) for step in steps(document)]


# --- the workload and its forms ------------------------------------------------------------------


def test_scenarios_have_four_to_six_statements_and_one_in_four_catches_an_error() -> None:
    """Whatever their number; no two are the same; the outputs are those of plain Python."""
    scenarios = [make_scenario(number) for number in range(200)]
    assert {len(scenario.steps) for scenario in scenarios} == {4, 5, 6}
    catching = [n for n, s in enumerate(scenarios) if any("try:" in step.code for step in s.steps)]
    assert catching == list(range(3, 200, 4))
    assert len({scenario.steps for scenario in scenarios}) == 200
    assert scenarios[0].steps[-2] == Step("print(array.tolist())", "[0.0, 2.0, 3.0, 4.0]")
    for step in steps(scenarios):
        assert bool(step.output) == ("print(" in step.code), step


def test_changed_document_computes_with_other_numbers() -> None:
    """So that it must be executed again."""
    for before, after in zip(make_document(SIZE, 2), make_document(SIZE, 2, variant=1), strict=True):
        assert before.title == after.title
        assert before.steps != after.steps


def test_claims_of_the_atlas_are_the_outputs() -> None:
    """Line by line; without them, the script is the one that the floor and sphinx-gallery execute."""
    plain, claimed = (write(make_documents(SIZE)) for write in (forms.write_scripts, forms.write_checkout))
    found = []
    for index in range(2):
        path = forms.script_path(index)
        assert re.sub("# => .*\n", "", claimed[path]) == plain[path]
        statements = [s for s in parse_example(claimed[path], path).statements if s.code not in IMPORTS]
        found += [Step(s.code, "\n".join(s.claim.lines) if s.claim else "") for s in statements]
    assert found == all_steps()


@pytest.mark.parametrize("write", [forms.write_docstrings, forms.write_sessions])
def test_sessions_hold_every_statement_with_its_output(write: Any) -> None:
    """As the standard library reads them."""
    files = write(make_documents(SIZE))
    texts = [text for path, text in sorted(files.items()) if re.match(r"s\d{4}\.", path)]
    examples = [e for text in texts for e in doctest.DocTestParser().get_examples(text.replace('"""', "\n"))]
    found = [Step(e.source.removesuffix("\n"), e.want.removesuffix("\n")) for e in examples]
    assert [step for step in found if step.code not in IMPORTS] == all_steps()


def test_notebooks_hold_a_cell_for_each_scenario_with_its_outputs() -> None:
    """Beside one for the imports."""
    texts = [t for p, t in forms.write_notebooks(make_documents(SIZE)).items() if p.endswith(".ipynb")]
    cells = [c for text in texts for c in json.loads(text)["cells"] if c["cell_type"] == "code"]
    printed = ["".join(output["text"] for output in cell["outputs"]) for cell in cells]
    first, second = make_documents(SIZE)
    assert printed == ["", *(s.output for s in first), "", *(s.output for s in second)]


@pytest.mark.parametrize("write", [forms.write_markdown, forms.write_myst_notebooks])
def test_markdown_holds_every_statement(write: Any) -> None:
    """What is printed stands there only where it is compared."""
    text = "".join(write(make_documents(SIZE)).values())
    assert [step.code for step in all_steps() if step.code not in text] == []
    claimed = re.findall(r"#> (.*)", text)
    printed = [line for step in all_steps() for line in step.output.splitlines()]
    assert claimed == (printed if write is forms.write_markdown else [])


# --- the runs ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_systems_do_their_work_and_see_a_fault(tmp_path: Path) -> None:
    """Those that take seconds; `nox -s bench` tries every one before it times any."""
    check_systems([NAMED["floor"], NAMED["gate"], NAMED["doctest"]], tmp_path)
    with pytest.raises(NotDoneError, match="floor passes with a fault"):
        check_systems([QUICK], tmp_path)


def test_run_that_fails_or_reports_nothing_is_no_measurement(tmp_path: Path) -> None:
    """Its time would mean nothing."""
    work = write_workload(QUICK, make_documents(SIZE), tmp_path / "work")
    with pytest.raises(NotDoneError, match="floor did not do its work"):
        rounds.run_system(replace(QUICK, report="other words"), work)
    with pytest.raises(NotDoneError, match="exit code 4"):
        rounds.run_system(replace(QUICK, command=(sys.executable, "-c", "raise SystemExit(4)")), work)


def test_pages_must_show_what_was_printed(tmp_path: Path) -> None:
    """One page for each document, with every line of its outputs."""
    site = NAMED["site"]
    work = write_workload(site, make_documents(Size(2)), tmp_path / "work")
    folder = tmp_path / "work" / "docs/_build/html/gallery/01_part"
    folder.mkdir(parents=True)
    for number, document in enumerate(work.documents):
        assert not has_done_its_work(site, work, "")
        output = document[0].output.replace("(", "<i>(</i>")
        (folder / f"{forms.stem(number)}.html").write_text(f"<pre>{output}</pre>", encoding="utf-8")
    assert has_done_its_work(site, work, "")
    (folder / "s0001.html").write_text("<pre></pre>", encoding="utf-8")
    assert not has_done_its_work(site, work, "")


@pytest.mark.slow
def test_rounds_begin_and_end_with_the_floor(tmp_path: Path) -> None:
    """Memory is sampled in rounds of its own, but for a slow system, which is run once."""
    sleep = (sys.executable, "-c", "import time\ntime.sleep(0.4)\nprint('done')")
    floor = replace(QUICK, command=sleep)
    systems = [floor, replace(floor, name="quick"), replace(floor, name="slow", slow=True)]
    found = list(measure_size(SIZE, systems, 2, tmp_path))
    of_round = [[one.system for one in found if one.round == number] for number in range(5)]
    assert of_round == [["floor", "quick", "slow", "floor"], *[["floor", "quick", "floor"]] * 4]
    assert {one.round for one in found if one.timed} == {0, 1}
    sampled = {(one.round, one.system) for one in found if one.memory}
    assert sampled == {(0, "slow"), *((r, name) for r in (2, 3, 4) for name in ("floor", "quick"))}


def clock(code: str, pause: float = 0) -> dict[str, float]:
    """What the clock says of a program."""
    command = [sys.executable, str(CLOCK), str(pause), sys.executable, "-c", code]
    found: dict[str, float] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return found


@pytest.mark.slow
def test_clock_counts_the_processor_time_of_what_outlives_the_command() -> None:
    """The wall time ends with the command, as it does for whoever waits."""
    busy = "import time\nwhile time.process_time() < 0.5: pass"
    found = clock(f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {busy!r}])")
    assert found["cpu"] >= 0.5
    assert clock("raise SystemExit(3)")["code"] == 3


CHURNS = """
import os, time
data = b"x" * 100_000_000
for _ in range(60):
    children = []
    for number in range(6):
        child = os.fork()
        if child == 0:
            time.sleep(0.002 * number)
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
"""


@pytest.mark.slow
def test_memory_that_processes_share_counts_once() -> None:
    """Also where processes come and go while it is sampled."""
    found = clock(CHURNS, pause=0.001)
    assert 100e6 < found["memory"] < 115e6
    assert found["code"] == 0, "all went on"
    assert clock("pass")["memory"] is None


# --- the results ---------------------------------------------------------------------------------


def took(round_: int, system: str, wall: float, memory: int | None = None) -> Measured:
    """A run that used twice its wall time of the processors."""
    return Measured(SIZE, round_, system, "cold", memory is None, wall, 2 * wall, memory, None)


def test_ratio_is_to_the_floors_of_the_same_round() -> None:
    """A machine that slows down slows both; the two floors count as their mean, peaks as their median."""
    first = [took(0, "floor", 1.0), took(0, "sybil", 4.0), took(0, "floor", 3.0)]
    second = [took(1, "floor", 10.0), took(1, "sybil", 30.0), took(1, "floor", 10.0)]
    memory = [took(2, "floor", 99.0, 100), *(took(n, "sybil", 99.0, n) for n in (150, 190, 140))]
    rows = {row["system"]: row for row in summarise([*first, *second, *memory], {}, 0.5)["rows"]}
    sybil = rows["sybil"]
    assert (sybil["ratio"], sybil["low"], sybil["high"], sybil["rounds"]) == (2.5, 2.0, 3.0, 2)
    assert (sybil["cpu"], sybil["memory"], sybil["seconds"]) == (2.5, 1.5, 17.0)
    assert rows["floor"]["memory"] == 1.0


def results(*rows: Row) -> dict[str, Any]:
    """A file of these rows, on a machine that imports torch in four seconds."""
    plain = {"state": "cold", "per_file": 1, "low": 1.0, "high": 1.0, "memory": 1.25, "page": None}
    return {"start": 4.0, "rows": [{**plain, **row} for row in rows]}


def test_table_shows_multiples_slope_and_memory_but_no_seconds() -> None:
    """The slope is that of seconds, as a share of importing torch; seconds belong to one machine."""
    fifty = {"system": "sybil", "count": 50, "ratio": 2.0, "seconds": 4.0}
    more = {"system": "sybil", "count": 200, "ratio": 240.4, "seconds": 604.0}
    table = render_times(results(more, fifty), [NAMED["sybil"], NAMED["nbval"]], 1, COUNTS)
    lines = table.replace("\N{NO-BREAK SPACE}", " ").split("\n")
    assert lines[2] == f"| Sybil | 2.0 × | 240 × | {NOT_YET} | {NOT_YET} | 100.00% | 1.25 × |"
    assert lines[3] == f"| nbval |{f' {NOT_YET} |' * 6}"
    assert f"| Sybil | {NOT_YET} | {NOT_YET} |" in render_times(results(fifty), [NAMED["sybil"]], 10, [50])


def test_growth_is_against_the_fewest_pages() -> None:
    """Time for each page, its size, and the memory of the whole build."""
    few = {"system": "site", "count": 50, "seconds": 2.0, "page": 1000}
    many = {"system": "site", "count": 200, "seconds": 16.0, "page": 1100, "memory": None}
    lines = render_growth(results(many, few)).replace("\N{NO-BREAK SPACE}", " ").split("\n")
    assert lines[2:] == ["| 50 | 1.00 × | 1.00 × | 1.00 × |", f"| 200 | 2.00 × | 1.10 × | {NOT_YET} |"]


def test_committed_tables_and_chart_are_those_of_the_committed_results(tmp_path: Path) -> None:
    """No figure on the page was written by hand, and every table and the chart stand on it."""
    folder = ROOT / "docs" / "measurements"
    committed = json.loads((folder / "bench.json").read_text(encoding="utf-8"))
    tables = (folder / "bench.md").read_text(encoding="utf-8")
    assert render_markdown(committed) == tables
    draw_chart(committed, tmp_path / "bench.svg")
    shapes = [re.findall(r"<use .*", (at / "bench.svg").read_text("utf-8")) for at in (tmp_path, folder)]
    assert len(shapes[0]) == len(shapes[1]) > len(SYSTEMS)
    page = (ROOT / "docs" / "contributing" / "speed.md").read_text(encoding="utf-8")
    markers = [marker for marker in re.findall("<!-- .* -->", tables)[1:] if marker != "<!-- end -->"]
    assert re.findall(':start-after: "(.*)"', page) == markers
    prose = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    assert not re.search(r"\d+(\.\d+)? ?(×|%|times|seconds|s\b)", prose)
