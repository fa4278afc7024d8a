"""A tiny checkout that the tests of the extension build, and what they read off its pages; nothing here
asserts.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from docutils import nodes
from sphinx.testing.util import SphinxTestApp

from tensor_atlas.model.runs import Environment

CAPTURES = "docs/_build/cache"
"""Where a build keeps what it has executed."""
CAPTURE = f"{CAPTURES}/capture.json"
"""What a build has executed."""

HEAD = '"""\n{title}\n{rule}\n\nDecide something.\n"""\n\n# sphinx_gallery_tags = {tags}\n\n'

SHARES = """import numpy as np
import torch

# %%
# Text.

array = np.zeros(2)
tensor = torch.from_numpy(array)
tensor[0] = 5
print(array)
# => [5. 0.]
copied = torch.tensor(array)
print("<script>alert(1)</script> **bold** `x`_")
# => <script>alert(1)</script> **bold** `x`_
"""

ERRORS = """import warnings

import torch

# %%
# The error
# ---------
# It raises.

try:
    torch.ones(2, requires_grad=True).numpy()
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
warnings.warn("look out")
# => UserWarning: look out

# %%
# The fix
# -------
# Detach.

print(torch.ones(2, requires_grad=True).detach().numpy())
# => [1. 1.]
"""

DRIFTS = """import torch

# %%
# Text.

print(torch.ones(1))
# => tensor([2.])
"""

GPU = """import torch

# %%
# Text.

tensor = torch.ones(2, device="cuda")
try:
    tensor.numpy()
except TypeError as error:
    print(error)
# => nobody has ever seen this message
"""

PRINTS = "# %%\n# Text.\n\nprint(1)\n# => 1\n"
ODD = "# sphinx_gallery_thumbnail_number = 1\n\nprint(1)\n# => 1\n\n#%%\n# Some prose.\nprint(2)\n# => 2\n"
EVIL = 'import numpy as np\n\n# %%\n# Text.\n\nall = {"<b>": np.zeros(2)}\nview = all["<b>"][:1]\n'
MOVES = 'import torch\n\n# %%\n# Text.\n\nhost = torch.ones(2)\nmoved = host.to("cuda")\n'

STEPS = """import numpy as np
import torch

# %%
# Text.

array = np.zeros(2)
tensor = torch.from_numpy(array)
print(tensor.dtype)
# => torch.float64
total = tensor.sum()

# %%
# More.

print("later")
# => later

# %%
# End.

print("end")
# => end
"""

LATE = """import atexit

# %%
# Text.

function = atexit.register(print, "from atexit")
print("last statement")
# => last statement

# After the last statement:
# => from atexit
"""

UNRUN = ("it cannot be done", "others have seen this", "nobody has seen this")
"""Messages that an example expects which needs a GPU."""
EXPECTS = "try:\n    f()\nexcept NameError as error:\n    print(error)\n# => {}\n"

TOP = '''"""
{title}
{rule}

``detach()`` it first.

.. fix::

   - weights.numpy()
   + weights.detach().numpy()

**Safe to ignore** never.
"""

import torch

# %%
# The error
# ---------

weights = torch.ones(2, requires_grad=True)
try:
    weights.numpy()
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# The fix
# -------

print(weights.detach().numpy())
# => [1. 1.]
'''
FIX_TITLE = "RuntimeError: Can't call numpy() on Tensor"
FIX_LINE = "+ weights.detach().numpy()"

HEADERS = {
    "01_x": "Chapter\n=======\n\nDecide `this`.\nMore is said.\n",
    "02_y": "Second\n======\n\nDecide that.\n",
}

CONF = """
project = "tiny"
extensions = ["sphinx_gallery.gen_gallery", "tensor_atlas.site"]
exclude_patterns = ["_build"]
sphinx_gallery_conf = {
    "examples_dirs": "../examples", "gallery_dirs": "gallery", "filename_pattern": "/plot_",
    "remove_config_comments": True, "write_computation_times": False, "download_all_examples": False,
}
"""

INDEX = """
Tiny
====

.. toctree::

   gallery/index

Answer :verdict:`01_x/shares: array, tensor` and :verdict:`01_x/shares: array, copied` and
:verdict:`01_x/errors: \\`requires_grad=True).numpy()\\`` and
:verdict:`01_x/gpu: \\`tensor.numpy()\\`` of :example:`01_x/shares`.

.. decisions::

.. stamp::

.. environments::

.. waiting::

.. devices::

Errors
------

.. error-index::

Corrections
-----------

.. corrections::
"""

DECISIONS = """
[[decisions]]
have = "an array"
want = "a view of it"
call = "torch.from_numpy(array)"
evidence = "01_x/shares: array, tensor"
"""

CORRECTIONS = """
[[corrections]]
title = "Not always a copy"
said = "It copies."
fact = "It shares."
evidence = ["01_x/shares: array, tensor"]

[[corrections]]
title = "On a GPU"
said = "It works."
fact = "It raises."
evidence = ["01_x/gpu: `tensor.numpy()`"]

