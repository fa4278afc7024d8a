"""Other environments than the newest on a built site: fold-outs, badge, history, coverage, picker."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from samples import captured
from sphinx.testing.util import SphinxTestApp
from tiny_project import CAPTURE, INDEX, Tiny, blocks, html, tiny

from tensor_atlas.compare.replays import Replay, put_replay
from tensor_atlas.history.releases import (
    age_key,
    minor_release,
    name_releases,
    python_minor,
    summarize_environment,
    torch_release,
)
from tensor_atlas.model.runs import (
    AFTER,
    LATE,
    Environment,
    Observation,
    Raised,
    Run,
    Snapshot,
    Status,
    Warned,
)
from tensor_atlas.records import store
from tensor_atlas.records.store import Store, add_capture
from tensor_atlas.site.build.nodes import drawing, element

ARRAY, FROM_NUMPY, DTYPE, TOTAL, LATER, END = 2, 3, 4, 5, 6, 7
"""Statements of this example, by index."""

MARKUP = "<script>alert(2)</script> *old* `x`_"
DEVIATIONS = """
[[deviation]]
at = ["01_x/steps: tensor = torch.from_numpy(array)", "01_x/steps: print(tensor.dtype)"]
environments = ["torch < 2.9"]
reason = "Its <i>default</i> was another."
link = "https://example.org/pull/1"

[[deviation]]
example = "01_x/steps"
statement = 'print("later")'
environments = ["torch >= 2.6, < 2.9"]
ends = "AttributeError"
reason = "It was not there yet."
"""

HISTORY = """
:orphan:

History
=======

