"""What decides in a message whether a page answers it."""

from __future__ import annotations

import pytest

from tensor_atlas.pages.search_details import list_cases, list_details, list_shown_ranks


@pytest.mark.parametrize(
    ("text", "details"),
    [
        ("'numpy.ndarray' object has no attribute 'cpu'", {"name ndarray", "name cpu"}),
        ("found <class 'NoneType'>", {"name nonetype"}),
        ("Could not infer dtype of numpy.float32", {"class float32"}),
        ("expected np.ndarray (got DataFrame)", {"class dataframe"}),
        ("is killed by signal: Bus error. It is possible", {"signal bus error"}),
        ("worker (pid(s) 12, 13) exited unexpectedly", {"signal exited unexpectedly"}),
        ("against API version 0x10 but this version of numpy is 0xf", {"api 0x10", "api 0xf"}),
        ("was removed in the NumPy 2.0 release", {"version 2.0"}),
        ("Invalid shape (3, 512, 640) for image data", {"rank 3"}),
        ("shape (7,), then [2, 3] and torch.Size([4])", {"rank 1", "rank 2"}),
        ("WeightsUnpickler error: Unsupported operand 118", {"byte 118"}),
        ("sum() got an unexpected keyword argument 'dim'", {"name dim", "keyword dim"}),
        ("WeightsUnpickler error: Unsupported operand 60", {"byte 60"}),
        ("Expected 2D (unbatched) or 3-dimensional input", {"rank 2", "rank 3"}),
        ("expected input[2, 8, 9, 3] to have 3 channels, but got 8", {"rank 4"}),
        ("expected input[3, 8, 92, 124] to have 4 channels, but got 8", {"rank 4", "axis channels"}),
        ("expected input[1, 64, 9] to have 6 channels, but got 64", {"rank 3", "axis channels"}),
    ],
)
def test_details_are_names_classes_signals_versions_and_ranks(text: str, details: set[str]) -> None:
    """A name without its module, a shape by its number of axes."""
    assert list_details(text) == details


@pytest.mark.parametrize(
    "text",
    [
        "index 7 is out of bounds for axis 0 with size 5",
        "DataLoader worker (pid 4711) stopped",
        "cuda:1 and cuda:0",
        "The size of tensor a (5) must match the size of tensor b (3)",
        "x = image.transpose((2, 0, 1)).permute(0, 1)",
        "unsupported operand type(s) for 3 * x",
        "Unsupported operands 2 of 3",
        "scalar type Float but got scalar type Double for argument #2 'mat1'",
    ],
)
def test_sizes_ids_indices_and_dtypes_are_no_details(text: str) -> None:
    """The page's answer is the same for all of them; dtypes are compared by themselves."""
    assert list_details(text) == set()


def test_class_that_the_answer_does_not_name_is_another_case() -> None:
    """The page shows both messages; its fix is for the one in its title."""
    said = [
        list_details("Could not infer dtype of NoneType"),
        list_details("Could not infer dtype of numpy.int64"),
    ]
    cases = list_cases(
        "Could not infer dtype of numpy.float32", "Repair it.", "torch.tensor(np.int64(3))", frozenset(), said
    )
    assert cases == ["class float32", "class int64"]


def test_rank_that_the_title_does_not_name_is_another_case() -> None:
    """An image in a batch has another fix than one without."""
    title, said = "Invalid shape (1, 3, 5, 6)", [list_details("Invalid shape (3, 5, 6)")]
    assert list_cases(title, "", "", list_shown_ranks(title, "(2, 3)"), said) == ["rank 4"]


def test_ranks_that_a_page_shows_are_its_own() -> None:
    """Where its title is about no rank."""
    shown = list_shown_ranks("Tensors of unequal size", "torch.zeros(2, 3)\nnp.ones((3, 4, 5))")
    assert list_cases("Tensors of unequal size", "", "", shown, [list_details("got [3]")]) == [
        "rank 1,rank 2,rank 3",
        "rank 2,rank 3",
    ]


def test_api_number_that_the_answer_does_not_name_is_another_case() -> None:
    """Too old and too new have the same words, and the two numbers the other way round."""
    assert (
        list_cases("", "Upgrade torch.", "", frozenset(), [list_details("API version 0xa, numpy is 0x9")])
        == []
    )


def test_title_of_one_axis_is_about_no_rank() -> None:
    """The page covers the ranks that it shows."""
    assert list_shown_ranks("The shape of the mask [2]", "np.ones((3, 4))") == {"rank 2"}
