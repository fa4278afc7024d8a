"""What the cells of guides read off the committed records."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from samples import ROOT

from tensor_atlas.compare.answers import Answer, read_answer
from tensor_atlas.errors import AtlasError
from tensor_atlas.guides import answers, load_evidence, read_measurement

QUESTION = "01_numpy_to_tensor/from_numpy: array, tensor"
RAISES = "13_errors/numpy_requires_grad: `weights.numpy()`"


@pytest.fixture(autouse=True)
def in_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guides are executed in their own folder."""
    monkeypatch.chdir(ROOT / "docs" / "guides")


def test_answers_are_read_from_the_records() -> None:
    """As text, each call with its answer and where it was recorded."""
    lines = repr(answers({"torch.from_numpy(array)": QUESTION, "weights.numpy()": RAISES})).split("\n")
    assert lines[0].startswith("torch.from_numpy(array)  shares memory  (torch ")
    assert lines[1].startswith("weights.numpy()          raises RuntimeError  (torch ")


def test_proofs_that_ran_stand_before_those_that_did_not() -> None:
    """In each correction: a reader who looks at the first proof sees a run, if there is one."""
    entries = tomllib.loads((ROOT / "docs/corrections.toml").read_text(encoding="utf-8"))["corrections"]
    evidence = load_evidence({proof.partition(":")[0] for entry in entries for proof in entry["evidence"]})
    for entry in entries:
        proofs = [read_answer(evidence, proof, entry["title"]) for proof in entry["evidence"]]
        unknown = [proof.answer is Answer.UNKNOWN for proof in proofs]
        assert unknown == sorted(unknown), entry["title"]


def test_table_asks_the_page_for_the_answer() -> None:
    """On the site each answer is a role: it links to its proof and follows the reader's environment."""
    table = answers({"weights.numpy()": RAISES})._repr_markdown_()
    assert table.split("\n")[2:] == [f"| `weights.numpy()` | {{verdict}}`` {RAISES} `` |"]


def test_question_that_no_example_answers_is_refused() -> None:
    """With the call it belongs to."""
    with pytest.raises(AtlasError, match="no example 99_x/none"):
        answers({"call()": "99_x/none: a, b"})


def test_committed_measurement_names_its_environment() -> None:
    """That of a GPU is None until a GPU builder has made one."""
    found = read_measurement()
    assert found is not None
    assert found["environment"]["torch"]
    assert read_measurement("none yet") is None


def test_outside_a_checkout_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to read there."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AtlasError, match="not inside a checkout"):
        answers({"call()": QUESTION})


def test_nothing_is_read_that_nobody_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each guide asks in a process of its own; reading all records there took most of the time of a build."""
    read: list[Path] = []
    whole = Path.open

    def watched(path: Path, *args: Any, **kwargs: Any) -> object:
        read.append(path)
        return whole(path, *args, **kwargs)

    monkeypatch.setattr(Path, "open", watched)
    answers({"weights.numpy()": RAISES})
    assert sorted(path.name for path in read) == [
        *["environments.json"] * 2,  # once for what it holds, once for its seal
        *["numpy_requires_grad.json"] * 2,
        "numpy_requires_grad.py",
        *["shipped.json"] * 2,
    ]


def test_names_that_pages_use_exist() -> None:
    """Cells of guides are executed only when the site is built: a rename must not wait for that."""
    lines = re.compile(r"^from (tensor_atlas[\w.]*) import (.+)$", re.MULTILINE)
    found = 0
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        for match in lines.finditer(text):
            for name in match[2].split(", "):
                module = importlib.import_module(match[1])
                if not hasattr(module, name):
                    importlib.import_module(f"{match[1]}.{name}")
                if isinstance(getattr(module, name), ModuleType):
                    used = set(re.findall(rf"\b{name}\.(\w+)", text))
                    assert [
                        word for word in sorted(used) if not hasattr(getattr(module, name), word)
                    ] == [], page
                found += 1
    assert found