.. release-table::
"""


@dataclass(frozen=True)
class Releases:
    """A tiny checkout with committed records, what its own environment is, and its last build."""

    made: Tiny
    here: Environment
    app: SphinxTestApp

    def at(self, torch: str, numpy: str = "") -> Environment:
        """Another release on a machine like this one."""
        return replace(self.here, torch=torch, numpy=numpy or self.here.numpy, date="2026-01-02")

    @property
    def old(self) -> Environment:
        return self.at("2.3.1")

    @property
    def short(self) -> Environment:
        """Whose run of the example ends early."""
        return self.at("2.6.0")

    @property
    def stale(self) -> Environment:
        """Which ran older code."""
        return self.at("2.8.0")

    @property
    def silent(self) -> Environment:
        """Which has a record of another example only."""
        return self.at("2.9.1")

    @property
    def new(self) -> Environment:
        return self.at("99.0.0+cpu")

    @property
    def numpy_1(self) -> Environment:
        return self.at("99.0.0+cpu", "1.26.4")

    @property
    def other_python(self) -> Environment:
        """As ``new``, with a Python that nobody has used for long."""
        return replace(self.new, python="3.1.5")

    @property
    def incompatible(self) -> Environment:
        return self.at("2.2.2")

    @property
    def card(self) -> Environment:
        on_card = self.at("99.0.0+cu140")
        return replace(on_card, cuda="14.0", device="Some Card", device_count=1, driver="1")

    @property
    def records(self) -> Path:
        return self.made.root / "docs" / "records"


def changed(run: Run, **statements: Observation) -> Run:
    """Run with other observations, by index: ``_4=…``."""
    told = {int(key[1:]): value for key, value in statements.items()}
    seen = (replace(told[i], code=o.code) if i in told else o for i, o in enumerate(run.observations))
    return replace(run, observations=tuple(seen))


def ended(run: Run, index: int, error: str) -> Run:
    """Run that an uncaught error ended at statement ``index`` of its example."""
    traceback = (
        "Traceback (most recent call last):",
        f'  File "examples/{run.example}.py", line 1, in <module>',
        f"{error}: gone",
    )
    last = Observation(run.observations[index].code, raised=Raised(error, "gone", traceback=traceback))
    finished = {FROM_NUMPY: 1, LATER: 2}[index]
    return replace(
        run,
        status=Status.RAISED,
        reason=error,
        observations=(*run.observations[:index], last),
        snapshots=run.snapshots[:finished],
    )


def apart(run: Run) -> Run:
    """Run in which nothing shared memory."""
    return replace(run, snapshots=tuple(map(_own, run.snapshots)))


def _own(snapshot: Snapshot) -> Snapshot:
    """Snapshot in which every value has a buffer of its own."""
    values = tuple(replace(value, buffer=index) for index, value in enumerate(snapshot.values))
    buffers = tuple(snapshot.buffers[value.buffer or 0] for value in snapshot.values)
    return Snapshot(values, buffers)


def recorded(releases: Releases, runs: Mapping[str, Run]) -> Store:
    """What every environment has recorded; ``runs`` is what this build executed."""
    steps, errors = runs["01_x/steps"], runs["01_x/errors"]
    block = Observation("", warnings=(Warned("UserWarning", "old words"),))
    old = changed(apart(steps), _3=block, _4=Observation("", stdout=MARKUP))
    reworded = [
        replace(c, message="Old message.", printed="Old message.") for c in errors.observations[2].caught
    ]
    old_errors = changed(errors, _2=Observation("", stdout="Old message.", caught=tuple(reworded)))
    pairs: list[tuple[Environment, Sequence[Run]]] = [
        (releases.old, [old, old_errors]),
        (releases.short, [ended(changed(old, _3=steps.observations[3]), LATER, "AttributeError"), errors]),
        (releases.stale, [replace(steps, digest="0123456789abcdef"), errors]),
        (releases.silent, [errors]),
        (releases.new, [steps, errors]),
        (releases.numpy_1, [changed(steps, _5=block)]),
        (releases.other_python, [changed(steps, _2=Observation("", stdout="in other words"))]),
        (releases.incompatible, [ended(apart(steps), FROM_NUMPY, "RuntimeError")]),
        (releases.card, [changed(steps, _7=Observation("", stdout="end on a card"))]),
    ]
    found = Store()
    for environment, several in pairs:
        found = add_capture(found, captured(*several, environment=environment))
    return found


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory, executed: Path) -> Releases:
    """The tiny checkout, built, given records of its own environment and of others, built again."""
    made = tiny(tmp_path_factory.mktemp("releases"), executed)
    made.add("01_x/steps")
    words = ":verdict:`01_x/steps: array, tensor` and "
    words += ":verdict:`01_x/steps: \\`torch.from_numpy(array)\\``\n\nErrors\n"
    made.write(
        "docs/index.rst", INDEX.replace("Errors\n------", words.replace("Errors", "Messages") + "--------")
    )
    made.write("docs/coverage.rst", ":orphan:\n\nCoverage\n========\n\n.. coverage::\n\n.. devices::\n")
    made.write("docs/replays.toml", put_replay("", Replay("gone", "2026-01-03", 1, 1, 1)))
    made.write("docs/replays.rst", ":orphan:\n\nReplays\n=======\n\n.. replays::\n")
    made.write("docs/history.rst", HISTORY)
    made.write("docs/upgrade.rst", ":orphan:\n\nUpgrade\n=======\n\n.. upgrade::\n")
    made.write("docs/environments.rst", ":orphan:\n\nEnvironments\n============\n\n.. environments::\n")
    made.write("docs/tree.rst", ":orphan:\n\nTree\n====\n\n.. release-tree::\n")
    made.write("docs/deviations.toml", DEVIATIONS)
    first = made.build()
    capture = store.read_capture(made.root / CAPTURE)
    assert torch_release(capture.environment).release >= (2, 10), "the tests place it behind 2.9"
    found = Releases(made, capture.environment, first)
    store.write_records(recorded(found, {run.example: run for run in capture.runs}), found.records)
    text = (made.root / "docs/replays.toml").read_text(encoding="utf-8")
    made.write("docs/replays.toml", put_replay(text, Replay(found.card.id, "2026-01-03", 2000, 31, 0)))
    return replace(found, app=made.build())


def places(app: SphinxTestApp, page: str, number: int | str) -> element:
    """What a page shows at a statement (a number) or after a block (``"block 2"``)."""
    key, value = (
        ("data-block", str(number)[6:]) if isinstance(number, str) else ("data-statement", str(number))
    )
    (found,) = (
        node
        for block in blocks(app, page)
        for node in block.findall(element)
        if node["attributes"].get(key) == value
    )
    return found


def folds(node: nodes.Node) -> list[tuple[str, list[str]]]:
    """Fold-outs in a node: the summary, and the text of everything folded in."""
    found = []
    for details in node.findall(element):
        if details["tag"] == "details":
            summary, *parts = details.children
            found.append((summary.astext(), [part.astext() for part in parts]))
    return found


# --- beside a statement --------------------------------------------------------------------------


def test_page_shows_the_newest_release_though_an_older_one_is_installed(releases: Releases) -> None:
    """It says where it was recorded, and that this build executed it too."""
    page = html(releases.app, "gallery/01_x/steps")
    assert "Recorded on torch 99.0.0+cpu, NumPy" in page
    assert f"This build executed it too, with torch {releases.here.torch}." in page
    assert places(releases.app, "steps", DTYPE).children[0].astext() == "Output\n\ntorch.float64"


def test_fold_out_tells_what_others_gave_who_why_and_since_when(releases: Releases) -> None:
    """Conditions, names, the output, the reason with its link; the release that changed it, and how."""
    (fold,) = folds(places(releases.app, "steps", DTYPE))
    here = minor_release(releases.here.torch)
    where = f"torch < 2.7 · recorded with {name_releases([releases.old, releases.short])}"
    output, reason = f"Output\n\n{MARKUP}", "Its <i>default</i> was another. Source"
    assert fold[0] == f"Changed between torch 2.6 and {here}: other output"
    assert fold[1] == [f"{where}\n\n{output}\n\n{reason}"]
    page = html(releases.app, "gallery/01_x/steps")
    assert '<a class="reference external" href="https://example.org/pull/1">Source</a>' in page


def test_output_of_an_older_release_that_looks_like_markup_is_text(releases: Releases) -> None:
    """So is a reason."""
    page = html(releases.app, "gallery/01_x/steps")
    assert "&lt;script&gt;alert(2)&lt;/script&gt; *old* `x`_" in page
    assert "<script>alert(2)" not in page
    assert "Its &lt;i&gt;default&lt;/i&gt; was another." in page


def test_statement_that_only_speaks_elsewhere_has_a_fold_out(releases: Releases) -> None:
    """It is silent on the page, under the statement; several releases may have changed it."""
    place = places(releases.app, "steps", FROM_NUMPY)
    assert place.children[0].astext() == ""
    (fold,) = folds(place)
    where = f"torch < 2.4 · recorded with {name_releases([releases.old])}"
    assert fold[0] == "Changed between torch 2.3 and 2.6: other warnings"
    assert fold[1] == [
        f"{where}\n\nWarning: UserWarning\n\nold words\n\nIts <i>default</i> was another. Source"
    ]
    assert place.parent is not None
    above = place.parent.children[place.parent.index(place) - 1]
    assert above.astext().endswith("tensor = torch.from_numpy(array)")


def test_early_end_is_an_outcome_with_its_reason(releases: Releases) -> None:
    """The error, without what the release never reached; two releases have a part in it."""
    (fold,) = folds(places(releases.app, "steps", LATER))
    here = minor_release(releases.here.torch)
    later = f"between torch 2.6 and {here}: the error vanished"
    assert fold[0] == f"Changed between torch 2.3 and 2.6: an error appeared; {later}"
    (text,) = fold[1]
    assert text.startswith(f"torch >= 2.6, < 2.7 · recorded with {name_releases([releases.short])}")
    assert "AttributeError, uncaught" in text
    assert text.endswith("It was not there yet.")
    assert not any(
        "2.6.0" in text for _, texts in folds(places(releases.app, "steps", END)) for text in texts
    )


def test_device_that_differs_stands_beside_the_cpu(releases: Releases) -> None:
    """In view, each output under its device; nothing is folded in, nor blamed on a release."""
    place = places(releases.app, "steps", END)
    assert folds(place) == []
    assert "atlas-side-by-side" in place["classes"]
    assert [child.astext() for child in place.children] == [
        f"CPU · recorded with {name_releases([releases.new])}\n\nOutput\n\nend",
        f"Some Card · recorded with {name_releases([releases.card])}\n\nOutput\n\nend on a card",
    ]
    inner = place.children[1].children[0]
    assert isinstance(inner, element)
    assert inner["attributes"]["data-environments"] == releases.card.id


def test_devices_that_agree_are_not_set_side_by_side(releases: Releases) -> None:
    """One output is enough; the stamp says how much of the page is otherwise on the other device."""
    assert "atlas-side-by-side" not in places(releases.app, "steps", DTYPE)["classes"]
    words = "Some Card (CUDA 14.0, driver 1), 2026-01-02, too: different output at 1 of 8 statements."
    assert words in html(releases.app, "gallery/01_x/steps")


def test_change_of_numpy_is_called_that(releases: Releases) -> None:
    """Both environments are of one torch."""
    (fold,) = folds(places(releases.app, "steps", TOTAL))
    here = minor_release(releases.here.numpy)
    assert fold[0] == f"Changed between NumPy 1.26 and {here}: other warnings"
    assert fold[1][0].startswith("numpy < 2 · recorded with torch 99.0, NumPy 1.26")


def test_sharing_that_differs_is_told_after_its_block(releases: Releases) -> None:
    """Who shared nothing there, and since when it shares."""
    place = places(releases.app, "steps", "block 1")
    assert place.children[0].astext().startswith("Measured after the block: array and tensor share memory")
    here = minor_release(releases.here.torch)
    where = f"torch < 2.7 · recorded with {name_releases([releases.old, releases.short])}"
    ((summary, parts),) = folds(place)
    assert summary == f"Changed between torch 2.6 and {here}: other memory sharing"
    (part,) = parts
    assert part.startswith(f"{where}\n\nNothing new shares memory here.")


def test_drawing_is_of_the_environment_it_stands_for(releases: Releases) -> None:
    """The page's own in view; another one's with its environments, for the picker to put in its place."""
    place = places(releases.app, "steps", "block 1")
    (mine,) = place.children[0].findall(drawing)
    assert mine.astext().startswith("array and tensor share 16 bytes on the CPU.")
    (other,) = (n for n in place.findall(element) if "data-environments" in n["attributes"])
    (theirs,) = other.findall(drawing)
    assert theirs.astext().startswith(
        "array has 16 bytes of its own on the CPU.\n\ntensor has 16 bytes of its own"
    )
    assert other["attributes"]["data-environments"].split() == [releases.old.id, releases.short.id]


def test_environment_that_measured_the_same_has_no_drawing_of_its_own(releases: Releases) -> None:
    """One on the page, one folded in; an incompatible install that never came so far has none."""
    drawn = releases.app.env.get_doctree("gallery/01_x/steps").findall(drawing)
    assert sum("atlas-map" in node["classes"] for node in drawn) == 2


def test_statements_with_output_can_be_linked_to(releases: Releases) -> None:
    """By their place in the example; each address is there once."""
    found = re.findall(r'id="statement-(\d+)"', html(releases.app, "gallery/01_x/steps"))
    assert found
    assert sorted(set(map(int, found))) == list(map(int, found))


def test_incompatible_installs_stand_at_the_end_only(releases: Releases) -> None:
    """Hidden, with the statement they concern; in no statement's fold-out, and in no count."""
    doctree = releases.app.env.get_doctree("gallery/01_x/steps")
    (incompatible,) = (node for node in doctree.findall(element) if "atlas-incompatible" in node["classes"])
    assert incompatible["attributes"]["hidden"] == "hidden"
    name = name_releases([releases.incompatible])
    (part,) = incompatible.children
    code = "tensor = torch.from_numpy(array)\n\nError: RuntimeError, uncaught"
    assert part.astext().startswith(f"{name}\n\n{code}")
    assert doctree.astext().count(name) == 1
    last = blocks(releases.app, "steps")[-1]
    assert last.parent is not None
    assert last.parent.children[last.parent.index(last) + 1] is not None
    assert "RuntimeError" not in "".join(block.astext() for block in blocks(releases.app, "steps"))


