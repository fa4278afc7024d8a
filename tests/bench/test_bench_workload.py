"""The workload of the benchmark, and each system's form of it."""

from __future__ import annotations

import ast
import doctest
import json
import re
from collections.abc import Sequence

import pytest

from tensor_atlas.bench import forms
from tensor_atlas.bench.workload import (
    IMPORTS,
    Document,
    Scenario,
    Step,
    answered,
    documents,
    drafted,
    faulty,
    raising,
)
from tensor_atlas.examples.parse import parse_example

SCENARIOS = [
    Scenario("Scenario 0", (Step("a = 1"), Step("print(a)", "1"), Step("print('x\\ny')", "x\ny"))),
    Scenario(
        "Scenario 1", (Step("try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    print(error)", "no"),)
    ),
    Scenario("Scenario 2", (Step("b = 2"), Step("print(b)", "2"))),
]
"""Some that need no torch; the second is said to print what it does not."""


def two_a_file() -> list[Document]:
    """The scenarios in two files."""
    return documents(SCENARIOS, 2)


def steps(some: Sequence[Scenario]) -> list[tuple[str, str]]:
    """Statements and outputs, in order."""
    return [(step.code, step.output) for scenario in some for step in scenario.steps]


def test_scenarios_have_four_to_six_statements_and_one_in_four_an_error() -> None:
    """Whatever their number."""
    made = [drafted(number) for number in range(2000)]
    assert {len(scenario.steps) for scenario in made} == {4, 5, 6}
    raising_ = [
        number for number, s in enumerate(made) if any(step.code.startswith("try:") for step in s.steps)
    ]
    assert raising_ == list(range(3, 2000, 4))
    assert len({tuple(steps([scenario])) for scenario in made}) == 2000, "no two are the same"


def test_another_variant_computes_with_other_numbers() -> None:
    """So it must be executed again."""
    for number in range(12):
        assert steps([drafted(number)]) != steps([drafted(number, 1)])
        assert len(drafted(number).steps) == len(drafted(number, 1).steps)


def test_answers_are_what_plain_python_prints() -> None:
    """Each statement's own, and the message of each error."""
    found = answered([drafted(number) for number in range(12)])
    for scenario in found:
        for step in scenario.steps:
            assert bool(step.output) == ("print(" in step.code), step
    first = found[0].steps
    assert first[-2:] == (
        Step("print(array.tolist())", "[0.0, 2.0, 3.0, 4.0]"),
        Step("print(tensor.dtype)", "torch.float64"),
    )
    messages = {step.output for s in found for step in s.steps if step.code.startswith("try:")}
    assert any("Can't call numpy()" in message for message in messages)


def test_claims_of_the_atlas_are_the_answers() -> None:
    """Line by line, and nothing else is claimed."""
    for index, document in enumerate(two_a_file()):
        read = parse_example(forms.gate(two_a_file())[forms.script_path(index)], forms.script_path(index))
        assert len(read.blocks) == len(document) + 1, "the imports have a block of their own"
        claimed = [(s.code, "\n".join(s.claim.lines) if s.claim else "") for s in read.statements]
        assert claimed == [*((line, "") for line in IMPORTS.split("\n")), *steps(document)]


def test_script_of_the_gallery_is_that_of_the_atlas_without_claims() -> None:
    """The floor, sphinx-gallery and the atlas execute the same."""
    plain, claimed = forms.scripts(two_a_file()), forms.gate(two_a_file())
    for path, text in plain.items():
        assert re.sub("# => .*\n", "", claimed[path]) == text


@pytest.mark.parametrize("form", [forms.docstrings, forms.sphinx_doctest, forms.sybil])
def test_sessions_hold_every_statement_with_its_output(form: forms.Form) -> None:
    """As the standard library reads them."""
    pages = [text for path, text in sorted(form(two_a_file()).items()) if re.search(r"s\d{4}\.", path)]
    if form is forms.docstrings:
        functions = [
            node for text in pages for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)
        ]
        pages = [str(ast.get_docstring(function)) for function in functions]
    found = [e for text in pages for e in doctest.DocTestParser().get_examples(text)]
    read = [(e.source.removesuffix("\n"), e.want.removesuffix("\n")) for e in found]
    assert [pair for pair in read if pair[0] not in IMPORTS.split("\n")] == steps(SCENARIOS)


def test_notebooks_hold_a_cell_for_each_scenario_with_its_outputs() -> None:
    """Beside one for the imports."""
    texts = [text for path, text in forms.notebooks(two_a_file()).items() if path.endswith(".ipynb")]
    cells = [[c for c in json.loads(text)["cells"] if c["cell_type"] == "code"] for text in texts]
    assert [len(of_one) for of_one in cells] == [3, 2]
    printed = ["".join(output["text"] for output in cell["outputs"]) for of_one in cells for cell in of_one]
    assert printed == ["", "1\nx\ny\n", "no\n", "", "2\n"]


@pytest.mark.parametrize(
    ("form", "fence"), [(forms.pytest_examples, "python"), (forms.myst_nb, "{code-cell}")]
)
def test_markdown_holds_every_statement(form: forms.Form, fence: str) -> None:
    """In a block of code for each scenario; what is printed stands there only where it is compared."""
    blocks = re.findall(rf"```{re.escape(fence)}\n(.*?)```", "".join(form(two_a_file()).values()), re.DOTALL)
    text = "\n".join(blocks)
    assert all(code in text for code, _ in steps(SCENARIOS))
    assert re.findall("#> (.*)", text) == (
        ["1", "x", "y", "no", "2"] if form is forms.pytest_examples else []
    )


def test_faults_are_planted_in_the_last_statement() -> None:
    """Where a system that gives up early would not see them."""
    (wrong,) = faulty(SCENARIOS[0]).steps[-1:]
    assert (wrong.code, wrong.output) == ("print('x\\ny')", "not x\ny")
    *before, added = raising(SCENARIOS[0]).steps
    assert tuple(before) == SCENARIOS[0].steps
    assert added.output == ""
