"""Writes the workload as each system wants it: scripts, docstrings, pages, Markdown, notebooks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from textwrap import indent

from benchmarks.workload import IMPORTS, Document, Scenario

Files = dict[str, str]
"""Texts by path, below the folder of the system."""

CHAPTER = 50
"""Scripts in one chapter of a gallery."""
PYTEST_INI = {"pytest.ini": "[pytest]\n"}
"""Keeps pytest from reading a configuration above the workload."""
SPHINX_CONF = """project = "Benchmark"
exclude_patterns = ["_build"]
html_theme = "pydata_sphinx_theme"
html_theme_options = {"navigation_depth": 2, "collapse_navigation": True}
"""
"""As the site has it: a page lists the pages of its own chapter, whatever the number of all."""
GALLERY_CONF = (
    SPHINX_CONF
    + """sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": FILENAMES,
    "plot_gallery": EXECUTES,
    "remove_config_comments": True,
    "write_computation_times": False,
    "download_all_examples": False,
}
"""
)
MYST_NB_CONF = """nb_execution_mode = "cache"
nb_execution_cache_path = "_build/cache"
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_merge_streams = True
"""
SYBIL_CONFTEST = """from sybil import Sybil
from sybil.parsers.rest import DocTestParser

pytest_collect_file = Sybil(parsers=[DocTestParser()], patterns=["*.rst"]).pytest()
"""
PYTEST_EXAMPLES = """import pytest
from pytest_examples import find_examples


@pytest.mark.parametrize("example", find_examples("pages"), ids=str)
def test_example(example, eval_example):
    eval_example.set_config(line_length=200)
    eval_example.run_print_check(example)
"""
MYST_HEAD = "---\nfile_format: mystnb\nkernelspec:\n  name: python3\n  display_name: Python 3\n---\n"


def stem(index: int) -> str:
    """Name of file ``index``, without its ending."""
    return f"s{index:04}"


def script_path(index: int) -> str:
    """Path of script ``index``."""
    return f"examples/{index // CHAPTER + 1:02}_part/{stem(index)}.py"


def write_scripts(documents: Sequence[Document], mark: str = "") -> Files:
    """Scripts and headers for sphinx-gallery; with a ``mark``, each statement is followed by its output."""
    files = {"examples/GALLERY_HEADER.rst": "Examples\n========\n"}
    for number, document in enumerate(documents):
        path = script_path(number)
        files[f"{path.rpartition('/')[0]}/GALLERY_HEADER.rst"] = "Part\n====\n"
        files[path] = _script(document, mark)
    return files


def _script(document: Document, mark: str) -> str:
    title = document[0].title
    head = f'"""\n{title}\n{"=" * len(title)}\n\nWhat a reader decides here.\n"""\n\n{IMPORTS}'
    blocks = [f"# %%\n# {each.title} is computed here.\n\n{_code(each, mark)}" for each in document]
    return "\n\n".join([head, *blocks]) + "\n"


def _code(scenario: Scenario, mark: str = "", *, indented: bool = False) -> str:
    """Statements of a scenario, each with its output behind a ``mark``, ``indented`` as its print is."""
    lines = []
    for step in scenario.steps:
        lines.append(step.code)
        if mark:
            blanks = "    " if indented and "\n" in step.code else ""
            lines += [f"{blanks}{mark}{line}" for line in step.output.splitlines()]
    return "\n".join(lines)


def write_gallery(documents: Sequence[Document], *, executes: bool = True) -> Files:
    """Documentation for sphinx-gallery, which executes the scripts or only shows them."""
    return {**write_scripts(documents), **_gallery_docs("/s", executes=executes)}


def write_checkout(documents: Sequence[Document]) -> Files:
    """A checkout of Tensor Atlas: scripts with claims, and documentation set up as ``write_gallery`` does."""
    docs = _gallery_docs("/plot_", "tensor_atlas.site", executes=True)
    return {**write_scripts(documents, "# => "), **docs, "pyproject.toml": ""}


def _gallery_docs(filenames: str, *extensions: str, executes: bool) -> Files:
    conf = GALLERY_CONF.replace("FILENAMES", repr(filenames)).replace("EXECUTES", repr(executes))
    text = f"extensions = {['sphinx_gallery.gen_gallery', *extensions]}\n{conf}"
    return {"docs/conf.py": text, "docs/index.rst": _index(["gallery/index"])}


def _index(pages: Iterable[str]) -> str:
    listed = "\n".join(f"   {page}" for page in pages)
    return f"Benchmark\n=========\n\n.. toctree::\n   :maxdepth: 1\n\n{listed}\n"


def write_docstrings(documents: Sequence[Document]) -> Files:
    """Modules with one function for each scenario, whose docstring holds a session."""
    files = dict(PYTEST_INI)
    for number, document in enumerate(documents):
        parts = [f'"""{document[0].title}."""\n\n{IMPORTS}']
        for which, scenario in enumerate(document):
            docstring = indent(f"{scenario.title}.\n\n{_session(scenario)}\n", "    ").lstrip()
            parts.append(f'def scenario_{which}():\n    r"""{docstring}    """')
        files[f"{stem(number)}.py"] = "\n\n\n".join(parts) + "\n"
    return files


def _session(scenario: Scenario) -> str:
    return "\n".join(_prompt(step.code, step.output) for step in scenario.steps)


def _prompt(code: str, output: str = "") -> str:
    """Code as it looks in an interactive session, with its output."""
    lines = [f"{'... ' if line.startswith((' ', 'except')) else '>>> '}{line}" for line in code.split("\n")]
    if code.startswith("try:"):
        lines.append("...")
    return "\n".join([*lines, *output.splitlines()])


def write_sessions(documents: Sequence[Document]) -> Files:
    """reStructuredText with a session for each scenario, for Sybil and for Sphinx's doctest builder."""
    files = {**PYTEST_INI, "conftest.py": SYBIL_CONFTEST}
    files["conf.py"] = f'extensions = ["sphinx.ext.doctest"]\n{SPHINX_CONF}'
    files["index.rst"] = _index(stem(number) for number in range(len(documents)))
    for number, document in enumerate(documents):
        sections = [f"{each.title}\n{'=' * len(each.title)}\n\n{_session(each)}" for each in document]
        title, underline, session = sections[0].split("\n", 2)
        sections[0] = f"{title}\n{underline}\n\n{_prompt(IMPORTS)}{session}"
        files[f"{stem(number)}.rst"] = "\n\n".join(sections) + "\n"
    return files


