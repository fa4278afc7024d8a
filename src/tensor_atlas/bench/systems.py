"""The systems of the benchmark: how each is run on its form of the workload, and how one sees that it did its work."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tensor_atlas.bench import forms
from tensor_atlas.bench.forms import Form
from tensor_atlas.bench.workload import Document, faulty, raising, write
from tensor_atlas.building import SAID
from tensor_atlas.speed import ROWS

FLOOR = """
import pathlib
import numpy, torch
executed = 0
for path in sorted(pathlib.Path("examples").glob("*/s*.py")):
    exec(compile(path.read_text(encoding="utf-8"), path, "exec"), {"__name__": "__main__"})
    executed += 1
print(executed, "files executed")
"""
"""The bare loop."""

START = ("-c", "import numpy, torch")
"""What every run that executes anything has to do at least: the unit of slopes."""


@dataclass(frozen=True)
class Work:
    """The workload of one system, in its folder."""

    folder: Path
    documents: tuple[Document, ...]
    """What stands in the files now."""

    @property
    def examples(self) -> int:
        """Scenarios."""
        return sum(map(len, self.documents))

    @property
    def statements(self) -> int:
        """Statements of scenarios."""
        return sum(len(scenario.steps) for document in self.documents for scenario in document)


@dataclass(frozen=True)
class System:
    """One of those that are compared."""

    name: str
    form: Form
    """How it wants the workload written."""
    command: Callable[[Work], list[str]]
    """Arguments for Python, run in the folder of the workload."""
    sees: Callable[[Work, str, str], bool]
    """Whether a run that ended well has done its work: workload, state, what the run said."""
    built: tuple[str, ...] = ()
    """What it leaves behind for the next run, below the workload."""
    pages: str = ""
    """Pattern of the pages it makes of documents, below the workload."""
    slow: bool = False
    """Whether it starts an interpreter for each file."""

    @property
    def states(self) -> tuple[str, ...]:
        """States it is timed in, one after the other."""
        return tuple(row.state for row in ROWS if row.system == self.name)

    @property
    def compares(self) -> bool:
        """Whether it compares output."""
        return any(row.compares for row in ROWS if row.system == self.name)


def place(system: System, documents: Sequence[Document], folder: Path) -> Work:
    """Workload written for a system, in an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    write(system.form(documents), folder)
    return Work(folder, tuple(documents))


def emptied(system: System, work: Work) -> None:
    """Remove what earlier runs have left behind, compiled modules included."""
    for name in system.built:
        shutil.rmtree(work.folder / name, ignore_errors=True)
    for cache in work.folder.rglob("__pycache__"):
        shutil.rmtree(cache)


def with_fault(system: System, documents: Sequence[Document]) -> list[Document]:
    """Documents whose very last statement is wrong: in its output, or by raising where outputs are not compared."""
    *before, last = documents
    wrong = faulty if system.compares else raising
    return [*before, (*last[:-1], wrong(last[-1]))]


# --- how it is seen that the work was done ---------------------------------------------------------


def _says(words: Callable[[Work], str], work: Work, _: str, said: str) -> bool:
    return re.search(rf"(?<!\d){re.escape(words(work))}", said) is not None


def _passed(count: Callable[[Work], int]) -> Callable[[Work, str, str], bool]:
    return partial(_says, lambda work: f"{count(work)} passed")


def _silent(_: Work, __: str, said: str) -> bool:
    """Doctest says nothing when all is well."""
    return said == ""


def _sphinx_counted(work: Work, _: str, __: str) -> bool:
    told = (work.folder / "_build/output.txt").read_text(encoding="utf-8")
    return f"{_prompts(work)} tests" in told and "0 failures in tests" in told


def _prompts(work: Work) -> int:
    """Statements with those that import."""
    return work.statements + 2 * len(work.documents)


GATE = {
    "cold": "executing {files} of {files} examples",
    "unchanged": "nothing to execute, {files} examples unchanged",
    "changed": "executing 1 of {files} examples",
}
"""What the gate, and the site where it is built, say of what they execute."""


def _gated(work: Work, state: str, said: str) -> bool:
    return GATE[state].format(files=len(work.documents)) in said and "no drift" in said


