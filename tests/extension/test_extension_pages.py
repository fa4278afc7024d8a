"""The extension on a tiny project: what a built page shows, and what a second build executes."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from html import unescape
from importlib.metadata import version
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from docutils import nodes
from samples import wait_for
from sphinx.testing.util import SphinxTestApp
from tiny_project import (
    CAPTURE,
    CARD,
    CONF,
    ERRORS,
    INDEX,
    SCRIPTS,
    UNRUN,
    Tiny,
    blocks,
    example,
    html,
    pieces,
    tiny,
)

from tensor_atlas.checkout import project
from tensor_atlas.examples.parse import parse_example
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.runs import Observation, Run, Snapshot, Status
from tensor_atlas.pages.error_messages import collect_messages
from tensor_atlas.records import store
from tensor_atlas.records.fold import Record
from tensor_atlas.site.build.nodes import element

UNSEEN = "not yet confirmed by a run"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, executed: Path) -> tuple[Tiny, SphinxTestApp]:
    """The tiny checkout, built once with a drifting example."""
    made = tiny(tmp_path_factory.mktemp("tiny"), executed)
    made.add("01_x/drifts", "01_x/odd", "01_x/late")
    return made, made.build()


def test_output_stands_directly_under_its_statement(built: tuple[Tiny, SphinxTestApp]) -> None:
    """Code up to a statement that prints, its output, the code after it; claim lines are gone."""
    shown = pieces(blocks(built[1], "shares")[1])
    assert shown[0][0] == "code"
    assert shown[0][1].endswith("print(array)")
    assert shown[1] == ("output", "Output\n\n[5. 0.]")
    assert shown[2][1].startswith("copied =")
    assert "# =>" not in "".join(text for _, text in shown)


def test_sharing_is_told_after_the_block_that_brings_it_about(built: tuple[Tiny, SphinxTestApp]) -> None:
    """The line names who shares, and not who copied."""
    kinds = dict(pieces(blocks(built[1], "shares")[1]))
    assert (
        kinds["sharing"]
        == "Measured after the block: array and tensor share memory, in a buffer of 16 bytes on cpu."
    )


def test_output_that_looks_like_markup_is_text(built: tuple[Tiny, SphinxTestApp]) -> None:
    """Neither HTML nor reST in an output is interpreted."""
    page = html(built[1], "gallery/01_x/shares")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; **bold** `x`_" in page
    assert "<script>alert(1)" not in page


def test_errors_warnings_and_output_are_three_kinds(built: tuple[Tiny, SphinxTestApp]) -> None:
    """A caught error that was printed is shown as an error, a warning as a warning, by its class."""
    error_block, fix_block = blocks(built[1], "errors")[1:]
    kinds = dict(pieces(error_block))
    assert kinds["error"].startswith("Error: RuntimeError\n\nCan't call numpy()")
    assert kinds["warning"] == "Warning: UserWarning\n\nlook out"
    assert dict(pieces(fix_block))["output"] == "Output\n\n[1. 1.]"


def test_drift_is_a_warning_with_file_and_line(built: tuple[Tiny, SphinxTestApp]) -> None:
    """A claim that does not hold makes a build with -W fail, and the page shows both sides."""
    made, app = built
    line = (made.root / "examples/01_x/drifts.py").read_text().split("\n").index("# => tensor([2.])") + 1
    assert f"examples/01_x/drifts.py:{line}  claim differs" in app.warning.getvalue()
    kinds = dict(pieces(blocks(app, "drifts")[1]))
    assert kinds["output"] == "Output\n\ntensor([1.])"
    assert kinds["drift"].endswith("tensor([2.])")


def test_page_says_what_ran_where(built: tuple[Tiny, SphinxTestApp]) -> None:
    """Every executed page names torch, NumPy, Python, device and day."""
    torch = re.escape(version("torch").partition("+")[0])
    assert re.search(
        rf"Executed in this build: torch {torch}[+\w.]*, NumPy", html(built[1], "gallery/01_x/shares")
    )


def test_example_without_its_device_is_labelled(built: tuple[Tiny, SphinxTestApp]) -> None:
    """A false claim about a GPU is visible as unconfirmed, and nothing says that it was executed."""
    page = html(built[1], "gallery/01_x/gpu")
    assert "Not yet run: this example needs 1 CUDA device, found 0." in page
    assert "Executed in this build" not in page
    kinds = dict(pieces(blocks(built[1], "gpu")[1]))
    assert kinds["expected"].startswith("Expected, not yet confirmed by a run")
    assert "error" not in kinds
    assert "output" not in kinds


def test_verdicts_are_read_from_the_runs(built: tuple[Tiny, SphinxTestApp]) -> None:
    """Shares, copies, raises and not yet recorded, each as a link to its block."""
    doctree = built[1].env.get_doctree("index")
    words = [n.astext() for n in doctree.findall(nodes.inline) if "atlas-verdict" in n["classes"]]
    assert words[:4] == ["= shares memory", "≠ copies", "× raises RuntimeError", "? not yet recorded"]
    assert 'href="gallery/01_x/shares.html#block-2"' in html(built[1], "index")
    (table,) = (n for n in doctree.findall(nodes.table) if "atlas-decisions" in n["classes"])
    assert [entry.astext() for entry in table.findall(nodes.entry)][-2:] == [
        "torch.from_numpy(array)",
        "= shares memory",
    ]


def test_error_index_leads_from_message_to_page(built: tuple[Tiny, SphinxTestApp]) -> None:
    """The longest class is folded first; each message has its place, and what nobody ran says so."""
    doctree = built[1].env.get_doctree("index")
    folds = [n for n in doctree.findall(element) if "atlas-fold" in n["classes"]]
    sizes = [len([n for n in fold.findall(element) if "atlas-message" in n["classes"]]) for fold in folds]
    assert sizes == sorted(sizes, reverse=True)
    found = [n for n in doctree.findall(element) if "atlas-message" in n["classes"]]
    error = next(n for n in found if "requires grad" in n.astext())
    assert next(error.findall(nodes.reference))["refuri"].startswith("gallery/01_x/errors.html#block-")
    assert re.fullmatch("m-runtimeerror-[0-9a-f]{6}", error["ids"][0])
    expected = next(n for n in found if "nobody has ever seen" in n.astext())
    assert expected.astext().endswith("On a GPU not yet run")


def test_messages_are_collected_once_a_build(fresh: Tiny) -> None:
    """For the page that lists them, the document for programs, and the search."""
    collected: list[str] = []

    def note_collection(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code is collect_messages.__code__:
            collected.append(event)

    sys.setprofile(note_collection)
    try:
        app = fresh.build()
    finally:
        sys.setprofile(None)
    assert len(collected) == 1
    assert "m-runtimeerror" in html(app, "index")
    assert all(Path(app.outdir, name).is_file() for name in ("errors.json", "_static/atlas-index.js"))


def test_other_pages_say_with_which_releases(built: tuple[Tiny, SphinxTestApp]) -> None:
    """In one sentence at the end, without a word on builds."""
    paragraphs = built[1].env.get_doctree("index").findall(nodes.paragraph)
    (foot,) = (node for node in paragraphs if "atlas-foot" in node["classes"])
    said = re.fullmatch(
        r"Answers on this page are from torch (\S+) and NumPy \S+ on \d{4}-\d\d-\d\d, "
        r"unless you choose other releases\.",
        foot.astext(),
    )
    assert said
    assert said[1] == version("torch").partition("+")[0]


def test_correction_carries_its_proof(built: tuple[Tiny, SphinxTestApp]) -> None:
    """What is said, what is so, the captured answer; what no GPU has confirmed is not called a fact."""
    text = built[1].env.get_doctree("index").astext()
    assert "Often said: It copies." in text
    assert "In fact: It shares." in text
    assert "Proof: = shares memory in Shares" in text
    assert "Expected, not yet confirmed by a run: It raises." in text
    assert "In fact, partly confirmed by runs: It raises there." in text


def test_environments_and_waiting_name_what_is_there(built: tuple[Tiny, SphinxTestApp]) -> None:
    """This build's environment with its counts, and the example that waits for a device."""
    doctree = built[1].env.get_doctree("index")
    text = doctree.astext()
    (listed,) = (each for each in doctree.findall(nodes.table) if "atlas-environments" in each["classes"])
    head, here = ([cell.astext() for cell in row.findall(nodes.entry)] for row in listed.findall(nodes.row))
    assert (head[-2:], here[-2:]) == (["Current", "Not run"], ["5", "1"]), (
        "no column in which nothing is counted"
    )
    assert "Driver" not in head
    assert "On a GPU: needs 1 CUDA device, found 0" in text
    assert "No GPU has recorded anything yet." in text
    assert "Not run yet: needs 1 CUDA device, found 0 (1): On a GPU" in text