def write_markdown(documents: Sequence[Document]) -> Files:
    """Markdown for pytest-examples: each block stands alone, and comments hold what it prints."""
    files = {**PYTEST_INI, "test_pages.py": PYTEST_EXAMPLES}
    for number, document in enumerate(documents):
        blocks = []
        for scenario in document:
            code = f"{IMPORTS}\n\n{_code(scenario, '#> ', indented=True)}"
            blocks.append(f"# {scenario.title}\n\n```python\n{code}\n```\n")
        files[f"pages/{stem(number)}.md"] = "\n".join(blocks)
    return files


def write_notebooks(documents: Sequence[Document]) -> Files:
    """Notebooks with a cell for the imports and one for each scenario, and their saved outputs."""
    files = dict(PYTEST_INI)
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    for number, document in enumerate(documents):
        cells = [_code_cell(IMPORTS, [])]
        for scenario in document:
            cells.append({"cell_type": "markdown", "metadata": {}, "source": f"# {scenario.title}"})
            printed = {"output_type": "stream", "name": "stdout", "text": scenario.output}
            cells.append(_code_cell(_code(scenario), [printed]))
        notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 4}
        files[f"{stem(number)}.ipynb"] = json.dumps(notebook)
    return files


def _code_cell(source: str, outputs: list[dict[str, str]]) -> dict[str, object]:
    cell = {"cell_type": "code", "metadata": {}, "execution_count": 1}
    return {**cell, "source": source, "outputs": outputs}


def write_myst_notebooks(documents: Sequence[Document]) -> Files:
    """Text notebooks for myst-nb with jupyter-cache."""
    files = {"conf.py": f'extensions = ["myst_nb"]\n{SPHINX_CONF}{MYST_NB_CONF}'}
    files["index.rst"] = _index(stem(number) for number in range(len(documents)))
    for number, document in enumerate(documents):
        parts = [f"{MYST_HEAD}# {document[0].title}", _cell(IMPORTS), _cell(_code(document[0]))]
        for scenario in document[1:]:
            parts += [f"# {scenario.title}", _cell(_code(scenario))]
        files[f"{stem(number)}.md"] = "\n\n".join(parts) + "\n"
    return files


def _cell(code: str) -> str:
    return f"```{{code-cell}}\n{code}\n```"