# --- on how many releases ------------------------------------------------------------------------


def badge(app: SphinxTestApp, page: str) -> tuple[str, list[str]]:
    """The badge's words, and its releases."""
    (found,) = (n for n in app.env.get_doctree(page).findall(element) if "atlas-badge" in n["classes"])
    return found.children[0].astext(), [n.astext() for n in found.findall(element) if n["tag"] == "li"]


def test_badge_counts_releases_and_fills_nothing_forward(releases: Releases) -> None:
    """A release without a record, or with one of older code, is not measured; a GPU is not counted."""
    here = minor_release(releases.here.torch)
    same = f"Same on 2 of 6 releases ({here}–99.0)"
    words = f"{same}; different behaviour on 2.3–2.6; not measured on 2.8–2.9"
    strip = ["≠ 2.3", "≠ 2.6", "· 2.8", "· 2.9", f"= {here}", "= 99.0"]
    assert badge(releases.app, "gallery/01_x/steps") == (words, strip)
    words = "Same on 5 of 6 releases (2.6–99.0); different wording on 2.3"
    assert badge(releases.app, "gallery/01_x/errors")[0] == words


def test_badge_of_what_only_this_build_ran_says_so(releases: Releases) -> None:
    """The releases that others have recorded are known, and not measured."""
    here = minor_release(releases.here.torch)
    words = f"Ran with torch {here}, not yet with 5 other releases"
    assert badge(releases.app, "gallery/01_x/shares")[0] == words