def gpu_run(root: Path, digest: str | None = None) -> Run:
    """A run of the GPU example, as a machine with a card would have observed it."""
    read = parse_example((root / "examples/01_x/gpu.py").read_text(), "examples/01_x/gpu.py")
    said = [Observation(s.code, stdout="from the card" if "try" in s.code else "") for s in read.statements]
    snapshots = (Snapshot(), Snapshot())
    return Run("01_x/gpu", digest or read.digest, Status.COMPLETED, "", tuple(said), snapshots)


def test_second_build_executes_nothing_and_one_change_executes_one(fresh: Tiny) -> None:
    """Unchanged examples are not executed again; one whose text has changed is."""
    fresh.build()
    second = fresh.build()
    assert "nothing to execute, 3 examples unchanged" in second.status.getvalue()
    assert "0 added, 0 changed" in second.status.getvalue()

    fresh.write("examples/01_x/shares.py", SCRIPTS["01_x/shares"].replace("# Text.", "# Other text."))
    changed = fresh.build().status.getvalue()
    assert "executing 1 of 3 examples" in changed
    assert "0 added, 1 changed" in changed  # no page about all examples tells of prose


def test_page_of_a_deleted_example_is_removed(fresh: Tiny) -> None:
    """Renaming an example leaves no page, download or warning behind, nor does removing a chapter; other
    files in the folder stay.
    """
    fresh.add("02_y/last")
    fresh.build()
    fresh.write("docs/gallery/01_x/notes.rst", ":orphan:\n\nNotes\n=====\n")
    (fresh.root / "examples/01_x/errors.py").rename(fresh.root / "examples/01_x/renamed.py")
    shutil.rmtree(fresh.root / "examples/02_y")
    fresh.write("docs/index.rst", INDEX.replace("01_x/errors", "01_x/renamed"))
    app = fresh.build()
    left = {path.name for path in (fresh.root / "docs/gallery/01_x").iterdir()}
    assert {"renamed.rst", "shares.rst", "notes.rst", "index.rst"} <= left
    assert not any(name.startswith("errors.") for name in left)
    evidence = {path.stem for path in (fresh.root / "docs/_build/evidence/01_x").iterdir()}
    assert evidence == {"gpu", "renamed", "shares"}
    assert not (fresh.root / "docs/gallery/02_y").exists()
    assert "toc.not_included" not in app.warning.getvalue()


