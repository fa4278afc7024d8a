"""The Markdown beside each page of a tiny project, and the list of all pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from samples import CPU
from sphinx.testing.util import SphinxTestApp
from tiny_project import CONF, Tiny, tiny

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, code_digests, list_source_digests
from tensor_atlas.model.cells import Cell, Outcome, Proof
from tensor_atlas.records import store
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store
from tensor_atlas.site.build.markdown_files import INDEX, write_page

SITE = "https://example.org/atlas/"
SHARES = Cell(Outcome.SHARES, Proof.WRITE, "Tensor", "torch.float32", (3,), (4,), "cpu")
NAME = "torch-from-numpy-x"
(CONVERSION,) = (conversion for conversion in CONVERSIONS if conversion.name == NAME)
CODE = code_digests(CONVERSION, SOURCES[0])[0]
ROW = Row(NAME, {CPU.id: {"array-float32": SHARES}}, {CPU.id: "2026-01-02"}, CODE)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, executed: Path) -> Tiny:
    """A tiny checkout with rows of the matrix, on a site of its own address."""
    found = tiny(tmp_path_factory.mktemp("markdown"), executed)
    found.write("docs/conf.py", f"{CONF}\nhtml_static_path = []\nhtml_baseurl = {SITE!r}\n")
    found.write("docs/index.rst", "Tiny\n====\n\nAll of it.\n\n.. toctree::\n\n   gallery/index\n")
    found.write("docs/404.rst", ":orphan:\n\nGone\n====\n")
    sources = {"array-float32": list_source_digests()["array-float32"]}
    store.write_records(Store({CPU.id: CPU}, {}, {NAME: ROW}, sources), found.root / "docs" / "records")
    return found


@pytest.fixture(scope="module")
def built(made: Tiny) -> SphinxTestApp:
    """The same, built once."""
    return made.build()


def markdown(app: SphinxTestApp, page: str) -> str:
    """Markdown of a page."""
    return Path(app.outdir, f"{page}.md").read_text(encoding="utf-8")


def test_example_keeps_its_code_and_output(built: SphinxTestApp) -> None:
    """As captured, with the label that the page gives it; what an example prints is no markup."""
    text = markdown(built, "gallery/01_x/shares")
    assert text.startswith("# Shares\n")
    assert "```python\narray = np.zeros(2)\ntensor = torch.from_numpy(array)\n" in text
    assert "**Output**\n\n```text\n[5. 0.]\n```" in text
    assert "```text\n<script>alert(1)</script> **bold** `x`_\n```" in text
    assert "Measured after the block: `array` and `tensor` share memory" in text


def test_error_page_keeps_the_class_and_the_fix(built: SphinxTestApp) -> None:
    """Under its headings, in order."""
    text = markdown(built, "gallery/01_x/errors")
    parts = ("## The error", "**Error: RuntimeError**", "Can't call numpy()", "**Warning: UserWarning**")
    places = [text.index(part) for part in (*parts, "## The fix", "[1. 1.]")]
    assert places == sorted(places)


def test_every_page_has_its_markdown(built: SphinxTestApp) -> None:
    """At the same address; only a page for what is not there, and lists of words, have none."""
    pages = {path.with_suffix("") for path in Path(built.outdir).rglob("*.html")}
    texts = {path.with_suffix("") for path in Path(built.outdir).rglob("*.md")}
    assert {path.name for path in pages - texts} == {"404", "genindex", "search"}
    assert texts < pages
    assert markdown(built, "gallery/01_x/shares").endswith(f"Source: <{SITE}gallery/01_x/shares.html>\n")


def test_links_lead_to_markdown_that_exists(built: SphinxTestApp) -> None:
    """From one page to the other, without the address of the site."""
    count = 0
    for path in Path(built.outdir).rglob("*.md"):
        for link in re.findall(r"\]\(([^)#]+\.md)", path.read_text(encoding="utf-8")):
            assert (path.parent / link).is_file(), f"{path} links to {link}"
            count += 1
    assert count > 5


def test_list_names_every_page(built: SphinxTestApp) -> None:
    """With full addresses, and what each page says of itself."""
    text = Path(built.outdir, INDEX).read_text(encoding="utf-8")
    assert text.startswith("# Tiny\n\n> All of it.\n")
    assert f"- [Shares]({SITE}gallery/01_x/shares.md): Decide something.\n" in text
    listed = set(re.findall(rf"\]\({re.escape(SITE)}([^)]+)\.md\)", text))
    assert listed == built.env.found_docs - {"404"}


def test_build_of_one_page_writes_its_markdown_anew(made: Tiny, built: SphinxTestApp) -> None:
    """And removes that of a page that is gone; the rest keeps its date."""
    folder = Path(built.outdir)
    other = folder / "gallery" / "01_x" / "errors.md"
    date, before = other.stat().st_mtime_ns, markdown(built, "index")
    (folder / "gone.md").write_text("# Gone\n", encoding="utf-8")
    source = made.root / "docs" / "index.rst"
    text = source.read_text(encoding="utf-8")
    made.write("docs/index.rst", text.replace("All of it.", "Most of it."))
    app = made.build()
    assert "Most of it." in markdown(app, "index")
    assert "> Most of it." in (folder / INDEX).read_text(encoding="utf-8")
    assert other.stat().st_mtime_ns == date
    assert not (folder / "gone.md").exists()
    made.write("docs/index.rst", text)
    assert markdown(made.build(), "index") == before


def test_page_names_its_markdown_to_the_theme(built: SphinxTestApp) -> None:
    """A theme shows a link to it; the address is from the page."""
    contexts: list[dict[str, object]] = [{"body": "<p>x</p>"}, {"body": ""}, {}]
    for page, context in zip(("shown/new", "404", "search"), contexts, strict=True):
        write_page(built, page, context)
    assert [context.get("atlas_markdown") for context in contexts] == ["new.md", None, None]
