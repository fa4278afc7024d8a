"""Figures of the code: lines and share of each room, decisions in ten lines, arrows and circles among rooms.

    python tests/measure_house.py [CHECKOUT]

A run needs Python alone.
A *decision* is an ``if`` (as statement, expression or ``case``), a loop, an ``except``, an ``and`` or ``or``,
and each ``for`` and ``if`` of a comprehension. Those inside functions are counted, in ten lines of functions
without their docstrings. An *arrow* leads from a room to another one that it imports, once for each pair; it
runs *up* where the table of docs/contributing/design.md lists the imported room later. Folders inside a room
belong to it.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeGuard

PACKAGE = "tensor_atlas"
HEADING = "| room | what belongs there | modules |\n"
"""First line of the table of rooms."""
SITE = "site"
"""The room whose lines of Python are printed by themselves."""
SCRIPTS = ("docs/_static", "src")
"""Folders of a checkout that may hold JavaScript written by hand."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DECISIONS = (
    ast.If,
    ast.IfExp,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.ExceptHandler,
    ast.match_case,
    ast.comprehension,
)
"""Nodes that are one decision each; ``and``, ``or`` and a comprehension's ``if`` come to it."""


# --- reading ----------------------------------------------------------------------------------------


def list_modules(folder: Path) -> dict[str, Path]:
    """Full names of a package's modules with their files, in order."""
    paths = {
        path: path.relative_to(folder.parent).with_suffix("").parts for path in sorted(folder.rglob("*.py"))
    }
    return {".".join(parts).removesuffix(".__init__"): path for path, parts in paths.items()}


def room_of(module: str) -> str:
    """The room or single module that a module lies in; empty for the package itself."""
    return f"{module}.".split(".")[1]


def parse_rooms(page: str) -> dict[str, set[str]]:
    """Rooms in the order of the table in the text of design.md, each with the modules that it names."""
    table = page.split(HEADING, 1)[1].split("\n\n", 1)[0]
    rooms = {}
    for line in table.split("\n")[1:]:
        room, _, modules = (cell.strip() for cell in line.strip("|").split("|"))
        rooms[room] = set(re.findall(r"`(\w+)`", modules))
    return rooms


def list_imports(path: Path, modules: AbstractSet[str], *, at_once: bool = False) -> set[str]:
    """Full names of what a file imports anywhere, or ``at_once``: when it is imported itself.

    Own modules by their full names, everything else by the module that the import names.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names: set[str] = set()
    for node in tree.body if at_once else ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            full = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= full & modules
            if full - modules:
                names.add(str(node.module))
    return names


# --- decisions --------------------------------------------------------------------------------------


def measure_functions(tree: ast.Module) -> tuple[int, int]:
    """Decisions inside the functions of a module, and their lines without docstrings."""
    outermost = list(_find_outermost(tree))
    lines = sum(_count_lines(function) for function in outermost)
    return sum(map(count_decisions, outermost)), lines


def count_decisions(tree: ast.AST) -> int:
    """Decisions at any depth of a tree."""
    count = 0
    for node in ast.walk(tree):
        count += isinstance(node, DECISIONS)
        if isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            count += len(node.ifs)
    return count


def _find_outermost(tree: ast.AST) -> Iterator[ast.AST]:
    """Functions that stand in no other one."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, FUNCTIONS):
            yield node
        else:
            yield from _find_outermost(node)


def _count_lines(function: ast.AST) -> int:
    """Lines of a function, from its ``def``, without docstrings, its own and those inside it."""
    lines: set[int] = set()
    docstrings: set[int] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.stmt):
            lines |= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
        if _is_docstring(node):
            docstrings |= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    return len(lines - docstrings)


def _is_docstring(node: ast.AST) -> TypeGuard[ast.Expr]:
    """Whether a node is a text that stands as a statement."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


# --- rooms ------------------------------------------------------------------------------------------


@dataclass
class House:
    """What is measured of a checkout."""

    order: list[str]
    """Rooms as the design lists them."""
    lines: Counter[str] = field(default_factory=Counter)
    """Lines of Python of each room; those of the package itself under an empty name."""
    function_lines: Counter[str] = field(default_factory=Counter)
    """Lines of each room's functions, without docstrings."""
    decisions: Counter[str] = field(default_factory=Counter)
    """Decisions in these lines."""
    arrows: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """Rooms of which the first imports the second, with the modules that do."""
    session_lines: int = 0
    """Lines of noxfile.py."""
    script_lines: int = 0
    """Lines of JavaScript."""

    def find_arrows_up(self) -> list[tuple[str, str]]:
        """Arrows to a room that the design lists later, or not at all."""
        places = {room: place for place, room in enumerate(self.order)}
        last = len(places)
        return sorted(arrow for arrow in self.arrows if places.get(arrow[1], last) > places.get(arrow[0], -1))


