"""Which files a reader meets who follows one statement's page from its directive; run it as a script.

    python tests/follow_statement.py [EXAMPLE [INDEX]]

Printed are the files of both steps from the committed records: what the page shows, and its nodes. A *stay*
is a run of functions in one file, in the order in which they are first entered. A *climb* is a step to a file
of a room that the table of docs/contributing/design.md lists later.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from types import CodeType, FrameType

from committed import committed_evidence
from measure_house import parse_rooms
from samples import ROOT

from tensor_atlas.pages.statement_view import ExamplePage, view_statement
from tensor_atlas.site.gallery.output_nodes import build_statement_nodes

PACKAGE = ROOT / "src" / "tensor_atlas"
EXAMPLE, INDEX = "01_numpy_to_tensor/arrays_into_modules", 20
"""A statement with other outcomes, reasons and a change."""


def follow(call: Callable[[], object]) -> list[str]:
    """Files of this package, a stay each, that a call enters."""
    entered: dict[CodeType, str] = {}

    def note_function(frame: FrameType, event: str, _: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and not frame.f_code.co_name.startswith("<") and path.is_relative_to(PACKAGE):
            entered.setdefault(frame.f_code, path.relative_to(PACKAGE).as_posix())

    sys.setprofile(note_function)
    try:
        call()
    finally:
        sys.setprofile(None)
    return [file for file, _ in groupby(entered.values())]


def render_way(title: str, stays: Sequence[str], order: Sequence[str]) -> str:
    """Figures of a way, and its files."""
    elsewhere = sum(file != stays[0] for file in stays)
    rooms = [order.index(file.partition("/")[0]) for file in stays]
    climbs = sum(after > before for before, after in pairwise(rooms))
    head = f"{title}: {elsewhere} stays in other files, {climbs} climbs, {len(set(rooms))} rooms"
    return "\n".join([head, *(f"    {file}" for file in stays)])


def main(arguments: Sequence[str]) -> None:
    """Print both ways."""
    name, index = [*arguments, *(EXAMPLE, str(INDEX))[len(arguments) :]]
    order = list(parse_rooms((ROOT / "docs" / "contributing" / "design.md").read_text(encoding="utf-8")))
    shown = committed_evidence().pages[name]
    view = view_statement(ExamplePage(shown), int(index))
    shows = follow(lambda: view_statement(ExamplePage(shown), int(index)))
    print(render_way("What the page shows", shows, order))
    print(render_way("Its nodes", follow(lambda: [*build_statement_nodes(view)]), order))


if __name__ == "__main__":
    main(sys.argv[1:])