def test_settings_and_other_borders_keep_page_and_capture_in_step(built: tuple[Tiny, SphinxTestApp]) -> None:
    """Several settings above a short first block; another spelling of a border; no blank line."""
    app = built[1]
    assert [text for kind, text in pieces(blocks(app, "odd")[1]) if kind == "code"] == ["print(2)"]
    assert html(app, "gallery/01_x/odd").count("Some prose.") == 1


def test_changed_need_is_noticed(fresh: Tiny) -> None:
    """Tags are no code, but decide whether there is a run to show."""
    fresh.build()
    fresh.write("examples/01_x/errors.py", example("Errors", ERRORS, '["cuda"]'))
    page = html(fresh.build(), "gallery/01_x/errors")
    assert "Executed in this build" not in page
    assert "Not yet run" in page


def test_run_that_was_cut_short_is_not_kept(fresh: Tiny) -> None:
    """What hung or crashed once is executed again, also where the example is the same."""
    fresh.write("examples/01_x/dies.py", example("Dies", "import os\n\n# %%\n# Text.\n\nos.abort()\n"))
    app = fresh.build()
    assert "crashed: SIGABRT" in app.warning.getvalue()
    assert "The run ended here" in html(app, "gallery/01_x/dies")
    assert "executing 1 of 4 examples" in fresh.build().status.getvalue()


def test_run_of_an_earlier_day_keeps_its_day(fresh: Tiny) -> None:
    """Executing one example does not date the others."""
    kept = fresh.root / CAPTURE
    document = json.loads(kept.read_text())
    document["environment"]["date"] = "2025-01-01"
    kept.write_text(json.dumps(document))
    changed = SCRIPTS["01_x/shares"].replace("= 5", "= 6").replace("[5.", "[6.")
    fresh.write("examples/01_x/shares.py", changed)
    app = fresh.build()
    assert "2025-01-01" in html(app, "gallery/01_x/errors")
    assert "2025-01-01" not in html(app, "gallery/01_x/shares")