def test_page_without_a_run_has_no_badge(releases: Releases) -> None:
    """Nothing can be the same as nothing: a line says what it waits for, and behind it why."""
    summary, parts = (
        html(releases.app, "gallery/01_x/gpu").split('class="atlas-badge"')[1].split("</summary>")[:2]
    )
    assert summary.endswith("<summary><span>No GPU has run this page yet</span>")
    assert parts.startswith("<p>Not yet run: this example needs 1 CUDA device, found 0.")


# --- what the picker reads -----------------------------------------------------------------------


def test_change_of_python_is_called_that(releases: Releases) -> None:
    """And the condition is about Python."""
    here = python_minor(releases.here)
    (fold,) = folds(places(releases.app, "steps", ARRAY))
    assert fold[0] == f"Changed between Python 3.1 and {here}: other output"
    assert fold[1][0].startswith(f"python < 3.2 · recorded with {name_releases([releases.other_python])}")


def test_list_of_environments_is_a_script_on_every_page(releases: Releases) -> None:
    """The newest first and marked, incompatible installs and this build's environment among them."""
    text = (Path(releases.app.outdir) / "_static" / "atlas-environments.js").read_text("utf-8")
    listed = json.loads(text.removeprefix("window.atlasEnvironments = ").removesuffix(";\n"))
    cpu = "CPU, CUDA build" if releases.here.cuda else "CPU"  # whichever torch is installed here
    assert [(e["torch"], e["device"]) for e in listed if e["newest"]] == [("99.0.0", cpu)]
    assert [e["id"] for e in listed if not e["fits"]] == [releases.incompatible.id]
    expected = (*store.read_records(releases.records).environments, releases.here.id)
    assert sorted(e["id"] for e in listed) == sorted(expected)
    assert [e["torch"] for e in listed][-2:] == ["2.3.1", "2.2.2"]
    assert {e["device"] for e in listed} == {cpu, "Some Card"}
    for page in ("index", "gallery/01_x/steps"):
        assert "atlas-environments.js" in html(releases.app, page)


