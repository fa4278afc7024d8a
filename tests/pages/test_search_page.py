"""What can be found: each error by every wording, and each page by what it is about."""

from __future__ import annotations

import functools
import tomllib
from typing import Any

from committed import committed_evidence as evidence
from samples import CPU, ROOT, example

from tensor_atlas.compare.evidence import Evidence, ExampleEvidence, Origin
from tensor_atlas.compare.rungs import Report, Support, Twin
from tensor_atlas.examples import scenarios
from tensor_atlas.pages import search_page
from tensor_atlas.pages.error_messages import collect_messages, list_all_wordings
from tensor_atlas.pages.search_details import list_details
from tensor_atlas.pages.search_page import ERRORS, SearchPage, Wording
from tensor_atlas.records.store import Store


@functools.cache
def pages() -> list[SearchPage]:
    """The pages of all examples."""
    text = (ROOT / "docs" / "scenarios.toml").read_text("utf-8")
    asked = scenarios.parse_scenarios(text, "docs/scenarios.toml", evidence().pages)
    titles = {name: shown.example.title for name, shown in evidence().pages.items()}
    links = search_page.count_links(evidence())
    shown = evidence().pages.values()
    return [search_page.describe_example(one, titles, asked, links) for one in shown]


@functools.cache
def wordings() -> tuple[Wording, ...]:
    """All that errors say."""
    return search_page.collect_wordings(evidence(), collect_messages(evidence()), ())


def entries(name: str) -> list[dict[str, Any]]:
    """Entries of a list beside the tests."""
    found: list[dict[str, Any]] = tomllib.loads((ROOT / "tests" / f"{name}.toml").read_text("utf-8"))[name]
    return found


# --- what is in the index ----------------------------------------------------------------------


def test_each_of_the_errors_is_pasted() -> None:
    """Forty-three, of which some say two things."""
    assert {entry["number"].partition(",")[0] for entry in entries("pasted")} >= {
        f"E{n}" for n in range(1, 44)
    }


def test_every_recorded_message_is_in_the_index() -> None:
    """With each page that shows it; numbers and the end of a long one may differ."""
    known = {search_page.plain(wording.text) for wording in wordings()}
    everything = [*list_all_wordings(collect_messages(evidence()))]
    missing = [
        m.text for m in everything if search_page.plain(search_page.shorten_message(m.text)) not in known
    ]
    assert missing == []
    assert len(everything) > 400


def test_message_is_about_one_page_and_shown_on_others() -> None:
    """The error page owns it."""
    said = [w for w in wordings() if w.text.startswith("can't convert cuda:0 device type tensor to numpy.")]
    assert [w.page for w in said if w.is_own] == ["gallery/13_errors/cuda_to_numpy"]
    assert len({w.page for w in said}) > 3


