"""Search on a tiny project: the index beside the pages, who loads it, when it is made again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sphinx.testing.util import SphinxTestApp
from tiny_project import Tiny, html, tiny

from tensor_atlas.pages.search_page import SearchPage
from tensor_atlas.site.search.search_index import LATE

WORDINGS = """
[[wordings]]
example = "01_x/errors"
type = "RuntimeError"
text = "Said long ago."
source = "https://example.org/1"
"""
SCENARIOS = """
[[scenario]]
number = 1
topic = "Sharing"
title = "One memory"
question = "Who sees a write?"
examples = ["01_x/shares"]
"""


def project(root: Path, executed: Path) -> Tiny:
    """The tiny checkout with a guide and a page to paste into."""
    made = tiny(root, executed)
    made.write(
        "docs/index.rst", "Tiny\n====\n\n.. toctree::\n\n   gallery/index\n   guides/memory\n   paste\n"
    )
    made.write("docs/guides/memory.rst", "Memory\n======\n\nWho owns it.\n\nBytes\n-----\n\nViews.\n")
    made.write("docs/paste.rst", "Paste\n=====\n\n.. finder::\n")
    made.write("docs/wordings.toml", WORDINGS)
    made.write("docs/scenarios.toml", SCENARIOS)
    return made


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, executed: Path) -> tuple[Tiny, SphinxTestApp]:
    """The checkout, built once."""
    made = project(tmp_path_factory.mktemp("tiny"), executed)
    return made, made.build()


def path(app: SphinxTestApp) -> Path:
    return Path(app.outdir) / "_static" / "atlas-index.js"


def index(app: SphinxTestApp) -> dict[str, Any]:
    """What the script would read."""
    text = path(app).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text[text.index("{") : text.rindex("}") + 1])
    return found


def entry(app: SphinxTestApp, page: str) -> SearchPage:
    """What is known of one page."""
    fields = next(fields for fields in index(app)["pages"] if fields[0] == page)
    *texts, ranks = fields
    return replace(SearchPage(*texts), ranks=frozenset(ranks))


def test_error_page_comes_with_its_fix(built: tuple[Tiny, SphinxTestApp]) -> None:
    """The first paragraph under the heading and the code below it, from the example."""
    found = entry(built[1], "gallery/01_x/errors")
    assert found.part == "Error"
    assert found.fix == "Detach."
    assert found.code == "print(torch.ones(2, requires_grad=True).detach().numpy())"


def test_example_is_known_by_its_questions_and_names(built: tuple[Tiny, SphinxTestApp]) -> None:
    """What its author filed it under, what its code calls, and what readers ask."""
    found = entry(built[1], "gallery/01_x/shares")
    assert (found.part, found.title, found.lead) == ("Example", "Shares", "Decide something.")
    assert found.questions == "One memory: Who sees a write?"
    assert found.tags == "sharing, Sharing"
    assert "torch.from_numpy" in found.names.split()
    assert found.fix == ""


def test_guide_is_known_by_its_headings(built: tuple[Tiny, SphinxTestApp]) -> None:
    """Its first paragraph is what a result shows, and the others are looked through."""
    found = entry(built[1], "guides/memory")
    assert found == SearchPage("guides/memory", "Memory", "Guide", "Who owns it.", "Bytes")
    words, _ = index(built[1])["words"]
    assert "views" in words.split()
    assert "share" not in words.split()


def test_wordings_are_those_of_runs_and_of_the_list(built: tuple[Tiny, SphinxTestApp]) -> None:
    """Errors and warnings that were observed, and what is only reported, each at its page."""
    found = index(built[1])
    said = {text: (found["pages"][place][0], where) for place, _, text, where, _ in found["wordings"]}
    caught = "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
    assert said[caught] == ("gallery/01_x/errors", "In every environment that ran it.")
    assert said["look out"] == ("gallery/01_x/errors", "In every environment that ran it.")
    reported = "Reported for an older release, not recorded: https://example.org/1"
    assert said["Said long ago."] == ("gallery/01_x/errors", reported)


def test_no_page_loads_the_index_by_itself(built: tuple[Tiny, SphinxTestApp]) -> None:
    """It is fetched when somebody looks for something."""
    for name in ("index", "paste", "gallery/01_x/errors"):
        assert not any(script in html(built[1], name) for script in LATE)


def test_page_to_paste_into_reads_without_a_script(built: tuple[Tiny, SphinxTestApp]) -> None:
    """It says what to do instead."""
    page = html(built[1], "paste")
    assert "atlas-finder-place" in page
    assert "This search needs JavaScript" in page


def test_build_with_nothing_new_leaves_the_index_alone(tmp_path: Path, executed: Path) -> None:
    """And one with another title, question or wording makes it again."""
    made = project(tmp_path, executed)
    first = made.build()
    written = path(first).stat().st_mtime_ns
    assert path(made.build()).stat().st_mtime_ns == written
    made.write("docs/wordings.toml", WORDINGS.replace("long ago", "of old"))
    assert "Said of old." in {text for _, _, text, _, _ in index(made.build())["wordings"]}
    made.write("docs/guides/memory.rst", "Storage\n=======\n\nWho owns it.\n")
    assert entry(made.build(), "guides/memory").title == "Storage"


def test_wrong_wording_ends_the_build_with_its_line(tmp_path: Path, executed: Path) -> None:
    """Whoever wrote it is told where, and what is wrong."""
    made = project(tmp_path, executed)
    made.write("docs/wordings.toml", WORDINGS.replace("01_x/errors", "01_x/nothing"))
    app = made.app()
    with pytest.raises(SystemExit):
        app.build()
    assert "docs/wordings.toml:2  no example 01_x/nothing" in app.warning.getvalue()