def test_answer_comes_before_what_bears_it_out(releases: Releases) -> None:
    """Lead, first output, then one line on releases, with the rest behind it; the script comes last."""
    text = html(releases.app, "gallery/01_x/steps")
    parts = ("</h1>", "atlas-captured", "atlas-stamp", "atlas-incompatible", "atlas-offers")
    places = [text.index(part) for part in parts]
    assert "<p>" in text[places[0] : places[1]]
    assert places == sorted(places)
    (badge,) = re.findall(r'<details class="atlas-badge.*?</details>', text, re.DOTALL)
    assert "Recorded on" in badge.partition("</summary>")[2]


def test_page_names_who_has_measured_who_could_not_and_who_ended_where(releases: Releases) -> None:
    """For the picker: ids, reasons, how far a run came, and the blocks that it did not measure."""
    (stamp,) = (
        node["attributes"]
        for node in releases.app.env.get_doctree("gallery/01_x/steps").findall(element)
        if "atlas-stamp" in node["classes"]
    )
    r = releases
    measured = {
        e.id for e in (r.incompatible, r.old, r.short, r.here, r.numpy_1, r.other_python, r.new, r.card)
    }
    assert (stamp["data-shown"], set(stamp["data-measured"].split(" "))) == (r.new.id, measured)
    assert json.loads(stamp["data-ended"]) == {
        r.short.id: [LATER + 1, [2, 3]],
        r.incompatible.id: [FROM_NUMPY + 1, [1, 2, 3]],
    }
    assert json.loads(stamp["data-absent"]) == {r.stale.id: "has not run there since it changed"}
    page = html(releases.app, "gallery/01_x/gpu")
    assert f"{r.here.id}&quot;: &quot;needs 1 CUDA device, found 0" in page


def test_other_answers_are_hidden_in_the_page_with_their_environments(releases: Releases) -> None:
    """For the picker; a reader without it sees the newest's answer alone."""
    doctree = releases.app.env.get_doctree("index")
    answers = [node for node in doctree.findall(element) if "atlas-answers" in node["classes"]]
    (sharing,) = (node for node in answers if "01_x/steps" in str(node) and "shares memory" in node.astext())
    first, *others = sharing.children
    assert first.astext() == "= shares memory"
    found = {}
    for other in others:
        assert isinstance(other, element)
        assert other["attributes"]["hidden"] == "hidden"
        found[other.astext()] = set(other["attributes"]["data-environments"].split(" "))
    r = releases
    assert found == {
        "≠ copies": {r.old.id, r.short.id},
        "? not yet recorded": {r.stale.id, r.silent.id},
        "× ended early": {r.incompatible.id},
    }


# --- error index, history, coverage table --------------------------------------------------------


def test_error_index_names_the_releases_of_each_message(releases: Releases) -> None:
    """Older wordings stand in the class of the newest; a message that all show names no release."""
    lines = {
        f"{group['attributes']['data-class']}: {line.astext()}"
        for group in releases.app.env.get_doctree("index").findall(element)
        if "atlas-fold" in group["classes"]
        for line in group.findall(element)
        if "atlas-message" in line["classes"]
    }
    assert "RuntimeError: Old message. Errors torch < 2.4" in lines
    numpy = (
        "RuntimeError: Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
    )
    assert f"{numpy} Errors torch >= 2.6" in lines
    assert "UserWarning: look out Errors" in lines
    assert "AttributeError: gone Steps torch >= 2.6, < 2.7" in lines
    assert "RuntimeError: gone Steps with a NumPy that torch cannot use" in lines


