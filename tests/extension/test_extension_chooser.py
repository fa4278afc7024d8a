"""The chooser on a tiny project: its page without a script, the data for the script, and who loads them."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from samples import CPU
from sphinx.testing.util import SphinxTestApp
from tiny_project import CONF, SHARES, Tiny, example, html

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, code_digests
from tensor_atlas.model.capture import Capture
from tensor_atlas.model.cells import Cell, Outcome, Proof, Tried
from tensor_atlas.model.runs import Environment, Raised
from tensor_atlas.records import store

SHARED = Cell(Outcome.SHARES, Proof.WRITE, "Tensor", "torch.float32", (3,), (4,), "cpu", requires_grad=False)
COPIED = replace(SHARED, outcome=Outcome.COPIES)
MARKUP = Cell(Outcome.RAISES, error=Raised("TypeError", "</script><script>alert(1)</script> **bold** `x`_"))
CELLS = {
    "torch-from-numpy-x": {"array-float32": SHARED, "sequence-floats": MARKUP},
    "torch-tensor-x": {"array-float32": COPIED, "sequence-floats": COPIED},
}
QUESTIONS = """
[[questions]]
have = "array-float32"
want = "TENSOR"
memory = "SHARE"

[[questions]]
have = "array-float32"
want = "TENSOR"
element = "torch.int8"

[[questions]]
have = "tensor-cuda"
want = "ARRAY"
"""
SILENT = "No conversion of the matrix has been recorded yet"


def project(root: Path, executed: Path, *environments: Environment) -> Tiny:
    """A checkout with one example and a chooser, whose cells these environments have tried."""
    made = Tiny(root)
    made.take(executed)
    made.write("pyproject.toml", "")
    made.write("examples/GALLERY_HEADER.rst", "Examples\n========\n")
    made.write("examples/01_x/GALLERY_HEADER.rst", "Chapter\n=======\n")
    made.write("examples/01_x/shares.py", example("Shares", SHARES))
    made.write("docs/conf.py", CONF)
    made.write("docs/index.rst", "Tiny\n====\n\n.. toctree::\n\n   gallery/index\n   choose\n")
    made.write("docs/choose.rst", "Choose\n======\n\n.. chooser::\n")
    made.write("docs/questions.toml", QUESTIONS)
    record(made, *environments)
    return made


def record(made: Tiny, *environments: Environment, **others: dict[str, Cell]) -> None:
    """Fold the cells into the committed records."""
    folder = made.root / "docs" / "records"
    found = store.read_records(folder)
    sources = {source.name: source for source in SOURCES}
    for environment in environments:
        tried = {
            c.name: {
                s: Tried(code_digests(c, sources[s]), cell)
                for s, cell in {**CELLS, **others}.get(c.name, {}).items()
            }
            for c in CONVERSIONS
        }
        found = store.add_capture(found, Capture(environment, (), {}, cells=tried))
    if environments:
        store.write_records(found, folder)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, executed: Path) -> tuple[Tiny, SphinxTestApp]:
    """A checkout with recorded cells, built once."""
    made = project(tmp_path_factory.mktemp("tiny"), executed, CPU)
    return made, made.build()


def data(app: SphinxTestApp) -> Path:
    """The file that the page's script reads."""
    return Path(app.outdir) / "_static" / "atlas-matrix.js"


def rows(page: str) -> list[list[str]]:
    """Texts of the table of common questions, by row."""
    body = page[page.index("<tbody>") : page.index("</tbody>")]
    texts = [re.findall(r"<td>(.*?)</td>", row, re.DOTALL) for row in body.split("</tr>")[:-1]]
    return [[" ".join(re.sub(r"<[^>]*>", " ", cell).split()) for cell in row] for row in texts]


def test_common_questions_are_answered_without_a_script(built: tuple[Tiny, SphinxTestApp]) -> None:
    """The best call, what was captured, and that no call does it or none was tried where that is so."""
    assert rows(html(built[1], "choose")) == [
        ["float32 array", "a tensor, share memory", "torch.from_numpy(x)", "= shares memory torch.float32"],
        ["float32 array", "a tensor, torch.int8", "–", "no call does it"],
        ["CUDA tensor", "an array", "–", "not tried here"],
    ]


