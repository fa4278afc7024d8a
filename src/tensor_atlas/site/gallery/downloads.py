"""Downloads: each example as a script, as a notebook with its output; the data export."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from tensor_atlas.compare.archive import PROBE, pack_probe
from tensor_atlas.compare.evidence import ExampleEvidence, Origin
from tensor_atlas.compare.packed_records import render_records
from tensor_atlas.files import replace_if_changed
from tensor_atlas.pages import GALLERY
from tensor_atlas.pages.hosted_notebook import render_hosted_notebook
from tensor_atlas.pages.notebooks import render_notebook
from tensor_atlas.site.build.execution import evidence_of, example_of_page, project_of
from tensor_atlas.site.build.nodes import build_element

_THEIRS = {"sphx-glr-footer", "sphx-glr-download-link-note", "sphx-glr-example-tags", "sphx-glr-timing"}
"""Classes of what sphinx-gallery offers, of its note at the top, and of tags that lead nowhere."""
_COLAB = "https://colab.research.google.com/github/"
_GITHUB = "https://github.com/"


def replace_offers(app: Sphinx, doctree: nodes.document) -> None:
    """Handler of ``doctree-read``, before Sphinx collects downloads: ours in place of sphinx-gallery's."""
    docname = app.env.current_document.docname
    for theirs in [node for node in doctree.findall(nodes.Element) if _THEIRS & set(node["classes"])]:
        assert theirs.parent is not None
        theirs.parent.remove(theirs)
    page = example_of_page(app, docname)
    if page is None:
        return
    title = next(iter(doctree.findall(nodes.title)))
    assert title.parent is not None
    title.parent.append(_build_offers(app, docname, page))  # its top belongs to the answer


def _build_offers(app: Sphinx, docname: str, page: ExampleEvidence) -> nodes.Element:
    stem = docname.rsplit("/", 1)[-1]
    output = "no output yet" if page.origin is Origin.EXPECTED else "with this output"
    links = (
        _build_link(f"{stem}.py", f"{stem}.py", "as it is", download=True),
        _build_link(f"{stem}.ipynb", f"{stem}.ipynb", output, download=True),
        *_build_repository_links(app, docname, page),
    )
    return build_element(
        "div", nodes.paragraph("", "Run it"), build_element("ul", *links), css="atlas-offers"
    )


def _build_repository_links(app: Sphinx, docname: str, page: ExampleEvidence) -> Iterator[nodes.Element]:
    """Links into the repository, as far as its address is known."""
    repository: str = app.config.tensor_atlas_repository.rstrip("/")
    published: str = app.config.tensor_atlas_site_branch
    if repository.startswith(_GITHUB) and published:
        path = f"{repository.removeprefix(_GITHUB)}/blob/{published}/{docname}.ipynb"
        yield _build_link(_COLAB + path, "Open in Colab", "at Google")
    if repository:
        address = f"{repository}/edit/main/{page.example.path}"
        yield _build_link(address, "Edit this example", "in its repository")


def _build_link(address: str, words: str, note: str, *, download: bool = False) -> nodes.Element:
    attributes = {"download": address.rsplit("/", 1)[-1]} if download else {}
    link = build_element("a", nodes.Text(words), href=address, **attributes)
    return build_element("li", link, nodes.Text(" "), nodes.inline("", note, classes=["atlas-names"]))


def write_downloads(app: Sphinx) -> None:
    """Write a script and a notebook beside the page of each example, and what runs all of them."""
    evidence = evidence_of(app)
    archive = pack_probe(project_of(app).root, render_records(evidence))
    replace_if_changed(Path(app.outdir, PROBE), archive)
    replace_if_changed(Path(app.outdir, HOSTED_NOTEBOOK), render_hosted_notebook(app.config.html_baseurl))
    titles = {name: title.astext() for name, title in app.env.titles.items()}
    for name, evidence_of_page in evidence.pages.items():
        if f"{GALLERY}/{name}" in app.env.all_docs:
            page = Path(app.outdir, GALLERY, name)
            notebook = render_notebook(evidence_of_page, titles, app.config.html_baseurl)
            replace_if_changed(page.with_suffix(".py"), evidence_of_page.example.source)
            replace_if_changed(page.with_suffix(".ipynb"), notebook)


HOSTED_NOTEBOOK = "atlas-probe.ipynb"