def _sited(work: Work, state: str, said: str) -> bool:
    told = {**GATE, "unchanged": SAID}
    return told[state].format(files=len(work.documents)) in said and _shown(
        "docs/_build/html/gallery/*/{}.html", work
    )


def _shown(pages: str, work: Work) -> bool:
    """Whether every page holds all that its scenarios print."""
    return all(_page_shows(work.folder, pages.format(forms.stem(i)), d) for i, d in enumerate(work.documents))


def _page_shows(folder: Path, pattern: str, document: Document) -> bool:
    pages = list(folder.glob(pattern))
    if len(pages) != 1:
        return False
    text = html.unescape(re.sub(r"<[^>]*>", "", pages[0].read_text(encoding="utf-8")))
    return all(line in text for scenario in document for line in forms.printed(scenario).splitlines())


def _galleried(work: Work, _: str, said: str) -> bool:
    del said
    return _shown("docs/_build/html/gallery/*/{}.html", work)


def _laid_out(work: Work, _: str, __: str) -> bool:
    return len(list(work.folder.glob("docs/_build/html/gallery/*/s*.html"))) == len(work.documents)


def _noted(work: Work, _: str, __: str) -> bool:
    return _shown("_build/html/{}.html", work)


# --- how they are run --------------------------------------------------------------------------------


def _pytest(*arguments: str) -> Callable[[Work], list[str]]:
    return lambda _: ["-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]


def _sphinx(builder: str, source: str, *options: str) -> Callable[[Work], list[str]]:
    output = f"{source}/_build/{builder}" if builder == "html" else f"{source}/_build"
    return lambda _: [
        "-m",
        "sphinx",
        "-b",
        builder,
        "-d",
        f"{source}/_build/doctrees",
        *options,
        source,
        output,
    ]


PARALLEL = ("--jobs", "auto")
"""As the site is built. myst-nb is not: several readers trip over each other where there is no cache yet."""
GALLERY_BUILT = ("docs/_build", "docs/gallery")
GALLERY_PAGES = "docs/_build/html/gallery/*/s*.html"

SYSTEMS = (
    System(
        "floor", forms.scripts, lambda _: ["-c", FLOOR], partial(_says, lambda w: f"{len(w.documents)} files")
    ),
    System("gate", forms.gate, lambda _: ["-m", "tensor_atlas.cli", "drift"], _gated, ("docs",)),
    System("doctest", forms.docstrings, lambda w: ["-m", "doctest", *_modules(w)], _silent),
    System("pytest", forms.docstrings, _pytest("--doctest-modules"), _passed(lambda work: work.examples)),
    System("sphinx-doctest", forms.sphinx_doctest, _sphinx("doctest", "."), _sphinx_counted, ("_build",)),
    System("sybil", forms.sybil, _pytest(), _passed(_prompts)),
    System(
        "pytest-examples",
        forms.pytest_examples,
        _pytest("-p", "pytest_examples"),
        _passed(lambda w: w.examples),
    ),
    System(
        "nbval",
        forms.notebooks,
        _pytest("-p", "nbval.plugin", "--nbval"),
        _passed(lambda work: work.examples + len(work.documents)),
        slow=True,
    ),
    System(
        "site",
        forms.site,
        lambda _: ["-m", "tensor_atlas.cli", "site"],
        _sited,
        GALLERY_BUILT,
        GALLERY_PAGES,
    ),
    System(
        "gallery", forms.gallery, _sphinx("html", "docs", *PARALLEL), _galleried, GALLERY_BUILT, GALLERY_PAGES
    ),
    System(
        "gallery-plain",
        partial(forms.gallery, execute=False),
        _sphinx("html", "docs", *PARALLEL),
        _laid_out,
        GALLERY_BUILT,
        GALLERY_PAGES,
    ),
    System(
        "myst-nb", forms.myst_nb, _sphinx("html", "."), _noted, ("_build",), "_build/html/s*.html", slow=True
    ),
)
"""All of them; the floor comes first."""


def _modules(work: Work) -> list[str]:
    return [f"{forms.stem(number)}.py" for number in range(len(work.documents))]


def named(name: str) -> System:
    """System of that name; ValueError names those there are."""
    for system in SYSTEMS:
        if system.name == name:
            return system
    raise ValueError(f"{name} is none of {', '.join(system.name for system in SYSTEMS)}")