def recorded(fresh: Tiny, *torches: str) -> None:
    """Write an example that holds here, and records of releases that print something else."""
    fresh.add("01_x/holds")
    cpu = replace(CARD, python="3.11.7", cuda=None, device="cpu", device_count=0, driver=None)
    there = [replace(cpu, torch=torch) for torch in torches]
    read = parse_example(SCRIPTS["01_x/holds"], "examples/01_x/holds.py")
    said = [Observation(s.code, stdout="tensor([2.])" if "print" in s.code else "") for s in read.statements]
    run = Run(read.name, read.digest, Status.COMPLETED, "", tuple(said), (Snapshot(),) * 2)
    names = [environment.id for environment in there]
    records = {read.name: Record(read.name, dict.fromkeys(names, run), dict.fromkeys(names, CARD.date))}
    store.write_records(
        store.Store({environment.id: environment for environment in there}, records),
        fresh.root / "docs/records",
    )


def test_page_of_a_changed_example_names_who_has_not_run_it_since(fresh: Tiny) -> None:
    """And shows nothing of what it did there before: that was other code."""
    recorded(fresh, "1.13.1+cpu", "2.0.1+cpu")
    changed = SCRIPTS["01_x/holds"].replace("print(torch.ones(1))", "print(1 * torch.ones(1))")
    fresh.write("examples/01_x/holds.py", changed)
    app = fresh.build()
    page = html(app, "gallery/01_x/holds")
    older = f"torch 1.13.1, NumPy {CARD.numpy}; torch 2.0.1, NumPy {CARD.numpy}"
    assert f"Has not run since this example changed: {older}." in page
    assert "Executed in this build" in page
    assert "tensor([2.])" not in page
    assert "tensor_atlas.drift" not in app.warning.getvalue()


def test_what_releases_agree_in_is_one_warning(fresh: Tiny) -> None:
    """It names the first of them and the others."""
    recorded(fresh, "1.13.1+cpu", "2.0.1+cpu", "2.1.2+cpu")
    said = fresh.build().warning.getvalue()
    assert said.count("claim differs") == 1
    assert f"also in    2.0.1/{CARD.numpy}/cpu, 2.1.2/{CARD.numpy}/cpu\n" in said


def test_reason_of_a_deviation_stands_on_the_page(fresh: Tiny) -> None:
    """Beside what an older release gave; a new reason is on the next build's page."""
    recorded(fresh, "1.13.1+cpu")
    entry = '[[deviation]]\nexample = "01_x/holds"\nstatement = "print(torch.ones(1))"\n'
    entry += 'environments = ["torch < 2"]\n'
    fresh.write("docs/deviations.toml", entry + 'reason = "The first reason."\n')
    app = fresh.build()
    assert "The first reason." in html(app, "gallery/01_x/holds")
    assert "tensor_atlas.drift" not in app.warning.getvalue()
    fresh.write("docs/deviations.toml", entry + 'reason = "The second reason."\n')
    assert "The second reason." in html(fresh.build(), "gallery/01_x/holds")
    fresh.write("docs/deviations.toml", entry + 'reason = "Pinned."\noutput = ["something else"]\n')
    app = fresh.build()
    assert "Pinned." not in html(app, "gallery/01_x/holds")
    assert "examples/01_x/holds.py:16  claim differs (torch 1.13.1" in app.warning.getvalue()


def test_deviation_of_the_newest_release_is_shown_and_is_drift(fresh: Tiny) -> None:
    """The page says what is documented otherwise, and why; that the claim must change, the build says."""
    fresh.add("01_x/drifts")
    entry = (
        '[[deviation]]\nexample = "01_x/drifts"\nstatement = "print(torch.ones(1))"\nenvironments = ["cpu"]\n'
    )
    fresh.write("docs/deviations.toml", entry + 'reason = "The reason."\n')
    app = fresh.build()
    assert (
        dict(pieces(blocks(app, "drifts")[1]))["known"]
        == "On the newest release (The reason.)\n\ntensor([2.])"
    )
    assert "drifts.py:16  claim is not what the newest recorded release does" in app.warning.getvalue()


