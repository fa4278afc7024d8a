"""Messages that claims hold, and the words in them that stay the same."""

from __future__ import annotations

import pytest
from samples import example

from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.messages import (
    fix_words,
    list_claimed_messages,
    list_parts,
    list_searched_words,
    split_signs,
)

CONVERT = "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy it."
CAUGHT = "try:\n    f()\nexcept TypeError as error:\n    print(error)\n# => "


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (CONVERT, "can't convert … device type tensor to numpy. Use Tensor.cpu() to copy it."),
        ("but got mat1 is on cpu, different from cuda:0 ...", "but got … is on … , different from"),
        ("'numpy.ndarray' isn't a \"Tensor\" here", "isn't a … here"),
        ("Input type (torch.cuda.FloatTensor) and weight", "Input type … and weight"),
    ],
)
def test_values_names_and_devices_are_left_open(message: str, words: str) -> None:
    """An apostrophe inside a word opens no quote; fixed words stay fixed when they are fixed again."""
    assert fix_words(message) == words
    assert fix_words(words) == words


def test_what_could_stand_in_any_library_is_not_looked_for() -> None:
    """One or two words, the name of a class, and what Python itself says."""
    assert list_parts("can't convert … device type tensor to numpy.") == ["device type tensor to numpy."]
    assert list_parts("an odd device") == ["an odd device"]
    assert list_parts("odd device") == []
    assert list_parts("TypeError") == []
    assert list_parts("refused … it") == []
    assert list_parts("object has no attribute") == []


@pytest.mark.parametrize("lines", [["- f()"], ["+ g()", ""], []])
def test_fix_with_one_side_is_refused(lines: list[str]) -> None:
    """With the path and what to write; of two sides each has its lines."""
    with pytest.raises(AtlasError) as caught:
        split_signs(lines, "examples/01_x/a.py")
    assert str(caught.value) == (
        "examples/01_x/a.py  a fix with one side\n    write lines with '- ' and lines with '+ '"
    )
    assert split_signs(["- f()", "- g()", "+ h()"], "") == ("f()\ng()", "h()")


def test_printed_errors_and_warnings_are_messages() -> None:
    """The name of a class, and what is printed outside of an ``except`` clause, are none."""
    code = (
        f"{CAUGHT}no such thing here\nwarn()\n# => UserWarning: look out now\nprint('no such thing here')\n"
    )
    named = "# => no such thing here\ntry:\n    f()\nexcept TypeError as error:\n    print(type(error))\n"
    statements = example(code + named + "# => TypeError\n").statements
    found = [(m.type, m.text, m.is_warning) for s in statements for m in list_claimed_messages(s)]
    assert found == [("TypeError", "no such thing here", False), ("UserWarning", "look out now", True)]


def test_only_examples_that_need_a_gpu_are_searched_for() -> None:
    """What any machine runs is recorded, and needs no other evidence."""
    tags = '# sphinx_gallery_tags = ["cuda"]\n'
    assert list_searched_words(example(f"{CAUGHT}no such thing here\n")) == {}
    assert list_searched_words(example(f"{tags}{CAUGHT}no such thing here\n")) == {"no such thing here": 9}
