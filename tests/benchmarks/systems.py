"""The systems of the benchmark: how each is started, and what proves that it has done its work."""

from __future__ import annotations

import html
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from benchmarks import forms
from benchmarks.forms import Files, stem
from benchmarks.workload import Document

LOOP = """
import pathlib
import numpy, torch
executed = 0
for path in sorted(pathlib.Path("examples").glob("*/s*.py")):
    exec(compile(path.read_text(encoding="utf-8"), path, "exec"), {"__name__": "__main__"})
    executed += 1
print(executed, "files executed")
"""
START = (sys.executable, "-c", "import numpy, torch")
"""What a system has to do at least: the unit of slopes."""
ATLAS = str(Path(sys.executable).with_name("tensor-atlas"))
"""The command of this project, as it is installed beside Python."""
FLOOR = (sys.executable, "-c", LOOP)
DOCTEST = ("sh", "-c", f"exec '{sys.executable}' -m doctest s*.py")
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
SPHINX = (sys.executable, "-m", "sphinx", "-d", "_build/doctrees", "-b")
SPHINX_DOCTEST = (*SPHINX, "doctest", ".", "_build")
SPHINX_GALLERY = (*SPHINX, "html", "--jobs", "auto", "docs", "docs/_build/html")
# Without --jobs: several readers trip over each other where jupyter-cache is empty.
MYST_NB = (*SPHINX, "html", ".", "_build/html")
PAGES = "docs/_build/html/gallery/*/s[0-9]*.html"
ATLAS_STATES = ("cold", "unchanged", "changed")
"""Nothing there yet; nothing changed since the last run; one document changed."""


@dataclass(frozen=True)
class System:
    """One way of checking or showing examples."""

    name: str
    """Name in options and in the file of results."""
    label: str
    """Name on the page."""
    write: Callable[[Sequence[Document]], Files]
    command: Sequence[str]
    """Command line, run in the folder of the workload."""
    report: str = ""
    """Text that the output of every run must hold."""
    pages: str = ""
    """Pattern of the pages made of documents; every page must show what its scenarios print."""
    states: Sequence[str] = ("cold",)
    """States that it is timed in, one after the other."""
    isolates: bool = False
    """Whether each file, or each example, has a process of its own."""
    compares: bool = True
    """Whether output is compared with what is documented."""
    executes: bool = True
    slow: bool = False
    """Whether it starts an interpreter for each file: run once, on few examples unless asked for."""


# fmt: off
SYSTEMS = (
    System("floor", "the floor: a bare loop", forms.write_scripts, FLOOR, "{files} files executed",
           compares=False),
    System("gate", "`tensor-atlas drift`", forms.write_checkout, (ATLAS, "drift"), "no drift",
           states=ATLAS_STATES, isolates=True),
    System("doctest", "doctest of the standard library", forms.write_docstrings, DOCTEST),
    System("pytest", "pytest, doctest modules", forms.write_docstrings, (*PYTEST, "--doctest-modules"),
           "{examples} passed"),
    System("sphinx-doctest", "Sphinx's doctest builder", forms.write_sessions, SPHINX_DOCTEST,
           "{statements} tests"),
    System("sybil", "Sybil", forms.write_sessions, PYTEST, "{statements} passed"),
    System("pytest-examples", "pytest-examples", forms.write_markdown, (*PYTEST, "-p", "pytest_examples"),
           "{examples} passed"),
    System("nbval", "nbval", forms.write_notebooks, (*PYTEST, "-p", "nbval.plugin", "--nbval"),
           "{cells} passed", isolates=True, slow=True),
    System("site", "this project's site", forms.write_checkout, (ATLAS, "site"), pages=PAGES,
           states=ATLAS_STATES, isolates=True),
    System("gallery", "sphinx-gallery", forms.write_gallery, SPHINX_GALLERY, pages=PAGES, compares=False),
    System("gallery-plain", "sphinx-gallery, nothing executed", partial(forms.write_gallery, executes=False),
           SPHINX_GALLERY, pages=PAGES, compares=False, executes=False),
    System("myst-nb", "myst-nb with jupyter-cache, empty", forms.write_myst_notebooks, MYST_NB,
           pages="_build/html/s[0-9]*.html", isolates=True, compares=False, slow=True),
)
# fmt: on
"""All of them, in the order of the page: what checks, then what makes pages. The floor comes first."""


@dataclass(frozen=True)
class Work:
    """The workload of one system, in its folder."""

    folder: Path
    documents: tuple[Document, ...]

    def counts(self) -> dict[str, int]:
        """Numbers that the reports of the systems name; the imports count as statements and cells."""
        scenarios = [scenario for document in self.documents for scenario in document]
        files = len(self.documents)
        statements = sum(len(scenario.steps) for scenario in scenarios) + 2 * files
        cells = len(scenarios) + files
        return {"files": files, "examples": len(scenarios), "statements": statements, "cells": cells}


def write_workload(system: System, documents: Sequence[Document], folder: Path) -> Work:
    """Write the workload for a system into an emptied folder."""
    shutil.rmtree(folder, ignore_errors=True)
    write_files(system.write(documents), folder)
    return Work(folder, tuple(documents))


def write_files(files: Files, folder: Path) -> None:
    """Write texts below ``folder``, by path."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def plant_fault(system: System, documents: Sequence[Document]) -> list[Document]:
    """Documents whose last statement has a wrong output, or raises where outputs are not compared."""
    *before, document = documents
    *others, scenario = document
    *steps, last = scenario.steps
    wrong_output = replace(last, output=f"not {last.output}")
    error = replace(last, code="torch.ones(2) @ torch.ones(3)")
    wrong = wrong_output if system.compares else error
    return [*before, (*others, replace(scenario, steps=(*steps, wrong)))]


def has_done_its_work(system: System, work: Work, output: str) -> bool:
    """Whether a run that ended well reports what it should, and its pages show what the scenarios print."""
    expected = system.report.format_map(work.counts())
    if re.search(rf"(?<!\d){re.escape(expected)}", output) is None:
        return False
    if not system.pages:
        return True
    pages = {path.stem: path for path in work.folder.glob(system.pages)}
    if len(pages) != len(work.documents):
        return False
    numbered = enumerate(work.documents)
    return not system.executes or all(shows_outputs(pages[stem(n)], document) for n, document in numbered)


def shows_outputs(page: Path, document: Document) -> bool:
    """Whether an HTML page holds every line that the scenarios of a document print."""
    text = html.unescape(re.sub(r"<[^>]*>", "", page.read_text(encoding="utf-8")))
    lines = [line for scenario in document for line in scenario.output.splitlines()]
    return all(line in text for line in lines)