def test_record_of_a_card_is_shown_as_recorded_and_an_older_one_as_stale(fresh: Tiny) -> None:
    """A build without a GPU shows what the card said, where and when; never what it said of older code."""
    records = fresh.root / "docs" / "records"
    run = gpu_run(fresh.root)
    store.write_records(
        store.Store({CARD.id: CARD}, {"01_x/gpu": Record("01_x/gpu", {CARD.id: run}, {CARD.id: CARD.date})}),
        records,
    )
    page = html(fresh.build(), "gallery/01_x/gpu")
    device = "Some Card (CUDA 13.0, driver 580.1)"
    assert f"Recorded on torch 2.11.0+cu130, NumPy 2.4.0, Python 3.12.3, {device}, 2026-01-02" in page
    assert "from the card" in page

    stale = gpu_run(fresh.root, digest="0123456789abcdef")
    store.write_records(
        store.Store(
            {CARD.id: CARD}, {"01_x/gpu": Record("01_x/gpu", {CARD.id: stale}, {CARD.id: CARD.date})}
        ),
        records,
    )
    app = fresh.build()
    page = html(app, "gallery/01_x/gpu")
    listed = app.env.get_doctree("index").astext()
    assert "Older code on Some Card, torch 2.11.0+cu130 (1): On a GPU" in listed
    assert "Not run yet: needs 1 CUDA device, found 0 (1): On a GPU" in listed
    assert "from the card" not in page
    card = "torch 2.11.0, NumPy 2.4.0, Python 3.12, Some Card"
    assert f"Has not run since this example changed: {card}." in page
    assert "Not yet run" in page
    assert "nobody has ever seen this message" in page.split("Expected, not yet confirmed by a run")[1]


def sphinx_build(made: Tiny) -> subprocess.CompletedProcess[str]:
    """The build as a command, with warnings as errors."""
    options = ["-W", "--keep-going", "-q", "-b", "html"]
    command = [sys.executable, "-m", "sphinx", *options, "docs", "docs/_build/html"]
    return subprocess.run(command, cwd=made.root, capture_output=True, text=True, check=False)


def test_broken_example_stops_the_build_with_file_line_and_remedy(fresh: Tiny) -> None:
    """No traceback of ours: one message, and a failing exit code."""
    fresh.write(
        "examples/01_x/broken.py", example("Broken", "import torch\n\nif torch:\n    x = 1\n    # => 1\n")
    )
    done = sphinx_build(fresh)
    assert done.returncode == 2
    assert "examples/01_x/broken.py:14  misplaced claim" in done.stderr
    assert "put it on a line of its own" in done.stderr
    assert "Traceback" not in done.stderr


def test_examples_run_while_sphinx_gallery_makes_its_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The capture is asked for when the pages are there: the two things go on at the same time."""
    fresh = tiny(tmp_path)
    pages = fresh.root / "docs" / "gallery" / "01_x"
    seen: list[tuple[str, bool]] = []

    def noted(*given: Any, **more: Any) -> project.RunningProbe:
        seen.append(("started", pages.exists()))
        return start(*given, **more)

    def asked(probe: project.RunningProbe) -> Capture:
        seen.append(("asked", (pages / "shares.rst").is_file()))
        return capture(probe)

    start, capture = project.start_probe, project.RunningProbe.finish
    monkeypatch.setattr(project, "start_probe", noted)
    monkeypatch.setattr(project.RunningProbe, "finish", asked)
    fresh.build()
    assert seen == [("started", False), ("asked", True)]


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes as Linux lists them")
def test_build_that_fails_early_ends_what_it_has_started(fresh: Tiny) -> None:
    """No example runs on when nobody waits for it any more."""
    fresh.write("pyproject.toml", "[tool.tensor-atlas]\ntimeout = 6000\n")
    fresh.write("examples/01_x/slow.py", example("Slow", "import time\n\n# %%\n# Text.\n\ntime.sleep(999)\n"))
    failing = "\n\ndef fail(app):\n    raise RuntimeError('not today')\n\n\n"
    fresh.write("docs/conf.py", f"{CONF}{failing}def setup(app):\n    app.connect('builder-inited', fail)\n")
    done = sphinx_build(fresh)
    assert "not today" in done.stderr
    # What a probe has started ends a moment after it, and long before the example would.
    assert wait_for(lambda: not commands_about(fresh.root))


def commands_about(folder: Path) -> list[str]:
    """Command lines of running processes that name a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            found.append(path.read_bytes().decode(errors="replace"))
    return [line for line in found if str(folder) in line]


