"""The workload in the native form of each system: scenarios → texts by path, with their expectations; pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from tensor_atlas.bench.workload import IMPORTS, Document, Scenario, Step

Files: TypeAlias = "dict[str, str]"
Form: TypeAlias = "Callable[[Sequence[Document]], Files]"
"""Writes documents as one system wants them."""

CHAPTER = 50
"""Files in one folder of scripts: a gallery is read by chapters."""

INI = "[pytest]\n"
"""Configuration that keeps pytest from looking for one above the workload."""

CONF = """project = "Benchmark"
extensions = {extensions}
html_theme = "pydata_sphinx_theme"
html_theme_options = {{"navigation_depth": 2, "collapse_navigation": True}}
"""
"""As the site has it: a page lists the pages of its own chapter, so that none grows with the number of all."""

GALLERY = (
    CONF
    + """exclude_patterns = ["_build"]
sphinx_gallery_conf = {{
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": "{pattern}",
    "plot_gallery": {plot},
    "remove_config_comments": True,
    "write_computation_times": False,
    "download_all_examples": False,
}}
"""
)


def stem(index: int) -> str:
    """Name of file ``index``, without its ending."""
    return f"s{index:04}"


def script_path(index: int) -> str:
    """Path of script ``index`` below the workload."""
    return f"examples/{index // CHAPTER + 1:02}_part/{stem(index)}.py"


# --- scripts: the floor, sphinx-gallery, and the atlas -------------------------------------------


def script(document: Document, mark: str = "") -> str:
    """Example as sphinx-gallery wants it; with a ``mark``, each statement is followed by what it prints."""
    title = document[0].title
    blocks = [
        f"# %%\n# {scenario.title} is computed here.\n\n{_code(scenario, mark)}" for scenario in document
    ]
    head = f'"""\n{title}\n{"=" * len(title)}\n\nWhat a reader decides here.\n"""\n\n{IMPORTS}'
    return "\n\n".join([head, *blocks]) + "\n"


def _code(scenario: Scenario, mark: str, *, indented: bool = False) -> str:
    """Statements of a scenario, each followed by its output behind ``mark``, as deep as it is printed if asked for."""
    if not mark:
        return "\n".join(step.code for step in scenario.steps)
    return "\n".join(line for step in scenario.steps for line in (step.code, *_marked(step, mark, indented)))


def _marked(step: Step, mark: str, indented: bool) -> Iterable[str]:
    deep = "    " if indented and "\n" in step.code else ""
    return (f"{deep}{mark}{line}" for line in step.output.splitlines())


def scripts(documents: Sequence[Document], mark: str = "") -> Files:
    """Scripts in chapters, with the headers that sphinx-gallery wants."""
    files = {script_path(index): script(document, mark) for index, document in enumerate(documents)}
    chapters = {path.rpartition("/")[0] for path in files}
    headers = {f"{chapter}/GALLERY_HEADER.rst": "Part\n====\n" for chapter in chapters}
    return {"examples/GALLERY_HEADER.rst": "Examples\n========\n", **headers, **files}


def gallery(documents: Sequence[Document], *, execute: bool = True) -> Files:
    """sphinx-gallery, with or without execution."""
    conf = GALLERY.format(extensions=["sphinx_gallery.gen_gallery"], pattern="/s", plot=execute)
    return {**scripts(documents), "docs/conf.py": conf, "docs/index.rst": index(["gallery/index"])}


def gate(documents: Sequence[Document]) -> Files:
    """A checkout of the atlas."""
    return {**scripts(documents, "# => "), "pyproject.toml": ""}


def site(documents: Sequence[Document]) -> Files:
    """A checkout of the atlas with its documentation, set up as ``gallery`` is."""
    extensions = ["sphinx_gallery.gen_gallery", "tensor_atlas.site"]
    conf = GALLERY.format(extensions=extensions, pattern="/plot_", plot=True)
    return {**gate(documents), "docs/conf.py": conf, "docs/index.rst": index(["gallery/index"])}


def index(pages: Iterable[str]) -> str:
    """First page of a documentation."""
    listed = "\n".join(f"   {page}" for page in pages)
    return f"Benchmark\n=========\n\n.. toctree::\n   :maxdepth: 1\n\n{listed}\n"


# --- doctest: the module of the standard library, pytest, Sphinx, Sybil ---------------------------


def prompts(code: str, output: str = "") -> str:
    """Code as it looks in an interactive session, with what it prints."""
    lines = [f"{'... ' if line.startswith((' ', 'except')) else '>>> '}{line}" for line in code.split("\n")]
    if code.startswith("try:"):
        lines.append("...")
    return "\n".join([*lines, *output.splitlines()])


def _session(scenario: Scenario) -> str:
    return "\n".join(prompts(step.code, step.output) for step in scenario.steps)


def _deeper(text: str, blanks: int) -> str:
    return "\n".join(f"{' ' * blanks}{line}".rstrip() for line in text.split("\n"))


def docstrings(documents: Sequence[Document]) -> Files:
    """Modules whose functions have a scenario each in their docstring."""
    files = {}
    for number, document in enumerate(documents):
        functions = [
            f'def scenario_{which}():\n    r"""{scenario.title}.\n\n{_deeper(_session(scenario), 4)}\n    """'
            for which, scenario in enumerate(document)
        ]
        files[f"{stem(number)}.py"] = (
            "\n\n\n".join([f'"""{document[0].title}."""\n\n{IMPORTS}', *functions]) + "\n"
        )
    return {"pytest.ini": INI, **files}


def _page(document: Document) -> str:
    """reStructuredText with a session for each scenario."""
    parts = [
        f"{scenario.title}\n{'=' * len(scenario.title)}\n\n{{}}{_session(scenario)}" for scenario in document
    ]
    first = f"{prompts(IMPORTS)}\n"
    return "\n\n".join(part.format(first if not number else "") for number, part in enumerate(parts)) + "\n"


def sphinx_doctest(documents: Sequence[Document]) -> Files:
    """Pages for Sphinx's doctest builder."""
    pages = {f"{stem(number)}.rst": _page(document) for number, document in enumerate(documents)}
    conf = CONF.format(extensions=["sphinx.ext.doctest"])
    return {"conf.py": conf, "index.rst": index(stem(number) for number in range(len(documents))), **pages}