def release(app: SphinxTestApp, page: str) -> dict[str, list[str]]:
    """Headings of a page about a release, each with what stands under it."""
    sections = list(app.env.get_doctree(f"history/{page}").findall(nodes.section))[1:]
    return {s.children[0].astext(): [child.astext() for child in s.children[1:]] for s in sections}


def test_release_has_a_page_with_before_and_after(releases: Releases) -> None:
    """Behaviour apart from wording, each reason above what it explains; a headline has call and outputs."""
    here = minor_release(releases.here.torch)
    assert {path.name for path in (releases.made.root / "docs" / "history").iterdir()} == {
        "torch-2.6.rst",
        "torch-2.8.rst",
        "torch-2.9.rst",
        f"torch-{here}.rst",
        "torch-99.0.rst",
        "numpy.rst",
        f"numpy-{minor_release(releases.here.numpy)}.rst",
        "python.rst",
    }
    found = release(releases.app, "torch-2.6")
    assert list(found) == ["Behaviour (2)", "Wording only (1)"]
    reason, raises, error, no_reason, warns, warning = found["Behaviour (2)"]
    assert reason == "It was not there yet."
    assert (raises, warns) == ("Now raises", "Warns differently")
    headline = 'print("later")\n\n: later → AttributeError: gone'
    assert error.startswith(f'{headline}\n\nIn Steps\n\nprint("later")\n\ntorch 2.3.1')
    before, after = error.split("torch 2.6.0")
    assert "Output\n\nlater" in before
    assert "AttributeError, uncaught" in after
    assert no_reason == "Other changes:"  # the reason of "torch < 2.9" holds on both sides
    assert warning.startswith(
        "tensor = torch.from_numpy(array)\n\n: UserWarning: old words → no warning\n\n"
        "In Steps\n\narray = np.zeros(2)\n"
    )
    assert "UserWarning\n\nold words" in warning
    assert warning.endswith("No output\n\n(nothing)")
    _, wording = found["Wording only (1)"]
    assert "Old message." in wording


def test_change_of_memory_and_of_numpy_are_told_too(releases: Releases) -> None:
    """Who shared before and after; NumPy and Python have pages of their own; no change is said to be none."""
    here = minor_release(releases.here.torch)
    told = release(releases.app, f"torch-{here}")["Behaviour (3)"]
    sharing = told[told.index("Shares or copies differently") + 1]
    assert "See below.\n\ntorch" in sharing
    assert "Measured after the block: array and tensor share memory" in sharing
    assert sharing.endswith("array, tensor: copies became shares")
    numpy = release(releases.app, f"numpy-{minor_release(releases.here.numpy)}")
    assert numpy["Behaviour (1)"][0] == "Warns differently"
    title, by_python = release(releases.app, "python")["Behaviour (1)"]
    assert title == "Returns a different value, dtype or device"
    assert f"{summarize_environment(releases.other_python)}\n\nOutput\n\nin other words" in by_python
    assert release(releases.app, "torch-99.0") == {}
    assert "The examples give the same results." in html(releases.app, "history/torch-99.0")


def cells(app: SphinxTestApp, page: str, css: str) -> dict[str, list[str]]:
    """Rows of a table by their first cell, the heads under the name of the first column."""
    (table,) = (t for t in app.env.get_doctree(page).findall(nodes.table) if css in t["classes"])
    rows = [[entry.astext() for entry in row.findall(nodes.entry)] for row in table.findall(nodes.row)]
    return {first: rest for first, *rest in rows}


def test_history_says_what_each_release_changed(releases: Releases) -> None:
    """By release, the newest first, each with a link; those of NumPy alone on a page of theirs."""
    here = minor_release(releases.here.torch)
    nothing = ["The examples give the same results.", "0 results of examples, 0 conversions"]
    warns = "Warns differently: total = tensor.sum()"
    rows = cells(releases.app, "history", "atlas-releases")
    numpy = f"NumPy {minor_release(releases.here.numpy)}"
    assert list(rows) == [
        *("Release", "torch 99.0", f"torch {here}", "torch 2.9", "torch 2.8", "torch 2.6", numpy, "Python")
    ]
    assert rows["torch 99.0"] == nothing
    words = "Warns differently: tensor = torch.from_numpy(array)"
    assert rows["torch 2.6"] == [words, "2 results of examples, 0 conversions"]
    assert rows[numpy] == [warns, "1 result of examples, 0 conversions"]
    assert list(cells(releases.app, "history/numpy", "atlas-releases")) == ["Release", numpy]
    assert 'href="history/torch-2.6.html"' in html(releases.app, "history")
    assert f"history/torch-{here}" in releases.app.env.toctree_includes["tree"]


