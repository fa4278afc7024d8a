"""Output after the last statement, with a release chosen whose record did not look for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

ROOT = Path(__file__).parents[2]
PYTHON = os.environ.get("TENSOR_ATLAS_PYTHON", sys.executable)
"""Interpreter that can build a site."""
BUILD = """
import sys
from dataclasses import replace
from pathlib import Path
from sphinx.cmd.build import main
from samples import captured
from tiny_project import CAPTURE, CONF, HEADERS, SCRIPTS, Tiny
from tensor_atlas.model.runs import AFTER, Observation
from tensor_atlas.records import store
made = Tiny(Path("site"))
made.write("pyproject.toml", "")
made.write("examples/GALLERY_HEADER.rst", "Examples\\n========\\n")
made.add("01_x/late")
theme = "html_theme = 'pydata_sphinx_theme'\\ntemplates_path = [{templates!r}]\\n"
theme += "html_theme_options = {{'navbar_persistent': ['atlas-picker.html']}}\\n"
theme += "html_js_files = [(f'atlas-{{one}}.js', {{'defer': 'defer'}}) for one in ('machine', 'picker')]\\n"
theme += "html_context = {{'default_mode': 'light'}}\\n"
made.write("docs/conf.py", CONF + theme)
made.write("docs/your_machine.rst", ":orphan:\\n\\nYour machine\\n============\\n")
made.write("docs/index.rst", "Tiny\\n====\\n\\n.. toctree::\\n\\n   gallery/index\\n")
command = ["-q", "-b", "html", "site/docs", "site/html"]
code = main(command)
capture = store.read_capture(made.root / CAPTURE)
found = store.Store()
for torch, late in (("2.5.0", None), ("2.6.0", "in other words"), (capture.environment.torch, "from atexit")):
    seen = None if late is None else Observation(AFTER, late)
    environment = replace(capture.environment, torch=torch)
    found = store.add_capture(found, captured(replace(capture.runs[0], late=seen), environment=environment))
store.write_records(found, made.root / "docs/records")
sys.exit(code or main(command))
"""


@pytest.fixture(scope="module")
def page_of_late_output(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of a page with such output, recorded with three releases, of which one did not look for it."""
    folder = tmp_path_factory.mktemp("late")
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}"}
    command = [PYTHON, "-c", BUILD.format(templates=str(ROOT / "docs" / "_templates"))]
    done = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"{PYTHON} could not build a site, nox -s docs prepares it: {done.stderr}"
    return (folder / "site/html/gallery/01_x/late.html").as_uri()


@pytest.mark.parametrize(
    ("release", "words"),
    [
        ("2.5.0", "Not observed\nThe record is older than the observation of this output."),
        ("2.6.0", "Output\nin other words"),
        ("", "Output\nfrom atexit"),
    ],
)
def test_chosen_release_shows_what_its_record_says(
    reader: Page, page_of_late_output: str, release: str, words: str
) -> None:
    """Without output where it did not look: that is no silence, nor what another release wrote."""
    reader.goto(page_of_late_output)
    if release:
        reader.locator(".atlas-picker-button:visible").click()
        reader.locator("[data-atlas=torch]:visible").select_option(label=release)
        reader.keyboard.press("Escape")
    place = reader.locator("#after-the-last-statement")
    shown = place.locator(":scope > .atlas-outcome:visible, :scope > .atlas-captured:visible")
    expect(shown).to_have_count(1)
    expect(shown).to_have_text(words.replace("\n", " "), use_inner_text=True)
