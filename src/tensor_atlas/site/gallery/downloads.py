"""Downloads: each example as a script, as a notebook with its output; the data export."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from nbformat import v4
from sphinx.application import Sphinx

import tensor_atlas
from tensor_atlas.compare.evidence import ExampleEvidence, Origin
from tensor_atlas.compare.own_machine import RECORDS
from tensor_atlas.compare.packed_records import render_records
from tensor_atlas.examples.files import find_scripts
from tensor_atlas.files import replace_if_changed
from tensor_atlas.model.capture import ENGINE, SITE_ONLY
from tensor_atlas.pages import GALLERY
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
    shown = example_of_page(app, docname)
    if shown is None:
        return
    title = next(iter(doctree.findall(nodes.title)))
    assert title.parent is not None
    title.parent.append(_build_offers(app, docname, shown))  # its top belongs to the answer


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
    attributes = {"download": address.rsplit("/", 1)[-1]} if download else {}
    link = build_element("a", nodes.Text(words), href=address, **attributes)
    return build_element("li", link, nodes.Text(" "), nodes.inline("", note, classes=["atlas-names"]))


def write_files(app: Sphinx) -> None:
    """Write a script and a notebook beside the page of each example, and what runs all of them."""
    evidence = evidence_of(app)
    archive = pack_probe(project_of(app).root, render_records(evidence))
    replace_if_changed(Path(app.outdir, PROBE), archive)
    replace_if_changed(Path(app.outdir, HOSTED_NOTEBOOK), render_hosted_notebook(app.config.html_baseurl))
    titles = {name: title.astext() for name, title in app.env.titles.items()}
    for name, shown in evidence.shown.items():
        if f"{GALLERY}/{name}" in app.env.all_docs:
            page = Path(app.outdir, GALLERY, name)
            notebook = render_notebook(shown, titles, app.config.html_baseurl)
            replace_if_changed(page.with_suffix(".py"), shown.example.source)
            replace_if_changed(page.with_suffix(".ipynb"), notebook)


PROBE = "atlas-probe.pyz"
HOSTED_NOTEBOOK = "atlas-probe.ipynb"
MODULES = (
    *("__init__", "errors", "files", "streams"),
    *(f"history/{name}" for name in ("__init__", "cell_changes", "changes", "own_lines", "patterns")),
    *(f"compare/{name}" for name in ("__init__", "change_text", "own_machine", "standalone")),
)
"""Modules of the archive beside the rooms whose code runs where a capture is made."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The oldest time that a zip file can name."""


def pack_probe(root: Path, records: str) -> bytes:
    """The archive for a checkout at ``root``, with the ``records`` that it compares with."""
    files = {name: path.read_bytes() for name, path in _list_probe_files(root)}
    files["__main__.py"] = files["src/tensor_atlas/compare/standalone.py"]
    files[RECORDS] = records.encode()
    packed = io.BytesIO(b"")
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def _list_probe_files(root: Path) -> Iterator[tuple[str, Path]]:
    """Files by their names in the archive, which lie as in a checkout."""
    package = Path(tensor_atlas.__file__).parent
    modules = [package / f"{name}.py" for name in MODULES]
    for room in ENGINE:
        modules += [path for path in (package / room).iterdir() if path.suffix in (".py", ".toml")]
    for path in modules:
        if path.name != SITE_ONLY:
            yield f"src/tensor_atlas/{path.relative_to(package).as_posix()}", path
    for script in find_scripts([root / "examples"]):
        yield script.relative_to(root).as_posix(), script
    for name in ("pyproject.toml", "LICENSE"):
        if (root / name).is_file():
            yield name, root / name


def render_hosted_notebook(address: str) -> str:
    """Text of the notebook; its first code cell holds the site's ``address``, empty where nobody knows it."""
    cells = [
        v4.new_markdown_cell(_INTRODUCTION),
        v4.new_code_cell(f"SITE = {address!r}  # address of the site that this notebook is from"),
        *map(v4.new_code_cell, _STEPS),
        v4.new_markdown_cell(_LAST_STEP.format(page=f"{address}your_machine.html")),
    ]
    for number, cell in enumerate(cells, 1):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    # Colab starts a runtime with a GPU for a notebook that asks for one.
    metadata = {"kernelspec": kernel, "accelerator": "GPU", "colab": {"gpuType": "T4"}}
    text: str = v4.writes(v4.new_notebook(cells=cells, metadata=metadata))
    return text + "\n"


_INTRODUCTION = """\
# Run the examples on a hosted GPU

Choose a runtime with a GPU (in Colab: *Runtime*, *Change runtime type*), then run all cells.
The last cell gives you `capture.json`: the result of every example with this GPU, driver, torch and NumPy."""
_STEPS = (
    """\
import torch

print("torch", torch.__version__, "CUDA", torch.version.cuda)
print(torch.cuda.get_device_name(0) if torch.cuda.is_available() else "No GPU: change the runtime type")""",
    """\
import urllib.request

urllib.request.urlretrieve(f"{SITE}atlas-probe.pyz", "atlas-probe.pyz")""",
    """\
import subprocess
import sys

run = subprocess.run([sys.executable, "atlas-probe.pyz"], capture_output=True, text=True)
print(run.stdout + run.stderr)
run.check_returncode()""",
    """\
try:
    from google.colab import files
except ImportError:
    from IPython.display import FileLink, display

    display(FileLink("capture.json"))
else:
    files.download("capture.json")""",
)
"""Code of the cells that look for a GPU, fetch the archive, run it, and hand back what it wrote."""
_LAST_STEP = """\
The cell before it lists the results that differ from the records. Give the file to
[the page of your machine]({page}): it shows them on every page of the site, and says how to contribute the
capture. The file stays in your browser."""
