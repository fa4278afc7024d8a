"""Who imports whom, and who opens files: the rules that keep the parts apart, read off the source."""

from __future__ import annotations

import ast
import functools
import sys
from pathlib import Path

import pytest
from samples import ROOT

PACKAGE = ROOT / "src" / "tensor_atlas"
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}

PURE = {
    "bandwidth",
    "cell_changes",
    "chooser",
    "chooser_script",
    "claims",
    "changes",
    "compare",
    "deviations",
    "drafts",
    "entries",
    "evidence",
    "export",
    "finder",
    "finder_script",
    "fold",
    "gathered",
    "gaps",
    "history",
    "ipynb",
    "matrix",
    "matrix_facts",
    "matrix_html",
    "memory_map",
    "memory_svg",
    "messages",
    "meta",
    "outcomes",
    "pieces",
    "prose",
    "ranking",
    "releases",
    "report",
    "rows",
    "scenarios",
    "verdicts",
    "probe.capture",
    "probe.matrix.cell",
    "probe.matrix.conversions",
    "probe.matrix.sources",
    "probe.normalise",
    "probe.record",
    "probe.comments",
    "probe.script",
    "probe.shard",
}
"""Modules that DESIGN.md calls pure."""

READERS_AND_WRITERS = {
    "glob",
    "io.open",
    "os",
    "pathlib",
    "shutil",
    "socket",
    "subprocess",
    "tempfile",
    "urllib",
}
OPENING = {
    "open",
    "read_text",
    "read_bytes",
    "write_text",
    "write_bytes",
    "exec",
    "eval",
    "input",
    "__import__",
}


@functools.cache
def tree(module: str) -> ast.Module:
    """Syntax tree of a module."""
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


@functools.cache
def imported(module: str, at_once: bool = False) -> frozenset[str]:  # noqa: FBT002
    """Full names of modules that ``module`` imports, wherever in it, or ``at_once``: when it is itself imported."""
    found: set[str] = set()
    for node in tree(module).body if at_once else ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: imports are absolute"
            found.add(str(node.module))
            found |= {f"{node.module}.{alias.name}" for alias in node.names} & set(MODULES)
    return frozenset(found)


def reached(module: str, at_once: bool = False) -> set[str]:  # noqa: FBT002
    """Modules of this package that ``module`` leads to."""
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        for name in imported(waiting.pop(), at_once) & set(MODULES):
            if name not in seen:
                seen.add(name)
                waiting.append(name)
    return seen


def modules_of(part: str) -> list[str]:
    """Modules of a part of the package."""
    name = f"tensor_atlas.{part}"
    return [module for module in MODULES if module == name or module.startswith(f"{name}.")]


@pytest.mark.parametrize("module", modules_of("probe"))
def test_probe_imports_nothing_of_the_rest(module: str) -> None:
    """Standard library, torch, numpy and itself."""
    roots = {name.partition(".")[0] for name in imported(module)}
    assert roots <= sys.stdlib_module_names | {"torch", "numpy", "tensor_atlas"}
    ours = {name for name in imported(module) if name.startswith("tensor_atlas")}
    assert all(name.startswith("tensor_atlas.probe") for name in ours), ours


@pytest.mark.parametrize("module", sorted({*modules_of("sphinx"), "tensor_atlas.cli.commands"}))
def test_command_line_and_extension_never_meet(module: str) -> None:
    """Neither imports the other, through whatever."""
    other = "tensor_atlas.site" if module == "tensor_atlas.cli.commands" else "tensor_atlas.cli.commands"
    assert [name for name in reached(module) if name == other or name.startswith(f"{other}.")] == []


@pytest.mark.parametrize("module", sorted(set(MODULES) - set(modules_of("sphinx"))))
def test_sphinx_is_imported_by_the_extension_only(module: str) -> None:
    """The command line works without it; the command that builds the site calls it when there is something to build."""
    roots = {name.partition(".")[0] for name in imported(module, at_once=module == "tensor_atlas.building")}
    assert not roots & {"sphinx", "sphinx_gallery", "docutils", "myst_nb", "matplotlib"}


@pytest.mark.parametrize("module", sorted(MODULES))
def test_torch_is_imported_where_examples_run_only(module: str) -> None:
    """Everything that compares and reports works without torch."""
    if "torch" in {name.partition(".")[0] for name in imported(module)}:
        needing = ("environment", "run", "sharing", "measure", "transfers", "matrix.observe")
        assert module in {f"tensor_atlas.probe.{name}" for name in needing}


@pytest.mark.parametrize("module", sorted(PURE))
def test_pure_module_opens_no_file(module: str) -> None:
    """It imports nothing that reads or writes, and calls nothing that does."""
    name = f"tensor_atlas.{module}"
    assert not {part for part in imported(name) if part.partition(".")[0] in READERS_AND_WRITERS}
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            assert called not in OPENING, f"{module}:{node.lineno} calls {called}"


def test_every_module_that_calls_itself_pure_is_checked() -> None:
    """The first sentence of a module says what it is."""
    claimed = {name for name in MODULES if "pure" in (ast.get_docstring(tree(name)) or "").split("\n")[0]}
    assert claimed <= {f"tensor_atlas.{module}" for module in PURE}


@pytest.mark.parametrize("module", sorted(MODULES))
def test_module_opens_with_what_belongs_in_it(module: str) -> None:
    """One sentence at least."""
    docstring = ast.get_docstring(tree(module))
    assert docstring is not None
    assert len(docstring.split("\n")[0]) > 20


def test_modules_import_in_one_direction() -> None:
    """No module leads back to itself while it is imported; the extension is imported later, when Sphinx asks."""
    loops = [module for module in MODULES if module in reached(module, at_once=True)]
    assert loops == []


def test_only_the_run_executes() -> None:
    """``exec`` and ``eval`` stand where an example's statement runs, nowhere else."""
    calling = {
        module
        for module in MODULES
        for node in ast.walk(tree(module))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("exec", "eval")
    }
    assert calling == {"tensor_atlas.probe.observe"}


def test_sources_were_found() -> None:
    """An empty list of modules would pass everything above."""
    assert {
        "tensor_atlas",
        "tensor_atlas.cli.commands",
        "tensor_atlas.probe.__main__",
        "tensor_atlas.site",
    } <= set(MODULES)
    assert isinstance(MODULES["tensor_atlas.cli.commands"], Path)