def test_page_out_of_step_with_its_example_stops_the_build(fresh: Tiny) -> None:
    """A generated page that shows other code than the one that ran is never given output."""
    app = fresh.app()
    page = fresh.root / "docs/gallery/01_x/shares.rst"

    def falsify(_: object, docname: str, source: list[str]) -> None:
        if docname == "gallery/01_x/shares":
            source[0] = source[0].replace("tensor[0] = 5", "tensor[0] = 4")

    app.connect("source-read", falsify)
    with pytest.raises(SystemExit):
        app.build()
    assert "gallery/01_x/shares  the page and the capture are out of step" in app.warning.getvalue()
    assert page.is_file()


def test_page_of_a_script_that_is_no_example_stops_the_build(fresh: Tiny) -> None:
    """Nothing proves what it claims. Elsewhere the same words are a page's own; charts claim nothing."""
    stray = ":orphan:\n\nStray\n=====\n\n.. GENERATED FROM PYTHON SOURCE LINES 1-2\n\nWords.\n"
    fresh.write("docs/stray.rst", stray)
    fresh.write("docs/gallery/01_x/plot_stray.rst", stray)
    fresh.build()
    fresh.write("docs/gallery/01_x/stray.rst", stray)
    app = fresh.app()
    with pytest.raises(SystemExit):
        app.build()
    assert "gallery/01_x/stray  a page of a script that is not an example" in app.warning.getvalue()


def test_page_shows_the_rung_of_each_claim(fresh: Tiny) -> None:
    """Shipped and reported messages beside an expectation; none of them is shown as a run."""
    fresh.add("01_x/rungs")
    url = "https://github.com/someone/something/issues/1"
    fresh.write(
        "docs/reported.toml",
        f'[[report]]\nexamples = ["01_x/rungs"]\ntext = "{UNRUN[1]}"\nurl = "{url}"\ntorch = "2.1.0"\n',
    )
    wheel = {"torch-2.13.0-cp311-cp311-linux_x86_64": {UNRUN[0]: "torch/lib/a.so", UNRUN[1]: None}}
    store.write_records(store.Store(shipped=wheel), fresh.root / "docs" / "records")
    app = fresh.build()
    shown = pieces(blocks(app, "rungs")[0])
    outputs = [text for kind, text in shown if kind != "code"]
    assert outputs == [
        f"Shipped message, {UNSEEN}\n\n{UNRUN[0]}\n\nIts text is in torch 2.13.0 (a.so).",
        f"Reported, {UNSEEN}\n\n{UNRUN[1]}\n\nReported with torch 2.1.0: someone/something/issues/1.",
        f"Expected, {UNSEEN}\n\n{UNRUN[2]}",
        f"Expected, {UNSEEN}\n\n1",
    ]
    page = html(app, "gallery/01_x/rungs")
    assert 'data-rung="shipped"' in page
    assert (
        "None of its 4 outputs was captured: 1 shipped in a release's files, "
        "1 reported in a public thread, 2 expected." in unescape(page)
    )
    assert f'href="{url}"' in page
    assert "Recorded on" not in page
    listed = app.env.get_doctree("index").astext()
    assert "Rungs: needs 1 CUDA device, found 0; shipped" in listed
    assert "On a GPU: needs 1 CUDA device, found 0; expected" in listed
    index = (Path(app.outdir) / "_static" / "atlas-index.js").read_text(encoding="utf-8")
    assert "Its text is in torch 2.13.0 (a.so). No run has shown it yet." in index
    assert "Reported in a public thread; no run has shown it yet." in index


def test_changed_inventory_has_every_page_read_again(fresh: Tiny) -> None:
    """A name that it lost must fail the next build, and an address that it changed stand on the pages."""
    fresh.write("docs/inventories/numpy.inv", "one\n")
    fresh.build()
    assert "config changed" not in fresh.build().status.getvalue()
    fresh.write("docs/inventories/numpy.inv", "two\n")
    assert "[config changed ('inventory_digest')]" in fresh.build().status.getvalue()


def test_late_output_stands_under_the_last_block(built: tuple[Tiny, SphinxTestApp]) -> None:
    """Under words of its own, on the page and so in its Markdown; its claim is no code."""
    assert pieces(blocks(built[1], "late")[-1])[-3:] == [
        ("output", "Output\n\nlast statement"),
        ("where", "After the last statement"),
        ("output", "Output\n\nfrom atexit"),
    ]
    page = html(built[1], "gallery/01_x/late")
    assert "# After the last statement" not in unescape(page)
    assert "late.py" not in built[1].warning.getvalue()