def test_upgrade_lists_releases_where_no_script_runs(releases: Releases) -> None:
    """Each with its widest change, and a link to its page; the form of the script takes their place."""
    assert cells(releases.app, "upgrade", "atlas-releases") == cells(
        releases.app, "history", "atlas-releases"
    )
    page = BeautifulSoup(html(releases.app, "upgrade"), "html.parser")
    (place,) = page.select(".atlas-upgrade")
    assert place.select('table a[href="history/torch-2.6.html"]')
    assert "needs JavaScript, which is off" in place.get_text()


def test_coverage_table_says_where_an_example_ran(releases: Releases) -> None:
    """In words: as on its page, otherwise, or not."""
    found = cells(releases.app, "coverage", "atlas-coverage")
    here = minor_release(releases.here.torch)
    assert found == {
        "Example": ["Runs on", "Differs on", "Not run on"],
        "Errors": ["torch 2.3–99.0", "", ""],
        "On a GPU": ["", "", "torch 2.3–99.0"],
        "Shares": [f"torch {here}", "", "torch 2.3–2.9, 99.0"],
        "Steps": [
            f"torch {here}–99.0",
            "torch 2.3, Some Card with 99.0; ends early on torch 2.6",
            "torch 2.9; an older version ran on torch 2.8",
        ],
    }
    page = html(releases.app, "coverage")
    assert ": 4 examples; 1 gives another result on some release</span></summary>" in page
    assert "<p>Devices, unless a row says otherwise: Not run on Some Card with 99.0.</p>" in page


def test_environments_stand_with_the_newest_first(releases: Releases) -> None:
    """By release, not by text; a column in which all say the same is a sentence, or nothing."""
    page = releases.app.env.get_doctree("environments")
    (listed,) = (each for each in page.findall(nodes.table) if "atlas-environments" in each["classes"])
    rows = [[cell.astext() for cell in row.findall(nodes.entry)] for row in listed.findall(nodes.row)]
    assert rows[0] == [
        *("torch", "NumPy", "Python", "Device", "Driver", "Date", "Current", "Stale", "Not run"),
    ]
    assert f"The same in every environment: platform {releases.here.platform}." in page.astext()
    known = [*store.read_records(releases.records).environments.values(), releases.here]
    unique = {environment.id: environment for environment in known}.values()
    ordered = sorted(unique, key=age_key, reverse=True)
    assert [row[:3] for row in rows[1:]] == [[e.torch, e.numpy, e.python] for e in ordered]
    (stale,) = (row for row in rows[1:] if row[0] == releases.stale.torch)
    assert stale[-3:] == ["1", "1", "0"]


def test_replays_say_when_each_environment_was_run_again(releases: Releases) -> None:
    """Of those that have records."""
    assert cells(releases.app, "replays", "atlas-environments") == {
        "Environment": ["Date", "Cells", "Statements", "Different results"],
        summarize_environment(releases.card): ["2026-01-03", "2,000", "31", "0"],
    }


def test_coverage_table_tells_what_each_device_has_recorded_and_what_waits(releases: Releases) -> None:
    """The card with its releases, driver and day; then the example that nobody has run."""
    found = cells(releases.app, "coverage", "atlas-environments")
    card = releases.card
    assert found["Some Card"] == [card.torch, "14.0", "1", card.date, "1 current"]
    text = releases.app.env.get_doctree("coverage").astext()
    assert "Not run yet: needs 1 CUDA device, found 0 (1): On a GPU" in text
    assert "Older code" not in text


# --- without JavaScript --------------------------------------------------------------------------


@pytest.mark.parametrize("text", [MARKUP, "old words", "AttributeError: gone", "end on a card"])
def test_everything_is_readable_without_javascript(releases: Releases, text: str) -> None:
    """What another environment gave stands in the page, in view or in a fold-out without a script.

    But for incompatible installs, which have a page of their own.
    """
    page = BeautifulSoup(html(releases.app, "gallery/01_x/steps"), "html.parser")
    found = page.find_all(string=lambda string: text in string)
    assert len(found) == (2 if text == "old words" else 1)  # these words are of two environments
    for words in found:
        assert words.find_parent(hidden=True) is None
        is_folded = words.find_parent("details") is not None
        assert is_folded == (text != "end on a card")  # a device that does otherwise is in view


