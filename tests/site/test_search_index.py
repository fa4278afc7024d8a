"""What can be found: each error by every wording, and each page by what it is about."""

from __future__ import annotations

import functools
import gzip
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from samples import ROOT
from test_error_pages import SEARCHED

from tensor_atlas.checkout import project
from tensor_atlas.compare.evidence import Evidence, evidence_from_records
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples import scenarios
from tensor_atlas.history.releases import is_compatible
from tensor_atlas.records import store
from tensor_atlas.site import search_data, search_index
from tensor_atlas.site.error_index import ERROR, Message, collect_messages
from tensor_atlas.site.ranking import ERRORS, Index, Ranking, Wording, words

FRAME = 'Traceback (most recent call last):\n  File "/srv/jobs/{0}.py", line 7, in <module>\n'
FRAME += "    result = {0}(batch)\n"
TOP = 3


@functools.cache
def evidence() -> Evidence:
    """Everything recorded, for the examples as they are."""
    here = project.find(ROOT)
    return evidence_from_records(project.examples_of(here), store.read_records(here.records))


@functools.cache
def ranking() -> Ranking:
    """The site's index without its guides and lists."""
    docs = ROOT / "docs"
    asked = scenarios.parse_scenarios(
        (docs / "scenarios.toml").read_text("utf-8"), "docs/scenarios.toml", evidence().shown
    )
    titles = {name: shown.example.title for name, shown in evidence().shown.items()}
    leaves = [search_index.leaf(shown, "gallery", titles, asked) for shown in evidence().shown.values()]
    older = search_index.older(
        (docs / "wordings.toml").read_text("utf-8"), "docs/wordings.toml", evidence(), "gallery"
    )
    return Ranking(Index(tuple(leaves), search_index.wordings(evidence(), older, "gallery")))


def entries(name: str) -> list[dict[str, Any]]:
    """Entries of a list beside the tests."""
    found: list[dict[str, Any]] = tomllib.loads((ROOT / "tests" / f"{name}.toml").read_text("utf-8"))[name]
    return found


def pages(text: str) -> list[str]:
    """Names of the pages that are found, the best first."""
    return [finding.leaf.page for finding in ranking().find(text)]


# --- pasted errors -----------------------------------------------------------------------------


@pytest.mark.parametrize("pasted", entries("pasted"), ids=lambda entry: entry["number"])
def test_pasted_traceback_finds_its_page_first(pasted: dict[str, str]) -> None:
    """With a wording beside it, and with a fix where it is an error page."""
    best = ranking().find(pasted["text"])[0]
    assert best.leaf.page == f"gallery/{pasted['page']}"
    assert best.wording is not None
    assert bool(best.leaf.fix and best.leaf.code) == pasted["page"].startswith("13_errors/")


def test_each_of_the_errors_is_pasted() -> None:
    """Forty-three, of which some say two things."""
    assert {entry["number"].partition(",")[0] for entry in entries("pasted")} >= {
        f"E{n}" for n in range(1, 44)
    }


def test_each_error_page_is_found_by_what_is_searched_for() -> None:
    """The texts that its own test looks for, as they are and at the end of a traceback."""
    wrong = [
        (text, page, pages(asked)[:1])
        for page, texts in SEARCHED.items()
        for text in texts
        for asked in (text, FRAME.format("blend") + text)
        if pages(asked)[:1] != [f"gallery/{page}"] and not is_of_broken_installation(text)
    ]
    assert wrong == []


def is_of_broken_installation(text: str) -> bool:
    """Whether only a torch that cannot use its NumPy says so: whichever page converts first shows that."""
    with_it = [message for message in everything() if text.strip(" :") in message.text]
    return bool(with_it) and not any(is_compatible(e) for message in with_it for e in message.environments)


@functools.cache
def everything() -> tuple[Message, ...]:
    """Every message of every environment."""
    return tuple(one for message in collect_messages(evidence()) for one in (message, *message.elsewhere))


def of_error_pages() -> Iterator[tuple[Message, set[str]]]:
    """Messages of error pages, as the error they are about, with those pages."""
    for message in everything():
        about = {
            f"gallery/{s.shown.example.name}" for s in message.sightings if s.place.block.section == ERROR
        }
        if about and (not message.environments or any(map(is_compatible, message.environments))):
            yield message, about


