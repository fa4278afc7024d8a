"""The list of all pages, section by section."""

from __future__ import annotations

from tensor_atlas.pages.page_list import list_sections, render_index


def test_sections_follow_the_tree() -> None:
    """A page that lists others begins a section; others stand under the page that lists them."""
    listed = {"index": ["a/index", "b"], "a/index": ["a/c", "a/d/index"], "a/d/index": ["a/d/e"]}
    assert [*list_sections("index", listed)] == [["index", "b"], ["a/index", "a/c"], ["a/d/index", "a/d/e"]]


def test_list_has_the_form_of_llmstxt() -> None:
    """Title, quoted summary, text, then headings with links."""
    text = render_index("index", [["a"]], {"index": ("Name", "What."), "a": ("The [a]", "")})
    lines = text.split("\n")
    assert lines[:3] == ["# Name", "", "> What."]
    assert [line for line in lines if line.startswith("#")] == ["# Name", "## Data", r"## The [a]"]
    assert lines[-2:] == [r"- [The \[a\]](a.md)", ""]
