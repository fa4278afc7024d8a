"""Who imports whom: the rules that keep the rooms apart, read off the source and the table in design.md."""

from __future__ import annotations

import ast
import functools
import re
import sys
from pathlib import Path

import pytest
from measure_house import list_imports, list_modules, parse_rooms, room_of
from samples import ROOT

PACKAGE = ROOT / "src" / "tensor_atlas"
MODULES = list_modules(PACKAGE)
MOST_IMPORTS = 75
"""Pairs of rooms and single modules of which one imports the other."""


@functools.cache
def rooms() -> dict[str, set[str]]:
    """Rooms in the order of design.md's table, each with the modules that it names."""
    return parse_rooms((ROOT / "docs" / "contributing" / "design.md").read_text(encoding="utf-8"))


@functools.cache
def imported(module: str, *, at_once: bool = False) -> frozenset[str]:
    """Full names of what ``module`` imports anywhere, or ``at_once``: when it is imported itself."""
    return frozenset(list_imports(MODULES[module], MODULES.keys(), at_once=at_once))


def third_party(module: str, *, at_once: bool = False) -> set[str]:
    """Packages outside the standard library that a module imports."""
    roots = {name.partition(".")[0] for name in imported(module, at_once=at_once)}
    return roots - sys.stdlib_module_names - {"tensor_atlas"}


def own_imports(module: str) -> set[str]:
    """Modules of this package that a module imports, but for the package itself."""
    return {name for name in imported(module) if name in MODULES and "." in name}


def test_table_in_the_design_names_every_module() -> None:
    """Once, in the room whose folder it lies in."""
    written = {(room, name) for room, names in rooms().items() for name in names}
    files = [module for module, path in MODULES.items() if path.name != "__init__.py"]
    lying = {(room_of(module), module.rpartition(".")[2]) for module in files}
    assert lying - written == set(), "list them in docs/contributing/design.md, under Rooms"
    assert written - lying == set(), "docs/contributing/design.md lists them under Rooms"


@pytest.mark.parametrize("module", sorted(MODULES))
def test_room_imports_only_rooms_to_its_left(module: str) -> None:
    """As the table orders them; a single module is a room of its own."""
    if "." not in module:
        return
    order = list(rooms())
    here = order.index(room_of(module))
    right = [name for name in own_imports(module) if order.index(room_of(name)) > here]
    assert right == []


def test_imports_among_rooms_stay_few() -> None:
    """Each is a thing that somebody who moves a room must know."""
    pairs = {
        (room_of(module), room_of(name))
        for module in MODULES
        for name in own_imports(module)
        if "." in module
    }
    assert len({(a, b) for a, b in pairs if a != b}) <= MOST_IMPORTS


@pytest.mark.parametrize("module", sorted(MODULES))
def test_modules_do_not_import_each_other_in_a_circle(module: str) -> None:
    """Not even inside functions."""
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        for name in own_imports(waiting.pop()) - seen:
            seen.add(name)
            waiting.append(name)
    assert module not in seen


@pytest.mark.parametrize("module", sorted(MODULES))
def test_libraries_are_imported_where_they_belong(module: str) -> None:
    """torch where something runs, Sphinx in the site, and left of the records nothing but torch and numpy."""
    if "." not in module:
        return
    room = room_of(module)
    libraries = third_party(module)
    if room in ("errors", "files", "streams", "model", "examples", "catalogue", "probe"):
        assert libraries <= ({"torch", "numpy"} if room == "probe" else set())
    if room not in ("probe", "timings"):
        assert "torch" not in libraries
    if room != "site":
        assert not third_party(module, at_once=True) & {"sphinx", "sphinx_gallery", "docutils", "myst_nb"}
    if room == "pages":
        assert libraries <= {"bs4", "msgspec", "nbformat", "packaging"}


@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "pages").glob("*.py")), ids=lambda p: p.stem)
def test_what_pages_show_is_tested_without_the_site(path: Path) -> None:
    """From records alone: neither Sphinx nor a build is needed to know it."""
    names = list_imports(path, MODULES.keys())
    assert {name for name in names if name.startswith(("tensor_atlas.site", "sphinx", "docutils"))} == set()


def test_only_the_observer_executes() -> None:
    """``exec`` and ``eval`` stand where an example's statement runs, nowhere else."""
    calling = set()
    for module, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("exec", "eval"):
                calling.add(module)
    assert calling == {"tensor_atlas.probe.observe"}


@pytest.mark.parametrize("module", sorted(MODULES))
def test_no_private_name_of_another_package_is_used(module: str) -> None:
    """Nor is one assigned to; ruff looks at attributes, and no line silences it."""
    text = MODULES[module].read_text(encoding="utf-8")
    assert "SLF001" not in text
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and not str(node.module).startswith("tensor_atlas"):
            private = [alias.name for alias in node.names if alias.name.startswith("_")]
            assert private in ([], ["__version__"]), f"{module}:{node.lineno}"
            assert not any(
                part.startswith("_") for part in str(node.module).split(".") if part != "__future__"
            )
        calls = isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("vars", "setattr")
        # The names that instrumented clauses call stand among the builtins, where no example sees them.
        if calls and isinstance(node, ast.Call) and getattr(node.args[0], "id", "") != "builtins":
            assert not _is_module(node.args[0], module), f"{module}:{node.lineno}"


def _is_module(node: ast.expr, module: str) -> bool:
    """Whether an expression is the name of an imported module."""
    return isinstance(node, ast.Name) and node.id in {name.rpartition(".")[2] for name in imported(module)}


@pytest.mark.parametrize("module", sorted(MODULES))
def test_module_opens_with_what_belongs_in_it(module: str) -> None:
    """One sentence at least."""
    docstring = ast.get_docstring(ast.parse(MODULES[module].read_text(encoding="utf-8")))
    assert docstring is not None
    assert len(docstring.split("\n")[0]) > 20


COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def find_nested(tree: ast.AST) -> list[int]:
    """Lines of comprehensions that hold another one."""
    outer = [node for node in ast.walk(tree) if isinstance(node, COMPREHENSIONS)]
    return [node.lineno for node in outer if any(isinstance(one, COMPREHENSIONS) for one in parts(node))]


def parts(node: ast.AST) -> list[ast.AST]:
    """What stands within a node, at any depth."""
    return [found for found in ast.walk(node) if found is not node]


@pytest.mark.parametrize("module", MODULES)
def test_no_comprehension_holds_another(module: str) -> None:
    """A line does one thing: the inner one becomes a function or a loop."""
    assert find_nested(ast.parse(MODULES[module].read_text(encoding="utf-8"))) == []


def test_nested_comprehension_is_found() -> None:
    """In a condition as well as in a value."""
    tree = ast.parse("[[b for b in a] for a in x]\n[a for a in x if any(b for b in a)]\n[a for a in x]\n")
    assert find_nested(tree) == [1, 2]


def test_no_two_classes_share_a_name() -> None:
    """Whoever reads a name in one module should not have met another thing by that name."""
    places: dict[str, list[str]] = {}
    for module, path in MODULES.items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(module)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
    assert len(places) > 100


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "contributing").glob("*.md")), ids=lambda p: p.stem)
def test_test_files_that_a_page_names_exist(page: Path) -> None:
    """A contributor runs what the page says."""
    named = set(re.findall(r"\btests/[\w/]+\.\w+", page.read_text(encoding="utf-8")))
    assert {name for name in named if not (ROOT / name).is_file()} == set()
