"""Output that looks like markup is text in a browser, whatever an example prints, warns or raises."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
PYTHON = os.environ.get("TENSOR_ATLAS_PYTHON", sys.executable)
"""Interpreter that can build a site; the session that tests pages has no Sphinx of its own."""
HOSTILE = [
    "<script>window.planted = 1</script>",
    "<img src=x onerror='window.planted = 2'>",
    "</pre></div></body><h1 id='planted'>h</h1>",
    "<!-- <style>*{display:none}</style> ]]> {{ 7 * 7 }} {% raw %}",
    "`link <javascript:window.planted=3>`_ |sub| **bold** :raw-html:`<b id=planted>`",
    ".. raw:: html",
    "&lt;b&gt; &amp; &#60;",
    "\x1b[31mred\x1b[0m \u202eabc\u202c é 中文 \U0001f600",
]
TAGS = ["it's", '" onclick="window.planted = 5', "' tooltip=\"<b id='planted'>", "a & b"]
BUILD = """
import sys
from pathlib import Path
from sphinx.cmd.build import main
from tiny_project import CONF, Tiny, example
made = Tiny(Path("site"))
made.write("pyproject.toml", "")
made.write("examples/GALLERY_HEADER.rst", "Examples\\n========\\n")
made.write("examples/01_x/GALLERY_HEADER.rst", "Chapter\\n=======\\n")
code = "import sys\\nimport warnings\\n\\n# %%\\n# Text.\\n\\nlines = " + repr({lines!r}) + "\\n"
code += "for line in lines:\\n    print(line)\\nfor line in lines:\\n    warnings.warn(line)\\n"
code += "for line in lines:\\n    print(line, file=sys.stderr)\\n"
code += "try:\\n    raise ValueError(lines[0] + lines[1])\\nexcept ValueError as error:\\n    print(error)\\n"
code += "raise TypeError('\\\\n'.join(lines))\\n"
title = "<script>window.planted = 4</script> & `x` <b id=planted>"
made.write("examples/01_x/markup.py", example(title, code, {tags!r}))
made.write("docs/conf.py", CONF)
made.write("docs/index.rst", "Tiny\\n====\\n\\n.. toctree::\\n\\n   gallery/index\\n\\n.. error-index::\\n")
sys.exit(main(["-q", "-b", "html", "site/docs", "site/html"]))
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a tiny site of which one example prints, warns of and raises all of it."""
    folder = tmp_path_factory.mktemp("markup")
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}"}
    code = BUILD.format(lines=HOSTILE, tags=repr(TAGS))
    command = [PYTHON, "-c", code]
    done = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"{PYTHON} could not build a site, nox -s docs prepares it: {done.stderr}"
    return folder / "site" / "html"


@pytest.mark.parametrize("name", ["gallery/01_x/markup", "index"])
def test_markup_in_output_is_text(name: str, pages: Path, reader: Page) -> None:
    """Nothing of it runs, and nothing of it becomes an element; the reader fixture minds the console."""
    reader.goto((pages / f"{name}.html").as_uri())
    assert reader.evaluate("window.planted") is None
    assert reader.locator("#planted").count() == 0
    assert reader.locator("img[src='x'], a[href^='javascript:']").count() == 0
    assert reader.locator(".atlas-captured, .atlas-message, code, pre").count() > 0
    shown = reader.locator("body").evaluate("body => body.textContent")
    assert "<script>window.planted = 1</script>" in shown


def test_every_kind_of_output_shows_its_markup(pages: Path, reader: Page) -> None:
    """Printed, warned of, written to standard error, caught and uncaught: the characters, as they came."""
    reader.goto((pages / "gallery/01_x/markup.html").as_uri())
    boxes = reader.locator(".atlas-captured pre").evaluate_all("all => all.map(one => one.textContent)")
    for line in HOSTILE[:-1]:
        assert sum(line in box for box in boxes) >= 4, line
    assert any("é 中文 \U0001f600" in box for box in boxes)


def test_title_and_tags_of_a_card_are_text(pages: Path, reader: Page) -> None:
    """On a chapter's index, whose filter by tag still works."""
    reader.goto((pages / "gallery/01_x/index.html").as_uri())
    card = reader.locator(".sphx-glr-thumbcontainer")
    assert card.locator(".sphx-glr-thumbnail-title").inner_text().startswith("<script>window.planted = 4")
    assert reader.locator("button.sphx-glr-tag").all_inner_texts() == sorted(TAGS)
    reader.get_by_role("button", name="it's").click()
    assert card.is_visible()
    assert reader.locator("#planted").count() == 0
    assert reader.evaluate("window.planted") is None