def measure_house(root: Path) -> House:
    """Figures of the checkout in a folder."""
    page = (root / "docs" / "contributing" / "design.md").read_text(encoding="utf-8")
    house = House(list(parse_rooms(page)))
    modules = list_modules(root / "src" / PACKAGE)
    for module, path in modules.items():
        room = room_of(module)
        text = path.read_text(encoding="utf-8")
        house.lines[room] += _count_text_lines(path)
        decisions, lines = measure_functions(ast.parse(text))
        house.decisions[room] += decisions
        house.function_lines[room] += lines
        for name in list_imports(path, modules.keys()) & modules.keys():
            target = room_of(name)
            if target not in ("", room) and room:
                house.arrows.setdefault((room, target), set()).add(module)
    house.session_lines = _count_text_lines(root / "noxfile.py")
    house.script_lines = sum(map(_count_text_lines, _list_scripts(root)))
    return house


def _list_scripts(root: Path) -> Iterator[Path]:
    for folder in SCRIPTS:
        yield from (root / folder).rglob("*.js")


def _count_text_lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def find_circles(arrows: Mapping[tuple[str, str], object]) -> list[list[str]]:
    """Groups of rooms that lead to each other, by name."""
    reached = {room: _reach(room, arrows) for arrow in arrows for room in arrow}
    circles = set()
    for room, others in reached.items():
        if room in others:
            circles.add(frozenset(other for other in others if room in reached[other]))
    return sorted(map(sorted, circles))


def _reach(room: str, arrows: Mapping[tuple[str, str], object]) -> set[str]:
    """Rooms to which arrows lead from one, over others too."""
    seen: set[str] = set()
    waiting = [room]
    while waiting:
        here = waiting.pop()
        new = {target for origin, target in arrows if origin == here} - seen
        seen |= new
        waiting += new
    return seen


# --- printing ---------------------------------------------------------------------------------------


def render_house(house: House) -> str:
    """The figures as lines of text."""
    python = house.lines.total()
    together = python + house.session_lines + house.script_lines
    parts = [f"{count:,}" for count in (python, house.session_lines, house.script_lines)]
    decisions, function_lines = house.decisions.total(), house.function_lines.total()
    rate = 10 * decisions / max(1, function_lines)
    circles = find_circles(house.arrows)
    up = house.find_arrows_up()
    lines = [f"{'room':12} {'lines':>7} {'share':>7}  decisions in 10 lines"]
    for room in sorted(house.lines, key=lambda name: -house.lines[name]):
        share = f"{house.lines[room] / python:.1%}"
        lines.append(f"{room or PACKAGE:12} {house.lines[room]:7,} {share:>7} {_rate(house, room):6.1f}")
    lines += [
        "",
        f"Python below {SITE}/: {house.lines[SITE]:,} lines",
        f"Python of src: {python:,} lines",
        f"Python of src, noxfile.py and JavaScript: {together:,} lines ({' + '.join(parts)})",
        f"decisions in 10 lines of functions: {rate:.1f} ({decisions:,} in {function_lines:,} lines)",
        f"arrows among rooms: {len(house.arrows)}",
        f"arrows up: {len(up)}",
        *(f"    {one} -> {other}: {', '.join(sorted(house.arrows[one, other]))}" for one, other in up),
        f"circles among rooms: {len(circles)}",
        *(f"    {', '.join(circle)}" for circle in circles),
    ]
    return "\n".join(lines)


def _rate(house: House, room: str) -> float:
    return 10 * house.decisions[room] / max(1, house.function_lines[room])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    here = Path(__file__).resolve().parents[1]
    parser.add_argument("checkout", type=Path, nargs="?", default=here, help="folder of a checkout; this one")
    print(render_house(measure_house(parser.parse_args(arguments).checkout)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
