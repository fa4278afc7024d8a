"""The ranking on small indexes: what a match is, and what comes before what."""

from __future__ import annotations

import pytest

from tensor_atlas.site.ranking import (
    ERRORS,
    EXAMPLE,
    MATRIX,
    Index,
    Leaf,
    Ranking,
    Wording,
    features,
    stem,
    substance,
    tokens,
    words,
)

GRAD = Wording(
    "e/grad", "RuntimeError", "Can't call numpy() on Tensor that requires grad. Use tensor.detach()."
)
CUDA = Wording(
    "e/cuda", "TypeError", "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() first."
)
SMALL = Ranking(
    Index(
        (
            Leaf("e/grad", "Tensor that requires grad", ERRORS),
            Leaf("e/cuda", "CUDA tensor to NumPy", ERRORS, tags="cuda"),
            Leaf("x/from_numpy", "Sharing memory", EXAMPLE, names="from_numpy zeros"),
            Leaf("x/other", "Other things", EXAMPLE, more="What from_numpy accepts", names="from_numpy"),
            Leaf("matrix/conversion/a", "torch.from_numpy(x)", MATRIX),
        ),
        (GRAD, CUDA),
    )
)
FRAME = 'Traceback (most recent call last):\n  File "x.py", line 1, in f\n    requires_grad()\n'


def first(text: str) -> str:
    """Page of the first result."""
    return SMALL.find(text)[0].leaf.page


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sharing shares shared share", ["shar", "shar", "shar", "shar"]),
        ("copies copied copy", ["copy", "copy", "copy"]),
        ("pinned mapped", ["pin", "map"]),
        ("class bits16 from_numpy", ["class", "bits16", "from_numpy"]),
        ("can't Can’t cant", ["cant", "cant", "cant"]),
        ("GPU np.ndarray", ["cuda", "numpy", "array"]),
        ("cuda:3 [2, 5] 0x7f 1.5", ["cuda", "x7f"]),
    ],
)
def test_words_have_one_spelling(text: str, expected: list[str]) -> None:
    """Inflection, case, apostrophes and numbers make no difference."""
    assert words(text) == expected


def test_stem_leaves_three_letters() -> None:
    """Shorter words would be taken for each other."""
    assert [stem("used"), stem("axes"), stem("less")] == ["used", "axe", "less"]


def test_tokens_know_whose_a_name_is() -> None:
    """``np.asarray`` and ``torch.asarray`` are two functions, and parts of a name are words too."""
    assert tokens("np.asarray") == ["asarray", "numpy.asarray"]
    assert tokens("from_numpy") == ["from_numpy", "from", "numpy"]


def test_second_occurrence_is_another_feature() -> None:
    """A message that says a word twice differs from one that says it once."""
    assert features(["a", "b", "a", "b"]) == ["a", "b", "a 2", "b 2", "a b", "b a", "a b 2"]


def test_paste_is_reduced_to_what_may_be_the_message() -> None:
    """No frames, no code of frames, no marks of pytest or of a notebook."""
    text = (
        "Traceback (most recent call last):\n"
        '  File "a.py", line 3, in <module>\n'
        "    raise ValueError\n"
        "            ^^^^^\n"
        "ValueError: first\n\n"
        "During handling of the above exception, another exception occurred:\r\n"
        "----> 3 ax.plot()\n"
        "     12 return\n"
        "-----\n"
        "E       TypeError: second\n"
    )
    assert substance(text) == ["ValueError: first", "TypeError: second"]


@pytest.mark.parametrize(
    "text",
    [
        "TypeError: can't convert cuda:7 device type tensor to numpy.",
        "can't convert cuda:0 device",
        "convert cuda device type tensor to\nnumpy. Use Tensor.cpu() first.",
        FRAME + "TypeError: can’t convert cuda:1 device type tensor to numpy.",
        "/home/u/x.py:3: in f\nE   TypeError: can't convert cuda:0 device type tensor to numpy.",
        "tensor on the gpu",
    ],
)
def test_wording_is_recognised(text: str) -> None:
    """Whole, in part, over two lines, in a traceback, or asked for in other words."""
    assert first(text) == "e/cuda"


def test_result_names_the_wording_that_it_resembles() -> None:
    """And none where the page is found by what it is about."""
    assert SMALL.find("call numpy() on Tensor that requires grad")[0].wording is GRAD
    assert SMALL.find("from_numpy")[0].wording is None


def test_last_error_of_a_chain_comes_first() -> None:
    """It is the one that ended the program."""
    one, two = f"{CUDA.type}: {CUDA.text}", f"{GRAD.type}: {GRAD.text}"
    between = "\n\nDuring handling of the above exception, another exception occurred:\n\n"
    assert first(one + between + two) == "e/grad"
    assert first(two + between + one) == "e/cuda"


def test_page_named_after_a_function_comes_before_those_that_use_it() -> None:
    """And before the matrix, whose pages have hardly more than the call."""
    scores = {SMALL.index.leaves[place].page: score for place, score in SMALL.pages("from_numpy").items()}
    assert first("from_numpy") == "x/from_numpy"
    assert scores["x/from_numpy"] > scores["x/other"] > scores["matrix/conversion/a"]


def test_pages_far_behind_the_best_are_left_out() -> None:
    """They have a word in common, and nothing to say."""
    found = [f.leaf.page for f in SMALL.find("from_numpy")]
    assert "matrix/conversion/a" not in found


def test_beginning_of_the_last_word_is_enough() -> None:
    """While it is being typed; an earlier word must be whole."""
    assert first("shari mem") == first("memory sha") == "x/from_numpy"
    assert SMALL.find("sha zzz") == []


def test_page_about_an_error_comes_before_one_that_shows_it() -> None:
    """The same words on two pages, of which one is its own."""
    shown = Wording("x/other", CUDA.type, CUDA.text, is_own=False)
    ranking = Ranking(Index(SMALL.index.leaves, (shown, CUDA)))
    found = [finding.leaf.page for finding in ranking.find(CUDA.text)]
    assert found[:2] == ["e/cuda", "x/other"]


def test_words_in_a_row_outweigh_words_in_common() -> None:
    """Four in a row that stand in a wording as they are."""
    texts = {"a": "expected np.ndarray (got numpy.float64)", "b": "expected np.ndarray (got numpy.ndarray)"}
    leaves = tuple(Leaf(page, page, ERRORS) for page in texts)
    ranking = Ranking(Index(leaves, tuple(Wording(page, "", text) for page, text in texts.items())))
    assert ranking.find("expected np.ndarray (got numpy.ndarray)")[0].leaf.page == "b"
    assert ranking.find("expected np.ndarray (got numpy.float64)")[0].leaf.page == "a"


@pytest.mark.parametrize(
    "text", ["", "   \n ", "the of a", "zebra crossing", "12 0.5 [3]", "Traceback (most recent call last):"]
)
def test_what_says_nothing_finds_nothing(text: str) -> None:
    """Rather than a page that has nothing to do with it."""
    assert SMALL.find(text) == []
