"""How captured output looks: boxes, fold-outs and lines about memory."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from types import FrameType

import pytest
from docutils import nodes
from samples import CPU, OLDER, ROOT

from tensor_atlas.history.timeline import Box, SharingGroup
from tensor_atlas.pages.statement_view import (
    IncompatibleOutcome,
    MeasuredMemory,
    MemoryView,
    OutcomeView,
    OwnOutput,
    StatementView,
)
from tensor_atlas.site.build.nodes import element
from tensor_atlas.site.gallery.output_nodes import (
    LONG,
    MOST_LINES,
    MOST_LISTED,
    build_box,
    build_incompatible_nodes,
    build_memory_nodes,
    build_sharing_lines,
    build_statement_nodes,
)

OWN = OwnOutput((Box("output", "Output", "1"),))
OTHER = OutcomeView(OLDER.id, "2.2.2/1.26.4/cpu", "torch < 2.3", (Box("output", "Output", "2"),))


def parts(found: Iterable[nodes.Node]) -> list[tuple[str, dict[str, str], str]]:
    """Tag, attributes and text of every element, outermost first."""
    elements = [node for outer in found for node in outer.findall(element)]
    return [(node["tag"], node["attributes"], node.astext()) for node in elements]


def test_statement_without_a_choice_has_its_boxes_alone() -> None:
    """There is nothing to fold in."""
    found = list(build_statement_nodes(StatementView(2, OWN, None, (), (), "", has_choice=False)))
    assert parts(found) == []
    assert [node.astext() for node in found] == ["Output\n\n1"]


def test_other_outcomes_stand_in_a_fold_with_their_environments() -> None:
    """The picker finds the statement and the environments by attributes."""
    view = StatementView(2, OWN, None, (), (OTHER,), "Changed in torch 2.3", has_choice=True)
    outer, here, fold, summary, other = parts(build_statement_nodes(view))
    assert (outer[0], outer[1]) == ("div", {"data-statement": "2"})
    assert here[2] == "Output\n\n1"
    assert (fold[0], summary[2]) == ("details", "Changed in torch 2.3")
    assert other[1] == {"data-environments": OLDER.id}
    assert other[2] == "torch < 2.3 · recorded with 2.2.2/1.26.4/cpu\n\nOutput\n\n2"


def test_outcome_of_a_device_stands_beside_the_page_s_own() -> None:
    """Each under a label that names the device."""
    device = OutcomeView(CPU.id, "2.13.0/2.4.6/cpu", "CPU")
    view = StatementView(0, OWN, device, (OTHER,), (), "", has_choice=True)
    (node,) = build_statement_nodes(view)
    assert isinstance(node, nodes.Element)
    assert "atlas-side-by-side" in node["classes"]
    assert [child.astext().split(" ·")[0] for child in node.children] == ["CPU", "torch < 2.3"]


def test_incompatible_install_has_its_code_and_what_it_did() -> None:
    """Of a statement or a block, by which the picker finds it; hidden but on the page about such installs."""
    memory = OutcomeView(OLDER.id, "2.2.2/1.26.4/cpu", "", memory=MeasuredMemory())
    found = (IncompatibleOutcome(OTHER, "f()", 3, None), IncompatibleOutcome(memory, "g()", None, 1))
    _, summary, statement, block = parts(
        [build_incompatible_nodes("An incompatible install", found, is_shown=True)]
    )
    assert summary[2] == "An incompatible install"
    hidden = build_incompatible_nodes("An incompatible install", found, is_shown=False)
    assert hidden["attributes"]["hidden"] == "hidden"
    assert "An incompatible install" not in hidden.astext()
    assert [part[1] for part in parts([hidden])[1:]] == [statement[1], block[1]]
    assert statement[1] == {"data-environments": OLDER.id, "data-of-statement": "3"}
    assert statement[2] == "2.2.2/1.26.4/cpu\n\nf()\n\nOutput\n\n2"
    assert block[1] == {"data-environments": OLDER.id, "data-of-block": "1"}
    assert block[2] == "2.2.2/1.26.4/cpu\n\ng()\n\nNothing new shares memory here."


def test_so_many_names_are_listed_and_the_rest_is_counted() -> None:
    """With what was not looked at to its end."""
    names = ("array", *(f"row.x{k}" for k in range(MOST_LISTED)))
    own = MeasuredMemory((SharingGroup(names, 8, "cpu"),), None, ("row", "deep[0]"))
    shares, left = (
        node.astext() for node in build_memory_nodes(MemoryView(0, own, (), "", has_choice=False)).children
    )
    assert shares.startswith("Measured after the block: array, row.x0, row.x1,")
    assert shares.endswith("row.x6 and 1 more share memory, in a buffer of 8 bytes on cpu.")
    assert left == "Not measured in full: what row and deep[0] hold."


def test_so_many_groups_that_share_are_listed_and_no_more() -> None:
    """A view of each row of an array makes as many pairs as there are rows."""
    facts = [SharingGroup(("array", f"rows[{k}]"), 8, "cpu") for k in range(MOST_LINES + 2)]
    lines = [line.astext() for line in build_sharing_lines(facts)]
    assert len(lines) == MOST_LINES + 1
    assert lines[-1] == "2 more groups of names share memory."
    one_more = [line.astext() for line in build_sharing_lines(facts[:-1])]
    assert one_more == [*lines[:-1], "1 more group of names shares memory."]
    assert [line.astext() for line in build_sharing_lines(facts[:-2])] == lines[:-1]


def test_error_and_warning_say_in_words_what_they_are() -> None:
    """Whatever their class is called; output needs no other word than its own."""
    assert build_box(Box("error", "KeyboardInterrupt", "x")).astext() == "Error: KeyboardInterrupt\n\nx"
    assert build_box(Box("warning", "ComplexWarning", "x")).astext() == "Warning: ComplexWarning\n\nx"
    assert build_box(Box("output", "Output", "x")).astext() == "Output\n\nx"


def test_long_output_folds_and_is_open_at_first() -> None:
    """Its summary says how long it is; a shorter one has nothing to fold."""
    lines = "\n".join("line" for _ in range(LONG + 1))
    fold, summary = parts([build_box(Box("output", "Output", lines))])
    assert (fold[0], fold[1]) == ("details", {"open": "open"})
    assert (summary[0], summary[2]) == ("summary", f"Output, {LONG + 1} lines")
    assert parts([build_box(Box("output", "Output", lines.removesuffix("\nline")))]) == []


@pytest.mark.parametrize(("printed", "text"), [("", "(blank line)"), ("\n", "(blank line)\n(blank line)")])
def test_blank_lines_alone_are_shown_in_words(printed: str, text: str) -> None:
    """An empty box would look like no output."""
    (literal,) = build_box(Box("output", "Output", printed)).findall(nodes.literal_block)
    assert literal.astext() == text


def test_nodes_of_a_statement_ask_no_other_room() -> None:
    """The view holds what is shown: whoever reads how it looks meets two files and no record."""
    package = ROOT / "src" / "tensor_atlas"
    entered: set[Path] = set()

    def note_file(frame: FrameType, event: str, _: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(package):
            entered.add(path.relative_to(package))

    device = OutcomeView(CPU.id, "2.13.0/2.4.6/cpu", "CPU")
    view = StatementView(0, OWN, device, (OTHER,), (OTHER,), "Changed in torch 2.3", has_choice=True)
    sys.setprofile(note_file)
    try:
        assert list(build_statement_nodes(view))
    finally:
        sys.setprofile(None)
    assert {path.as_posix() for path in entered} == {
        "site/gallery/output_nodes.py",
        "site/build/nodes.py",
    }
