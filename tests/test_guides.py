"""What pages ask of records and package."""

from __future__ import annotations

import importlib
import re
import tomllib
from types import ModuleType

from committed import evidence_on
from samples import ROOT

from tensor_atlas.compare.answers import Answer, read_answer


def test_proofs_that_ran_stand_before_those_that_did_not() -> None:
    """In each correction: a reader who looks at the first proof sees a run, if there is one."""
    entries = tomllib.loads((ROOT / "docs/corrections.toml").read_text(encoding="utf-8"))["corrections"]
    evidence = evidence_on(
        {proof.partition(":")[0].strip() for entry in entries for proof in entry["evidence"]}
    )
    for entry in entries:
        readings = [read_answer(evidence, proof, entry["title"]) for proof in entry["evidence"]]
        unknown = [reading.answer is Answer.UNKNOWN for reading in readings]
        assert unknown == sorted(unknown), entry["title"]


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