def test_late_output_that_a_release_changed_is_listed(fresh: Tiny) -> None:
    """On the example's page and on the release's, which links the place; an older probe changed nothing."""
    fresh.add("01_x/late")
    fresh.write("docs/history.rst", HISTORY)
    fresh.write("docs/upgrade.rst", ":orphan:\n\nUpgrade\n=======\n\n.. upgrade::\n")
    fresh.build()
    capture = store.read_capture(fresh.root / CAPTURE)
    (run,) = (run for run in capture.runs if run.example == "01_x/late")
    at = Releases(fresh, capture.environment, fresh.app()).at
    found = Store()
    here = capture.environment.torch
    for torch, late in (("2.5.0", None), ("2.6.0", "in other words"), (here, "from atexit")):
        seen = None if late is None else Observation(AFTER, late)
        found = add_capture(found, captured(replace(run, late=seen), environment=at(torch)))
    store.write_records(found, fresh.root / "docs" / "records")
    app = fresh.build()
    (fold,) = folds(places(app, "late", LATE))
    minor = minor_release(here)
    assert fold[0] == f"Changed between torch 2.6 and {minor}: other output"
    assert any("in other words" in text for text in fold[1])
    page = html(app, f"history/torch-{minor}")
    assert "in other words" in page
    assert 'gallery/01_x/late.html#after-the-last-statement"' in page
    assert "in other words" not in html(app, "history/torch-2.6")
    data = (Path(app.outdir) / "_static" / "atlas-changes.js").read_text(encoding="utf-8")
    assert "in other words" in data


# --- builds after the first ----------------------------------------------------------------------


@pytest.fixture
def again(releases: Releases, tmp_path: Path) -> Releases:
    """The checkout in a folder of a test's own, built there without executing anything."""
    root = tmp_path / "checkout"
    shutil.copytree(releases.made.root, root)
    made = Tiny(root)
    return replace(releases, made=made, app=made.build())


def rebuilt(releases: Releases) -> tuple[SphinxTestApp, set[str]]:
    """Another build, and the pages that it read again."""
    app = releases.made.app()
    read: set[str] = set()
    app.connect("env-before-read-docs", lambda _app, _env, names: read.update(names))
    app.build()
    return app, read


def with_run(releases: Releases, environment: Environment, run: Run) -> None:
    """Fold a run into the committed records."""
    known = store.read_records(releases.records)
    store.write_records(add_capture(known, captured(run, environment=environment)), releases.records)


def test_new_record_updates_the_pages_concerned(again: Releases) -> None:
    """The example's, and those about everything; none where nothing changed, all for a new environment."""
    pages = again.made.root / "docs" / "history"
    os.utime(pages / "torch-2.6.rst", (1, 1))
    known = store.read_records(again.records).records["01_x/errors"].runs[again.silent.id]
    about_all = {
        "replays",
        "index",
        "coverage",
        "environments",
        "history",
        "tree",
        "upgrade",
        *(f"history/{path.stem}" for path in pages.iterdir()),
    }
    _, read = rebuilt(again)
    assert read == set()

    with_run(again, again.silent, changed(known, _4=Observation("", stdout="brand new")))
    app, read = rebuilt(again)
    assert read == {"gallery/01_x/errors", *about_all}
    assert "brand new" in html(app, "gallery/01_x/errors")
    first = "First code block: same on 5 of 6 releases (2.6–99.0); different wording on 2.3"
    assert badge(app, "gallery/01_x/errors")[0] == f"{first}; later blocks differ on 1 release"
    assert (pages / "torch-2.6.rst").stat().st_mtime == 1

    (pages / "notes.rst").write_text(":orphan:\n\nNotes\n=====\n", encoding="utf-8")
    with_run(again, again.at("98.0.0"), known)
    app, read = rebuilt(again)
    examples = {f"gallery/01_x/{page}" for page in ("errors", "gpu", "shares", "steps")}
    assert read == {*examples, *about_all, "history/torch-98.0", "history/notes"}
    assert badge(app, "gallery/01_x/steps")[0].endswith("not measured on 2.8–2.9, 98.0")
    assert "98.0.0" in (Path(app.outdir) / "_static" / "atlas-environments.js").read_text("utf-8")

    shutil.rmtree(again.records)
    app, read = rebuilt(again)
    assert {path.name for path in pages.iterdir()} == {"notes.rst"}
    assert examples <= read
    assert "brand new" not in html(app, "gallery/01_x/errors")
    assert "One release has been recorded: nothing to compare yet." in html(app, "history")
    assert "atlas-others" not in html(app, "gallery/01_x/steps")
