"""The chooser on a tiny project: its page without a script, the data for the script, and who loads them."""

from __future__ import annotations

import json
import re
import shutil
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from samples import CPU
from sphinx.testing.util import SphinxTestApp
from tiny_project import Tiny, html, tiny

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
PREFERENCES = """
[[preferences]]
of = "array"
to = "TENSOR"
call = "torch.from_numpy(x)"
source = "https://docs.pytorch.org/docs/stable/generated/torch.from_numpy.html"

[[preferences]]
of = "array"
to = "TENSOR"
call = "torch.tensor(x)"
evidence = "01_x/shares: array, copied"
source = "https://docs.pytorch.org/docs/stable/generated/torch.tensor.html"
"""
SILENT = "No conversion of the matrix has been recorded yet"


def project(root: Path, executed: Path, *environments: Environment) -> Tiny:
    """The tiny checkout with a chooser, whose cells these environments have tried."""
    made = tiny(root, executed)
    made.write("docs/index.rst", "Tiny\n====\n\n.. toctree::\n\n   gallery/index\n   choose\n")
    made.write("docs/choose.rst", "Choose\n======\n\n.. chooser::\n")
    made.write("docs/preferences.toml", PREFERENCES)
    made.write("docs/reference/calls.rst", ":orphan:\n\nSheet\n=====\n")
    record(made, *environments)
    return made


def record(made: Tiny, *environments: Environment) -> None:
    """Fold the cells into the committed records."""
    folder = made.root / "docs" / "records"
    found = store.read_records(folder)
    sources = {source.name: source for source in SOURCES}
    for environment in environments:
        tried = {
            c.name: {s: Tried(code_digests(c, sources[s]), cell) for s, cell in CELLS.get(c.name, {}).items()}
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


def data(app: SphinxTestApp, form: str = "") -> Path:
    """The file that the page's script reads, or that of the cells of a form."""
    return Path(app.outdir) / "_static" / f"atlas-matrix{form and '-'}{form}.js"


def read(app: SphinxTestApp, form: str = "") -> dict[str, Any]:
    """The data as the script has them."""
    text = data(app, form).read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text[text.index("{") : text.rindex("}") + 1])
    return document


def test_page_leads_to_the_cheat_sheet_without_a_script(built: tuple[Tiny, SphinxTestApp]) -> None:
    """And lets the script know which calls have a page."""
    page = html(built[1], "choose")
    assert "This form needs JavaScript" in page
    assert 'href="reference/calls.html"' in page
    assert 'src="_static/atlas-rows.js' in page


def test_preferences_are_written_with_what_proves_them(built: tuple[Tiny, SphinxTestApp]) -> None:
    """A cell by its number, an example with its answer and the address of the block."""
    first, second = read(built[1])["preferences"]
    names = [conversion[0] for conversion in read(built[1])["conversions"]]
    assert first["steps"] == [[names.index("torch-from-numpy-x"), -1]]
    assert first["shown"] is None
    assert second["steps"] == []
    assert second["shown"]["answer"] == ["COPIES", "copies"]
    assert second["shown"]["address"].startswith("gallery/01_x/shares.html#block-")


def test_message_that_looks_like_markup_is_text(built: tuple[Tiny, SphinxTestApp]) -> None:
    """What a call raised stands in the data as a string, and nowhere in the page as markup."""
    said = read(built[1], "sequence")["words"]
    # Whatever encoding a server claims.
    assert data(built[1], "sequence").read_text(encoding="utf-8").isascii()
    assert "TypeError: </script><script>alert(1)</script> **bold** `x`_" in said
    assert "alert(1)" not in html(built[1], "choose")


def test_cells_are_named_with_a_checksum(built: tuple[Tiny, SphinxTestApp]) -> None:
    """A browser that keeps older cells asks for the new ones, whose numbers mean something else."""
    name, _, checksum = read(built[1])["scripts"]["array"].partition("?v=")
    assert name == data(built[1], "array").name
    assert int(checksum, 16) == zlib.crc32(data(built[1], "array").read_bytes())


def test_records_come_and_go(tmp_path: Path, executed: Path) -> None:
    """A page that said there were none is made again with the first, and once more when they are removed."""
    made = project(tmp_path, executed)
    app = made.build()
    assert SILENT in html(app, "choose")
    assert "atlas-matrix.js" not in html(app, "choose")
    assert not data(app).exists()
    assert "choose.rst" not in app.warning.getvalue()
    record(made, CPU)
    assert SILENT not in html(made.build(), "choose")
    shutil.rmtree(made.root / "docs" / "records")
    assert SILENT in html(made.build(), "choose")


def test_wrong_preference_ends_the_build_with_its_line(tmp_path: Path, executed: Path) -> None:
    """Whoever wrote it is told where, and what is wrong; an example that does not exist as well."""
    made = project(tmp_path, executed, CPU)
    for wrong, finding in (
        ("torch.frob(x)", "no cell proves torch.frob(x)"),
        ("01_x/frob", "no example 01_x/frob"),
    ):
        right = "torch.from_numpy(x)" if "torch" in wrong else "01_x/shares"
        made.write("docs/preferences.toml", PREFERENCES.replace(right, wrong, 1))
        with pytest.raises(SystemExit) as caught:
            made.build()
        assert re.match(rf"docs/preferences.toml:\d+  {re.escape(finding)}", str(caught.value))