def test_every_recorded_wording_finds_its_error_page_first() -> None:
    """Whatever release says so, at the end of a traceback of somebody else's."""
    wrong = [
        (message.text[:80], about, pages(asked)[:1])
        for message, about in of_error_pages()
        for asked in [FRAME.format("decode") + f"{message.type}: {message.text}"]
        if not set(pages(asked)[:1]) <= about
    ]
    assert wrong == []
    assert len(list(of_error_pages())) > 43


def test_every_recorded_wording_is_in_the_index() -> None:
    """By its words; numbers and the end of a long one may differ."""
    known = {tuple(words(w.text)) for w in ranking().index.wordings}
    missing = [m.text for m in everything() if tuple(words(search_index.shortened(m.text))) not in known]
    assert missing == []


# --- searches ----------------------------------------------------------------------------------


def test_searches_find_the_right_page() -> None:
    """First for at least nine in ten, among the first three for all."""
    asked = [({f"{e['page']}", *e.get("accept", [])}, e["query"]) for e in entries("searches")]
    not_first = [query for right, query in asked if not set(pages(query)[:1]) & right]
    not_near = [query for right, query in asked if not set(pages(query)[:TOP]) & right]
    assert len(asked) >= 50
    assert len(not_first) <= len(asked) // 10, not_first
    assert not_near == []


def test_searches_expect_pages_that_exist() -> None:
    """A page that is renamed takes its searches with it."""
    known = {leaf.page for leaf in ranking().index.leaves}
    assert {page for e in entries("searches") for page in [e["page"], *e.get("accept", [])]} <= known


# --- what a result shows -----------------------------------------------------------------------


def test_every_error_page_shows_its_fix_in_plain_words() -> None:
    """Taken from the page, without markup, and the code that runs there."""
    errors = [leaf for leaf in ranking().index.leaves if leaf.part == ERRORS]
    assert len(errors) == len([name for name in evidence().shown if name.startswith("13_errors/")])
    for leaf in errors:
        example = evidence().shown[leaf.page.removeprefix("gallery/")].example
        assert leaf.fix, leaf.page
        assert not any(mark in leaf.fix for mark in ("``", ":func:", ":meth:", ":doc:", "__", "<http")), (
            leaf.fix
        )
        assert leaf.code, leaf.page
        assert all(line in example.source for line in leaf.code.split("\n"))


def test_wording_says_with_which_releases() -> None:
    """A wording that not all releases share names those that do."""
    somewhere = [w for w in ranking().index.wordings if "torch <" in w.where or "torch >=" in w.where]
    assert somewhere
    assert any(w.where == search_index.EVERYWHERE for w in ranking().index.wordings)


def test_wording_that_no_run_has_shown_says_so() -> None:
    """What an example that nobody ran claims is an expectation."""
    waiting = {f"gallery/{name}" for name, shown in evidence().shown.items() if not shown.runs}
    told = [w for w in ranking().index.wordings if w.page in waiting]
    assert [w for w in told if w.where == search_index.EVERYWHERE or w.where.startswith("With ")] == []


def test_older_wording_names_its_source() -> None:
    """It is shown as reported, never as captured."""
    entry = '[[wordings]]\nexample = "13_errors/bfloat16"\ntype = "TypeError"\ntext = "No."\nsource = "https://example.org"\n'
    (found,) = search_index.older(entry, "docs/wordings.toml", evidence(), "gallery")
    assert found == Wording(
        "gallery/13_errors/bfloat16",
        "TypeError",
        "No.",
        "Reported for an older release, not recorded: https://example.org",
    )


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
        search_index.older(f"[[wordings]]\n{entry}\n", "docs/wordings.toml", evidence(), "gallery")


# --- the script --------------------------------------------------------------------------------


def test_script_is_ascii_and_ends_no_element() -> None:
    """What a run said is a string in it, whatever it looks like."""
    hostile = Wording(ranking().index.leaves[0].page, "E", "</script><script>alert('\N{SNOWMAN}')</script>")
    text = search_data.script(Index(ranking().index.leaves[:1], (hostile,)))
    assert text.isascii()
    assert text.startswith("window.atlasIndex = {")


def test_script_is_light() -> None:
    """A reader waits for it: under sixty kilobytes once a server has compressed it."""
    assert len(gzip.compress(search_data.script(ranking().index).encode())) < 60_000
