"""Names that releases changed, on a tiny project: the page, the document, and a table with a slip in it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from samples import CPU, captured
from tiny_project import Tiny, html, tiny

from tensor_atlas.model.names import NameAnswer
from tensor_atlas.model.runs import Raised
from tensor_atlas.records import store

THERE = NameAnswer()
GONE = NameAnswer(error=Raised("AttributeError", "`np.{name}` was removed in the NumPy 2.0 release."))
TABLE = '[[names]]\nname = "numpy.in1d"\nwrite = "np.isin"\nnote = "It keeps `shape`."\n'


@pytest.fixture
def named(tmp_path: Path, executed: Path) -> Tiny:
    """A checkout whose records hold a name that NumPy 2.4 does not have."""
    made = tiny(tmp_path, executed)
    records = made.root / "docs" / "records"
    for numpy, answer in (("2.0.2", THERE), ("2.4.6", GONE)):
        environment = replace(CPU, numpy=numpy)
        capture = replace(captured(environment=environment), names={"numpy": {"in1d": answer, "abs": THERE}})
        store.write_records(store.add_capture(store.read_records(records), capture), records)
    made.write("docs/index.rst", "Tiny\n====\n\n.. toctree::\n\n   gallery/index\n   reference/names\n")
    made.write("docs/reference/names.rst", "Names\n=====\n\nWhat went.\n\n.. names::\n")
    made.write("docs/names.toml", TABLE)
    return made


def test_page_says_when_a_name_went_and_what_to_write(named: Tiny) -> None:
    """With the releases that were asked; between two that are no neighbours no other is named."""
    page = html(named.build(), "reference/names")
    text = " ".join(re.sub(r"<[^>]+>", "", page).split())
    assert "Asked: NumPy 2.0 and 2.4." in text
    assert "Between NumPy 2.0 and 2.4" in text
    assert "NumPy 2.1" not in text
    assert "np.in1d: write np.isin. It keeps shape." in text
    assert "“`np.in1d` was removed in the NumPy 2.0 release.”" in text
    assert page.count('id="numpy.in1d"') == 1


def test_document_and_facts_lie_beside_the_pages(named: Tiny) -> None:
    """For programs, and for the search box."""
    folder = Path(named.build().outdir)
    data = json.loads((folder / "names.json").read_text("utf-8"))
    assert [one["name"] for one in data["releases"][0]["removed"]] == ["numpy.in1d"]
    assert (folder / data["$schema"]).is_file()
    assert "np.isin" in (folder / "_static" / "atlas-name-facts.js").read_text("utf-8")


def test_wrong_name_in_the_table_ends_the_build(named: Tiny) -> None:
    """With its file and line."""
    named.write("docs/names.toml", TABLE.replace("in1d", "inld"))
    with pytest.raises(SystemExit, match=r"docs/names\.toml:1  no recorded release has numpy\.inld"):
        named.build()
