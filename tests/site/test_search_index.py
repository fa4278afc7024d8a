"""What the search reads beside the pages: wordings that nobody recorded, and the chooser's words."""

from __future__ import annotations

import gzip

import pytest
from committed import committed_evidence as evidence
from samples import ROOT, example

from tensor_atlas.catalogue import SOURCES
from tensor_atlas.compare.evidence import Evidence, ExampleEvidence, Origin
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.scenarios import SCENARIOS, parse_scenarios
from tensor_atlas.pages.error_messages import collect_messages
from tensor_atlas.pages.search_page import (
    SearchPage,
    Wording,
    collect_wordings,
    count_links,
    describe_example,
    render_script,
)
from tensor_atlas.records.store import Store
from tensor_atlas.site.search import search_index


@pytest.mark.parametrize(
    ("entry", "finding"),
    [
        (
            'example = "13_errors/nothing"\ntype = "E"\ntext = "t"\nsource = "s"',
            "no example 13_errors/nothing",
        ),
        ('example = "13_errors/bfloat16"\ntype = "E"\ntext = "t"', "no source"),
    ],
)
def test_wrong_entry_is_named_with_its_line(entry: str, finding: str) -> None:
    """Whoever wrote it is told where, and what is wrong."""
    with pytest.raises(AtlasError, match=f"docs/wordings.toml:1  {finding}"):
        search_index.parse_older_wordings(f"[[wordings]]\n{entry}\n", "docs/wordings.toml", evidence())


def test_choices_are_what_the_chooser_combines_with_a_dtype() -> None:
    """Each a source of its own; a dtype alone is none."""
    choices = {
        name: (title, form, dtypes.split()) for name, title, form, dtypes in search_index.list_choices()
    }
    assert set(choices) <= {source.name for source in SOURCES}
    assert "array-float64" not in choices
    title, form, dtypes = choices["array-memory-mapped-read-only"]
    assert (title, form) == ("read-only memory map", "array")
    assert {"float32", "float64", "int8"} <= set(dtypes)
    assert "float64" not in choices["tensor-conjugate"][2]


def test_older_wording_is_about_its_page() -> None:
    """A search that meets it may say that this is it."""
    shown = {"01_x/a": ExampleEvidence(example("f()\n"), Origin.EXPECTED, None, None)}
    text = '[[wordings]]\nexample = "01_x/a"\ntype = "TypeError"\ntext = "no"\nsource = "a thread"\n'
    (wording,) = search_index.parse_older_wordings(text, "here", Evidence({}, None, Store(), pages=shown))
    assert wording == Wording(
        "gallery/01_x/a",
        "TypeError",
        "no",
        "Reported for an older release, not recorded: a thread",
        is_own=True,
    )


def test_page_answers_what_readers_ask_in_other_words() -> None:
    """Behind its own questions; an entry of a page that is not there is named with its line."""
    pages = [SearchPage("guides/a", "A", "Guide", questions="What is it?"), SearchPage("b", "B", "Guide")]
    text = '[[asked]]\npage = "guides/a"\nwords = ["who owns it", "whose is it"]\n'
    first, second = search_index.add_asked(text, "here", pages)
    assert first.questions == "What is it? who owns it. whose is it."
    assert second == pages[1]
    with pytest.raises(AtlasError, match="here:1  no page guides/a"):
        search_index.add_asked(text, "here", pages[1:])


def test_script_is_light() -> None:
    """A reader waits for it: under three hundred kilobytes once a server has compressed it."""
    known = evidence()
    titles = {name: shown.example.title for name, shown in known.pages.items()}
    asked = parse_scenarios((ROOT / SCENARIOS).read_text("utf-8"), SCENARIOS, known.pages)
    links = count_links(known)
    pages = [describe_example(shown, titles, asked, links) for shown in known.pages.values()]
    text = (ROOT / "docs" / "wordings.toml").read_text("utf-8")
    older = search_index.parse_older_wordings(text, "docs/wordings.toml", known)
    wordings = collect_wordings(known, collect_messages(known), older)
    script = render_script(pages, wordings, search_index.list_choices())
    assert len(gzip.compress(script.encode())) < 300_000
