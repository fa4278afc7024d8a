"""Downloads: each example as a script, as a notebook with its output; the data export."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

from tensor_atlas.compare import export
from tensor_atlas.compare.evidence import ExampleEvidence, Origin
from tensor_atlas.examples.fixes import is_error_page
from tensor_atlas.files import replace_if_changed
from tensor_atlas.site.execution import GALLERY, evidence_of, example_of_page
from tensor_atlas.site.nodes import build_element, index_below_lead
from tensor_atlas.site.notebook_files import render_notebook

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_THEIRS = {"sphx-glr-footer", "sphx-glr-download-link-note"}
"""Classes of what sphinx-gallery offers, and of its note at the top that leads there."""
_COLAB = "https://colab.research.google.com/github/"
_GITHUB = "https://github.com/"


def replace_offers(app: Sphinx, doctree: nodes.document) -> None:
    """Handler of ``doctree-read``, before Sphinx collects downloads: ours in place of sphinx-gallery's."""
    docname = app.env.current_document.docname
    shown = example_of_page(app, docname)
    if shown is None:
        return
    for theirs in [node for node in doctree.findall(nodes.Element) if _THEIRS & set(node["classes"])]:
        assert theirs.parent is not None
        theirs.parent.remove(theirs)
    title = next(iter(doctree.findall(nodes.title)))
    assert title.parent is not None
    # The top of an error page belongs to the fix.
    place = len(title.parent) if is_error_page(shown.example) else index_below_lead(title)
    title.parent.insert(place, _build_offers(app, docname, shown))


def _build_offers(app: Sphinx, docname: str, shown: ExampleEvidence) -> nodes.Element:
    stem = docname.rsplit("/", 1)[-1]
    output = "no output yet" if shown.origin is Origin.EXPECTED else "with this output"
    links = (
        _build_link(f"{stem}.py", f"{stem}.py", "as it is", download=True),
        _build_link(f"{stem}.ipynb", f"{stem}.ipynb", output, download=True),
        *_build_repository_links(app, docname, shown),
    )
    return build_element(
        "div", nodes.paragraph("", "Run it"), build_element("ul", *links), css="atlas-offers"
    )


def _build_repository_links(app: Sphinx, docname: str, shown: ExampleEvidence) -> Iterator[nodes.Element]:
    """Links into the repository, as far as its address is known."""
    repository: str = app.config.tensor_atlas_repository.rstrip("/")
    published: str = app.config.tensor_atlas_site_branch
    if repository.startswith(_GITHUB) and published:
        path = f"{repository.removeprefix(_GITHUB)}/blob/{published}/{docname}.ipynb"
        yield _build_link(_COLAB + path, "Open in Colab", "at Google")
    if repository:
        address = f"{repository}/edit/main/{shown.example.path}"
        yield _build_link(address, "Edit this example", "in its repository")


def _build_link(address: str, words: str, note: str, *, download: bool = False) -> nodes.Element:
    """A link, with a note behind it."""
    attributes = {"download": address.rsplit("/", 1)[-1]} if download else {}
    link = build_element("a", nodes.Text(words), href=address, **attributes)
    return build_element("li", link, nodes.Text(" "), nodes.inline("", note, classes=["atlas-names"]))


def write_files(app: Sphinx, exception: Exception | None) -> None:
    """Handler of ``build-finished``: the export; a script and a notebook beside the page of each example."""
    if exception is not None or app.builder.name != "html":
        return
    evidence = evidence_of(app)
    data = export.render_export(evidence.examples, evidence.store, evidence.deviations)
    schema = Path(export.__file__).with_name(export.FORM)
    replace_if_changed(Path(app.outdir, export.DATA), data)
    replace_if_changed(Path(app.outdir, export.FORM), schema.read_text(encoding="utf-8"))
    titles = {name: title.astext() for name, title in app.env.titles.items()}
    for name, shown in evidence.shown.items():
        if f"{GALLERY}/{name}" in app.env.all_docs:
            page = Path(app.outdir, GALLERY, name)
            notebook = render_notebook(shown, titles, app.config.html_baseurl)
            replace_if_changed(page.with_suffix(".py"), shown.example.source)
            replace_if_changed(page.with_suffix(".ipynb"), notebook)
