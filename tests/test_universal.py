"""Sentences that claim something of every case: which of them need a proof, and what proves one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import universal
from check_prose import Paragraph, check_proofs, read_example
from samples import ROOT

GRAMMAR = universal.read_grammar((ROOT / "tests/prose.toml").read_text(encoding="utf-8"))
EXAMPLE = '''"""
A title
=======

``from_numpy`` never copies.
"""

import torch

# %%
# ``as_tensor`` copies any list.

print(torch.as_tensor([4]))

# %%
# ``asarray`` copies any list, and ``tensor`` too.

for values in ([4], [8]):
    print(torch.asarray(values))
'''


def find_words(text: str, path: str = "docs/page.md", uses: Counter[str] | None = None) -> list[str]:
    """The universal words of a paragraph that nothing proves."""
    paragraph = Paragraph(path, 1, text, raw=text)
    return [each.words for each in universal.list_open(paragraph, uses or Counter(), GRAMMAR)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It makes a copy of any input.", "any"),
        ("A layer accepts only the dtype of its weights.", "only"),
        ("Targets must be floats.", "must"),
        ("NumPy's seed has no effect.", "no effect"),
        ("They read the files, except for `bfloat16`.", "except"),
        ("Without a device or a dtype, `to` returns the tensor itself.", "Without a device or a dtype, `"),
        ("They also work for dtypes that NumPy lacks.", "for dtypes that NumPy lacks"),
        ("Keep it, because `item` never copies.", "never"),
        ("Wait for it; the result is always right.", "always"),
        ("You may import a capsule as often as you like.", "as often as"),
        ("No release of NumPy has it.", "No release"),
    ],
)
def test_sentence_that_claims_something_of_a_class_needs_a_proof(text: str, words: str) -> None:
    """With or without a quantifier, and in the reason of an instruction."""
    assert find_words(text) == [words]


@pytest.mark.parametrize(
    "text",
    [
        "Install only one of them.",
        "Never mix the two.",
        "Does it copy any input?",
        "The message says “only arrays”.",
        "If any of them differs, the call raises.",
        "It is not always a copy.",
        "The array is read-only.",
        "Both share: {verdict}`` 01/a: x, y `` is the result for every release.",
    ],
)
def test_sentence_that_claims_nothing_or_asks_the_records_passes(text: str) -> None:
    """Instructions, questions, quotations, conditions, negations and answers of the records."""
    assert find_words(text) == []


def test_code_in_the_block_proves_what_it_runs() -> None:
    """One run shows that nothing is copied; a claim about any input takes three runs, or a loop."""
    assert find_words("`from_numpy` copies nothing.", uses=Counter(from_numpy=1)) == []
    assert find_words("`from_numpy` copies nothing.", uses=Counter(asarray=1)) == ["nothing"]
    assert find_words("`asarray` copies any input.", uses=Counter(asarray=2)) == ["any"]
    assert find_words("`asarray` copies any input.", uses=Counter(asarray=3)) == []
    assert find_words("Nothing stops `asarray`.", uses=Counter(asarray=2)) == ["Nothing"]


def test_name_of_the_sentence_before_counts_for_it() -> None:
    """A pronoun at the beginning stands for what was named last."""
    text = "`asarray` copies. It accepts any input. Any other call raises."
    assert find_words(text, uses=Counter(asarray=3)) == ["Any"]


def test_code_is_counted_in_its_own_block() -> None:
    """A loop runs a call more than once; the lead is about the whole page."""
    uses = universal.list_blocks(EXAMPLE)
    assert uses[5]["as_tensor"] == 1
    assert [uses[11][name] for name in ("as_tensor", "asarray")] == [1, 0]
    assert uses[16]["asarray"] == universal.REPEATED
    found = [
        sentence.words
        for paragraph in read_example("examples/x/y.py", EXAMPLE)
        for sentence in universal.list_open(paragraph, uses.get(paragraph.line, Counter()), GRAMMAR)
    ]
    assert found == ["never", "any"]


def test_pages_of_readers_are_read() -> None:
    """Pages of contributors and of the site's files claim nothing of a call."""
    read = ["examples/01/a.py", "docs/guides/a.md", "docs/choose.md", "docs/corrections.toml"]
    other = ["README.md", "docs/contributing/gate.md", "docs/reference/data.md", "docs/deviations.toml"]
    assert [path for path in read + other if universal.is_read(path)] == read


def write_page(root: Path, text: str) -> None:
    """A checkout with one page, one test and one example with a record."""
    for name, content in {
        "docs/page.md": text,
        "tests/test_x.py": "def test_it() -> None: ...\n",
        "examples/01/a.py": '"""a"""\n',
        "docs/records/01/a.json": '{"torch-2.13.0+cpu_numpy-2.4.6": ""}',
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, encoding="utf-8")


def find_rules(root: Path, proved: str) -> list[str]:
    """What is wrong with the proofs of a checkout."""
    return [f"{fault.rule}: {fault.sentence}" for fault in check_proofs(root, GRAMMAR, proved)]


def test_mark_proves_its_sentence(tmp_path: Path) -> None:
    """By a test or by an example; a sentence that changes loses its mark, and the mark its sentence."""
    write_page(tmp_path, "# Page\n\nIt copies any `input`.\n")
    assert find_rules(tmp_path, "") == ["no proof of: any: It copies any `input`."]
    mark = '[[proved]]\nby = "{}"\ntorch = ["2.13.0"]\nsentences = ["It copies any `input`."]\n'
    assert find_rules(tmp_path, mark.format("tests/test_x.py::test_it")) == []
    assert find_rules(tmp_path, mark.format("01/a")) == []
    write_page(tmp_path, "# Page\n\nIt copies any `output`.\n")
    assert find_rules(tmp_path, mark.format("01/a")) == [
        "mark of no sentence, by 01/a: It copies any `input`.",
        "no proof of: any: It copies any `output`.",
    ]


@pytest.mark.parametrize(
    ("by", "torch", "fault"),
    [
        ("tests/test_x.py::test_other", '"2.13.0"', "no such test"),
        ("tests/test_y.py::test_it", '"2.13.0"', "no such file of tests"),
        ("01/b", '"2.13.0"', "no such example, or none with a record"),
        ("01/a", '"2.6.0"', "has no run on torch 2.6.0"),
        ("01/a", "", "names no release"),
    ],
)
def test_proof_that_does_not_exist_is_a_fault(tmp_path: Path, by: str, torch: str, fault: str) -> None:
    """A test or an example that is gone, or a release that never ran it, proves nothing."""
    write_page(tmp_path, "# Page\n\nIt copies any input.\n")
    mark = f'[[proved]]\nby = "{by}"\ntorch = [{torch}]\nsentences = ["It copies any input."]\n'
    assert find_rules(tmp_path, mark) == [f"proof {by}: {fault}"]


def test_this_project_proves_what_it_claims() -> None:
    """The same as `nox -s lint` asks."""
    proved = (ROOT / "tests/proved.toml").read_text(encoding="utf-8")
    assert [str(fault) for fault in check_proofs(ROOT, GRAMMAR, proved)] == []