[[corrections]]
title = "Here and on a GPU"
said = "It raises everywhere."
fact = "It raises there."
evidence = ["01_x/shares: array, tensor", "01_x/gpu: `tensor.numpy()`"]
"""

CARD = Environment(
    torch="2.11.0+cu130",
    numpy="2.4.0",
    python="3.12.3",
    platform="linux-x86_64",
    cuda="13.0",
    device="Some Card",
    device_count=1,
    driver="580.1",
    date="2026-01-02",
)


def example(title: str, body: str, tags: str = "[]") -> str:
    """Text of an example."""
    return HEAD.format(title=title, rule="=" * len(title), tags=tags) + body


def error_page(title: str = FIX_TITLE, line: str = FIX_LINE) -> str:
    """Text of an error page whose box has ``line``."""
    return TOP.format(title=title, rule="=" * len(title)).replace(FIX_LINE, line)


SCRIPTS = {
    "01_x/shares": example("Shares", SHARES, '["sharing"]'),
    "01_x/errors": example("Errors", ERRORS),
    "01_x/gpu": example("On a GPU", GPU, '["cuda"]'),
    "01_x/drifts": example("Drifts", DRIFTS),
    "01_x/holds": example("Holds", DRIFTS.replace("[2.]", "[1.]")),
    "01_x/none": example("None", PRINTS),
    "01_x/odd": example("Odd", ODD),
    "01_x/evil": example("Evil", EVIL),
    "01_x/moves": example("Moves", MOVES, '["cuda"]'),
    "01_x/renamed": example("Errors", ERRORS),
    "01_x/steps": example("Steps", STEPS),
    "01_x/two": example("Two", SHARES),
    "01_x/rungs": example(
        "Rungs",
        "# %%\n# Text.\n\n" + "".join(map(EXPECTS.format, UNRUN)) + "print(1)\n# => 1\n",
        '["cuda"]',
    ),
    "01_x/late": example("Late", LATE),
    "01_x/fixed": error_page(),
    "01_x/unused": error_page(line="+ weights.cpu().detach().numpy()"),
    "01_x/unseen": error_page(FIX_TITLE.replace("Tensor", "Array")),
    "01_x/untitled": error_page("About numpy()"),
    "02_y/last": example("Last", PRINTS),
}
"""Examples that are executed once for all tests."""


@dataclass(frozen=True)
class Tiny:
    """A tiny checkout and how to build it."""

    root: Path

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def add(self, *names: str) -> None:
        """Write examples of ``SCRIPTS``, and the headers of their chapters."""
        for name in names:
            self.write(f"examples/{name}.py", SCRIPTS[name])
            chapter = name.partition("/")[0]
            self.write(f"examples/{chapter}/GALLERY_HEADER.rst", HEADERS[chapter])

    def take(self, executed: Path) -> None:
        """Take over what an earlier build has executed, given its folder of captures."""
        shutil.copytree(executed, self.root / CAPTURES)

    def app(self, jobs: int = 0) -> SphinxTestApp:
        return SphinxTestApp("html", srcdir=self.root / "docs", freshenv=False, parallel=jobs)

    def build(self) -> SphinxTestApp:
        app = self.app()
        app.build()
        return app


def tiny(root: Path, executed: Path | None = None) -> Tiny:
    """A checkout with three examples, one of which needs a GPU; builds need not execute what ``executed``
    holds.
    """
    made = Tiny(root)
    if executed is not None:
        made.take(executed)
    made.write("pyproject.toml", "")
    made.write("examples/GALLERY_HEADER.rst", "Examples\n========\n")
    made.add("01_x/shares", "01_x/errors", "01_x/gpu")
    made.write("docs/conf.py", CONF)
    made.write("docs/index.rst", INDEX)
    made.write("docs/decisions.toml", DECISIONS)
    made.write("docs/corrections.toml", CORRECTIONS)
    return made


def blocks(app: SphinxTestApp, name: str) -> list[nodes.container]:
    """Blocks of a gallery page."""
    doctree = app.env.get_doctree(f"gallery/01_x/{name}")
    return [node for node in doctree.findall(nodes.container) if "atlas-block" in node["classes"]]


def pieces(block: nodes.container) -> list[tuple[str, str]]:
    """What a block shows, top to bottom: kind and text."""
    children = [child for child in block.children if isinstance(child, nodes.Element)]
    children = [child for child in children if "headerlink" not in child["classes"]]
    if "atlas-memory" in children[-1]["classes"]:
        *children, memory = children
        children += [child for child in memory.children if isinstance(child, nodes.Element)]
    found = []
    for child in children:
        kinds = [css.removeprefix("atlas-") for css in child["classes"] if css != "atlas-captured"]
        found.append((kinds[0], child.astext()))
    return found


def html(app: SphinxTestApp, name: str) -> str:
    """HTML of a page."""
    return (Path(app.outdir) / f"{name}.html").read_text(encoding="utf-8")