def test_searches_expect_pages_that_exist() -> None:
    """A page that is renamed takes its searches with it."""
    documents = (path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md"))
    known = {page.page for page in pages()} | {path.as_posix() for path in documents}
    assert {page for e in entries("searches") for page in [e["page"], *e.get("accept", [])]} <= known


def test_prose_is_plain_and_has_no_output() -> None:
    """Without roles, headings, claims and settings of the gallery."""
    page = next(page for page in pages() if page.page.endswith("13_errors/collate_none"))
    assert "A loader makes a batch of tensors from arrays" in page.prose
    assert not any(
        mark in page.prose for mark in (":doc:", "=>", "sphinx_gallery", "What does not help", "---")
    )


def test_index_leaves_out_words_that_the_search_does_not_look_for() -> None:
    """Each of them is one of its stop words."""
    page = SearchPage("a", "A", "Guide", prose="This is what runs out of memory: use the same memory.")
    script = search_page.render_script([page], (), ())
    assert '"memory of out runs same"' in script
    search = (ROOT / "src/tensor_atlas/site/search/static/atlas-search.js").read_text("utf-8")
    stop = search.partition("new Set(")[2].partition(".trim()")[0].split()
    assert set(search_page.FILLERS.split()) <= set(stop)


def test_index_has_a_word_of_prose_once_with_the_pages_that_have_it() -> None:
    """In any case but camel case, whose parts are words of their own; steps from page to page, in letters."""
    having = {0: "Copy (copy), `copy`: a DataLoader or DATALOADER.", 27: "copy", 28: "copy"}
    guides = [SearchPage(f"g/{at}", "A", "Guide", prose=having.get(at, "")) for at in range(30)]
    script = search_page.render_script(guides, (), ())
    assert '"words":["DATALOADER DataLoader a copy","a a a aBaa"]' in script


def test_broken_installation_in_other_words_is_not_what_a_page_is_about() -> None:
    """Two old builds speak of a driver where others refuse to pin an array."""
    said = {w.text: w.is_own for w in wordings() if w.page == "gallery/13_errors/pin_an_array"}
    assert said["Can't pin tensor constructed from numpy"]
    assert not any(is_own for text, is_own in said.items() if "driver version" in text)
    assert any("driver version" in text for text in said)


def test_other_words_for_a_question_stand_with_the_best_of_its_examples() -> None:
    """They tell which of several pages a reader wants."""
    found = {page.page.removeprefix("gallery/"): page.questions for page in pages()}
    assert "tensor of strings." in found["03_dtypes/dates_and_bytes"]
    assert "Dtypes that torch lacks" in found["13_errors/object_array"]
    assert "tensor of strings" not in found["13_errors/object_array"]


def test_links_count_the_examples_that_point_to_a_page() -> None:
    """Each once, however often it does."""
    links = search_page.count_links(evidence())
    assert links["13_errors/read_only_array"] > 3
    assert links["13_errors/nothing"] == 0


# --- what a result shows -----------------------------------------------------------------------


def test_every_error_page_shows_its_fix_in_plain_words() -> None:
    """Taken from the page, without markup, and the code that runs there."""
    errors = [page for page in pages() if page.part == ERRORS]
    chapter = {f"gallery/{name}" for name in evidence().pages if name.startswith("13_errors/")}
    assert chapter <= {page.page for page in errors}
    for page in errors:
        example = evidence().pages[page.page.removeprefix("gallery/")].example
        marks = ("``", ":func:", ":meth:", ":doc:", "__", "<http")
        assert page.fix, page.page
        assert not any(mark in page.fix for mark in marks), page.fix
        assert page.code, page.page
        assert all(line in example.source for line in page.code.split("\n"))


def test_quoted_message_is_found_without_its_class() -> None:
    """On an error page alone: what other pages print is a message where its class stands before it."""
    found = {(wording.page, wording.text): wording for wording in wordings()}
    quoted = found["gallery/12_files/albumentations_images", "mask must be numpy array type"]
    assert (quoted.type, quoted.is_own) == ("", True)
    refusal = "Can't export tensors with the conjugate bit set"
    printed = found["gallery/09_protocols/dlpack_refusals", refusal]
    assert printed.type
    assert not printed.is_own


def test_wording_has_the_details_of_each_case() -> None:
    """Those of its text, where no run says what else it was about."""
    assert [one for one in wordings() if not one.cases] == []
    quoted = next(one for one in wordings() if one.text == "mask must be numpy array type")
    assert quoted.cases == {list_details(quoted.text)}


def test_wording_says_with_which_releases() -> None:
    """A wording that not all releases share names those that do."""
    somewhere = [w for w in wordings() if "torch <" in w.where or "torch >=" in w.where]
    assert somewhere
    assert any(w.where == search_page.EVERYWHERE for w in wordings())


def test_wording_names_incompatible_installs_in_words() -> None:
    """Nobody reads ``1.13.1/2.4.6/cpu`` as releases."""
    where = {wording.where for wording in wordings()}
    assert "With torch 1.13.1, NumPy 2.4.6 or torch 2.2.2, NumPy 2.4.6." in where
    assert not [words for words in where if "/cpu" in words]


def test_wording_has_no_colour_codes() -> None:
    """torch makes a part of a message bold, for terminals."""
    bold = [wording.text for wording in wordings() if "do those steps only" in wording.text]
    assert bold
    assert not [text for text in bold if "\x1b" in text or "[1m" in text]


def test_wording_that_no_run_has_shown_says_so() -> None:
    """What an example that nobody ran claims is an expectation."""
    waiting = {f"gallery/{name}" for name, shown in evidence().pages.items() if not shown.runs}
    told = [w for w in wordings() if w.page in waiting]
    assert [w for w in told if w.where == search_page.EVERYWHERE or w.where.startswith("With ")] == []


# --- the script --------------------------------------------------------------------------------


def test_script_is_ascii_and_ends_no_element() -> None:
    """What a run said is a string in it, whatever it looks like."""
    hostile = Wording(pages()[0].page, "E", "</script><script>alert('\N{SNOWMAN}')</script>")
    text = search_page.render_script(pages()[:1], (hostile,), ())
    assert text.isascii()
    assert text.startswith("window.atlasIndex = {")


def test_page_counts_the_others_that_link_to_it() -> None:
    """Each once, however often it does, and not the page itself."""
    link = "# See :doc:`/gallery/01_x/{}`.\n"
    sources = {
        "01_x/a": link.format("b") * 2 + link.format("a") + "f()\n",
        "01_x/b": "f()\n",
        "01_x/c": link.format("b") + link.format("a") + "f()\n",
    }
    shown = {
        name: ExampleEvidence(example(code, f"examples/{name}.py"), Origin.EXPECTED, None, None)
        for name, code in sources.items()
    }
    links = search_page.count_links(Evidence({}, None, Store(), pages=shown))
    assert links == {"01_x/b": 2, "01_x/a": 1}
    described = [search_page.describe_example(one, {}, (), links) for one in shown.values()]
    assert [page.links for page in described] == [1, 2, 0]


def test_result_says_how_well_an_unseen_message_is_borne_out() -> None:
    """By the best that there is."""
    twin = Twin("lazy:0", (CPU,))
    report = Report(("01_x/a",), "https://example.org", 1, "no")
    supports = [Support((twin,)), Support(reports=(report,)), Support()]
    assert [search_page._describe_support(support) for support in supports] == [
        "Captured with lazy:0 as the device: torch 2.13.0. No run on this device has shown it yet.",
        "Reported in a public thread; no run has shown it yet.",
        search_page.UNSEEN,
    ]