SYBIL = """from sybil import Sybil
from sybil.parsers.rest import DocTestParser

pytest_collect_file = Sybil(parsers=[DocTestParser()], patterns=["*.rst"]).pytest()
"""


def sybil(documents: Sequence[Document]) -> Files:
    """Pages for Sybil, under pytest."""
    pages = {f"{stem(number)}.rst": _page(document) for number, document in enumerate(documents)}
    return {"pytest.ini": INI, "conftest.py": SYBIL, **pages}


# --- Markdown and notebooks -----------------------------------------------------------------------

PYTEST_EXAMPLES = """import pytest
from pytest_examples import find_examples


@pytest.mark.parametrize("example", find_examples("pages"), ids=str)
def test_example(example, eval_example):
    eval_example.set_config(line_length=200)
    eval_example.run_print_check(example)
"""


def pytest_examples(documents: Sequence[Document]) -> Files:
    """Markdown with blocks of Python, whose prints are followed by comments. Each block stands alone."""
    pages = {}
    for number, document in enumerate(documents):
        blocks = [
            f"# {scenario.title}\n\n```python\n{IMPORTS}\n\n{_code(scenario, '#> ', indented=True)}\n```"
            for scenario in document
        ]
        pages[f"pages/{stem(number)}.md"] = "\n\n".join(blocks) + "\n"
    return {"pytest.ini": INI, "test_pages.py": PYTEST_EXAMPLES, **pages}


def notebooks(documents: Sequence[Document]) -> Files:
    """Notebooks with a cell for the imports and one for each scenario, and the outputs they were saved with."""
    files = {
        f"{stem(number)}.ipynb": json.dumps(_notebook(document)) for number, document in enumerate(documents)
    }
    return {"pytest.ini": INI, **files}


def _notebook(document: Document) -> dict[str, object]:
    cells = [_cell(0, IMPORTS, "")]
    for number, scenario in enumerate(document, 1):
        text = f"# {scenario.title}"
        cells.append({"cell_type": "markdown", "id": f"text{number}", "metadata": {}, "source": text})
        cells.append(_cell(number, _code(scenario, ""), printed(scenario)))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _cell(number: int, code: str, output: str) -> dict[str, object]:
    outputs = [{"output_type": "stream", "name": "stdout", "text": output}] if output else []
    named = {"cell_type": "code", "id": f"code{number}", "metadata": {}, "execution_count": number + 1}
    return {**named, "source": code, "outputs": outputs}


def printed(scenario: Scenario) -> str:
    """All that a scenario prints."""
    return "".join(f"{step.output}\n" for step in scenario.steps if step.output)


MYST_NB = (
    CONF
    + """exclude_patterns = ["_build"]
nb_execution_mode = "cache"
nb_execution_cache_path = "_build/cache"
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_merge_streams = True
"""
)


def myst_nb(documents: Sequence[Document]) -> Files:
    """Text notebooks for myst-nb with jupyter-cache."""
    head = "---\nfile_format: mystnb\nkernelspec:\n  name: python3\n  display_name: Python 3\n---\n"
    pages = {}
    for number, document in enumerate(documents):
        cells = [f"# {s.title}\n\n```{{code-cell}}\n{_code(s, '')}\n```" for s in document]
        first, *others = cells
        imports = f"```{{code-cell}}\n{IMPORTS}\n```"
        title, _, body = first.partition("\n\n")
        pages[f"{stem(number)}.md"] = "\n\n".join([f"{head}{title}", imports, body, *others]) + "\n"
    conf = MYST_NB.format(extensions=["myst_nb"])
    return {"conf.py": conf, "index.rst": index(stem(number) for number in range(len(documents))), **pages}
