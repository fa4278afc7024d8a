"""What a build need not do again: sphinx-gallery's pages, templates, and matplotlib where nothing is drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jinja2
import pytest
from sphinx.errors import ExtensionError
from sphinx_gallery import gen_gallery, gen_rst, scrapers
from tiny_project import CONF, SHARES, Tiny, example, html, tiny

from tensor_atlas.site.spared import MEMORY

DRAWS = """import matplotlib.pyplot as plt

# %%
# Text.

plt.plot([1, 2])
"""
FLAT = '"""\nFlat\n====\n\nDecide something.\n"""\n\n' + DRAWS


@pytest.fixture
def built(tmp_path: Path) -> Tiny:
    """A tiny checkout whose site has been built."""
    made = tiny(tmp_path)
    made.build()
    return made


@pytest.fixture
def made_again(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the scripts of which sphinx-gallery makes a page."""
    names: list[str] = []
    make: Callable[..., Any] = gen_rst.rst_blocks

    def noted(blocks: Any, outputs: Any, settings: Any, *given: Any, **more: Any) -> Any:
        names.append(next(line for line in blocks[0].content.splitlines() if line.strip("= ")))
        return make(blocks, outputs, settings, *given, **more)

    monkeypatch.setattr(gen_rst, "rst_blocks", noted)
    return names


def test_page_is_made_of_what_changed_alone(built: Tiny, made_again: list[str]) -> None:
    """And says what stands in the script now."""
    built.write("examples/01_x/shares.py", example("Shares", SHARES.replace("# Text.", "# Other words.")))
    app = built.build()
    assert made_again == ["Shares"]
    assert "Other words." in html(app, "gallery/01_x/shares")


def test_page_that_was_damaged_is_made_again(built: Tiny, made_again: list[str]) -> None:
    """By hand, or by half a build."""
    page = built.root / "docs/gallery/01_x/shares.rst"
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("Text.", "By hand."), encoding="utf-8")
    built.build()
    assert made_again == ["Shares"]
    assert page.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("ending", [".rst", ".ipynb", ".zip"])
def test_what_is_gone_is_made_again(built: Tiny, made_again: list[str], ending: str) -> None:
    """Whatever it is that sphinx-gallery makes of a script."""
    gone = built.root / f"docs/gallery/01_x/errors{ending}"
    gone.unlink()
    built.build()
    assert made_again == ["Errors"]
    assert gone.is_file()


def test_other_settings_make_every_page_again(built: Tiny, made_again: list[str]) -> None:
    """They decide what a page says."""
    built.write(
        "docs/conf.py", CONF.replace('"plot_gallery"', "").replace("{", '{"show_signature": False,', 1)
    )
    built.build()
    assert sorted(made_again) == ["Errors", "On a GPU", "Shares"]


def test_other_thumbnail_makes_every_page_again(built: Tiny, made_again: list[str]) -> None:
    """It is a file that a setting names."""
    picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="{}" height="8"/></svg>'
    built.write("docs/thumb.svg", picture.format(4))
    built.write("docs/conf.py", CONF.replace("{", '{"default_thumb_file": "thumb.svg",', 1))
    built.build()
    made_again.clear()
    built.build()
    assert made_again == []
    built.write("docs/thumb.svg", picture.format(8))
    built.build()
    assert sorted(made_again) == ["Errors", "On a GPU", "Shares"]


def test_script_that_names_its_thumbnail_is_made_each_time(built: Tiny, made_again: list[str]) -> None:
    """Nobody looks at the picture that it names."""
    picture = "# sphinx_gallery_thumbnail_path = '_static/one.svg'\n\n"
    built.write("docs/_static/one.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>')
    built.write("examples/01_x/shares.py", example("Shares", picture + SHARES))
    built.build()
    built.build()
    assert made_again == ["Shares", "Shares"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"asked": 1}', "null"])
def test_memory_that_says_nothing_makes_every_page_again(
    built: Tiny, made_again: list[str], text: str
) -> None:
    """It was cut short, or is another program's."""
    memory = built.root / "docs/_build/doctrees" / MEMORY
    assert memory.is_file()
    memory.write_text(text, encoding="utf-8")
    built.build()
    assert sorted(made_again) == ["Errors", "On a GPU", "Shares"]


def test_what_sphinx_gallery_executes_is_its_own_affair(tmp_path: Path, made_again: list[str]) -> None:
    """It keeps a figure by its own rules, and draws one of a changed script anew."""
    made = tiny(tmp_path)
    made.write("examples/01_x/plot_flat.py", FLAT)
    made.build()
    made_again.clear()
    made.build()
    assert made_again == []
    made.write("examples/01_x/plot_flat.py", FLAT.replace("[1, 2]", "[2, 1]"))
    made.build()
    assert made_again == ["Flat"]
    assert (tmp_path / "docs/gallery/01_x/images/sphx_glr_plot_flat_001.png").is_file()


def test_figure_that_could_not_be_drawn_is_tried_again(tmp_path: Path, made_again: list[str]) -> None:
    """Its page is no page to keep."""
    made = tiny(tmp_path)
    made.write("examples/01_x/plot_flat.py", f"{FLAT}raise ValueError('not today')\n")
    for _ in range(2):
        made_again.clear()
        with pytest.raises(ExtensionError, match="not today"):
            made.build()
        assert "Flat" in made_again


def test_matplotlib_is_imported_for_a_figure_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in case there might be one; and sphinx-gallery is left as it was."""
    imports: list[str] = []
    load: Callable[[], Any] = scrapers._import_matplotlib

    def noted() -> Any:
        imports.append("matplotlib")
        return load()

    for module in (gen_gallery, scrapers):
        monkeypatch.setattr(module, "_import_matplotlib", noted)
    made = tiny(tmp_path)
    made.build()
    assert imports == []
    assert gen_gallery._import_matplotlib is noted
    made.write("examples/01_x/plot_flat.py", FLAT)
    made.build()
    assert imports != []


def test_templates_are_compiled_once(built: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next build finds them."""
    compiled: list[object] = []
    compile_: Callable[..., Any] = jinja2.Environment.compile

    def noted(self: jinja2.Environment, source: Any, name: Any = None, *given: Any, **more: Any) -> Any:
        compiled.append(name)
        return compile_(self, source, name, *given, **more)

    monkeypatch.setattr(jinja2.Environment, "compile", noted)
    built.write("examples/01_x/shares.py", example("Shares", SHARES.replace("# Text.", "# Other words.")))
    built.build()
    assert "page.html" not in compiled
    built.write("docs/_templates/page.html", '{% extends "!page.html" %}{% block body %}Ours{% endblock %}')
    built.write("docs/conf.py", f"{CONF}templates_path = ['_templates']\n")
    assert "Ours" in html(built.build(), "index")
    assert "page.html" in compiled