def test_question_links_to_its_own_answer(built: tuple[Tiny, SphinxTestApp]) -> None:
    """With a script the whole list, and the call's page at the source that was asked about."""
    page = html(built[1], "choose")
    assert 'href="#have=array-float32&amp;want=TENSOR&amp;memory=SHARE"' in page
    assert 'href="matrix/conversion/torch-from-numpy-x.html#array-float32"' in page
    assert 'data-page="matrix/conversion/NAME.html"' in page


def test_page_says_what_it_rests_on(built: tuple[Tiny, SphinxTestApp]) -> None:
    """The environment that the table was read off."""
    assert "Captured with torch 2.13.0+cpu, NumPy 2.4.6" in html(built[1], "choose")


def test_only_the_chooser_loads_the_data(built: tuple[Tiny, SphinxTestApp]) -> None:
    """They are hundreds of kilobytes, which no other page has a use for."""
    assert "atlas-matrix.js" in html(built[1], "choose")
    assert "atlas-chooser.js" in html(built[1], "choose")
    assert "atlas-matrix.js" not in html(built[1], "index")
    assert "atlas-matrix.js" not in html(built[1], "gallery/01_x/shares")


def test_message_that_looks_like_markup_is_text(built: tuple[Tiny, SphinxTestApp]) -> None:
    """What a call raised stands in the data as a string, and nowhere in the page as markup."""
    text = data(built[1]).read_text(encoding="utf-8")
    assert text.isascii()  # whatever encoding a server claims
    document = json.loads(text[text.index("{") : text.rindex("}") + 1])
    assert "TypeError: </script><script>alert(1)</script> **bold** `x`_" in document["words"]
    assert "alert(1)" not in html(built[1], "choose")


def test_new_record_makes_page_and_data_again(tmp_path: Path, executed: Path) -> None:
    """And a build with nothing new writes neither."""
    made = project(tmp_path, executed, CPU)
    first = made.build()
    there = Path(first.doctreedir) / "atlas-static" / "atlas-matrix.js"
    written, pickled = (
        there.stat().st_mtime_ns,
        (Path(first.doctreedir) / "choose.doctree").stat().st_mtime_ns,
    )
    second = made.build()
    assert there.stat().st_mtime_ns == written
    assert (Path(second.doctreedir) / "choose.doctree").stat().st_mtime_ns == pickled
    newer = replace(CPU, torch="2.14.0+cpu", date="2026-05-05")
    record(made, newer, **{"torch-from-numpy-x": {"array-float32": COPIED}})
    third = made.build()
    assert newer.id in data(third).read_text(encoding="utf-8")
    assert rows(html(third, "choose"))[0][2:] == ["–", "no call does it"]


def test_records_come_and_go(tmp_path: Path, executed: Path) -> None:
    """A page that said there were none is made again with the first, and once more when they are removed."""
    made = project(tmp_path, executed)
    app = made.build()
    assert SILENT in html(app, "choose")
    assert "atlas-matrix.js" not in html(app, "choose")
    assert not data(app).exists()
    assert "choose.rst" not in app.warning.getvalue()
    record(made, CPU)
    assert rows(html(made.build(), "choose"))[0][2] == "torch.from_numpy(x)"
    shutil.rmtree(made.root / "docs" / "records")
    assert SILENT in html(made.build(), "choose")


@pytest.mark.parametrize(
    ("entry", "finding"),
    [
        ('have = "array-float31"\nwant = "TENSOR"', "no source array-float31"),
        ('have = "array-float32"\nwant = "ARRAY"', "an array is not made of array sources"),
        ('have = "array-float32"\nwant = "TENSORS"', "want 'TENSORS' is unknown"),
        ('have = "array-float32"\nmemory = "SHARED"', "memory 'SHARED' is unknown"),
        ('want = "TENSOR"', "no have"),
    ],
)
def test_wrong_question_ends_the_build_with_its_line(
    tmp_path: Path, executed: Path, entry: str, finding: str
) -> None:
    """Whoever wrote it is told where, and what is wrong."""
    made = project(tmp_path, executed, CPU)
    made.write("docs/questions.toml", f"\n[[questions]]\n{entry}\n")
    app = made.app()
    with pytest.raises(SystemExit):
        app.build()
    assert f"docs/questions.toml:2  {finding}" in app.warning.getvalue()
