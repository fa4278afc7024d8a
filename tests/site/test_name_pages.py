"""Lines of the page of names, as nodes."""

from __future__ import annotations

import pytest
from docutils import nodes

from tensor_atlas.pages.name_history import NameGroup, Remedy
from tensor_atlas.site.releases.name_pages import FEW, NameLines, describe_asked

NAMES = tuple("abcdefg")


def test_few_names_are_code_and_many_stand_in_one_line() -> None:
    """Behind the module that has them, which few names have before each."""
    few = NameLines(set()).build(NameGroup("numpy.lib", NAMES[:FEW], Remedy()))
    assert few.astext() == "np.lib.a, np.lib.b, np.lib.c"
    assert len(list(few.findall(nodes.literal))) == FEW
    many = NameLines(set()).build(NameGroup("numpy.lib", NAMES[: FEW + 1], Remedy()))
    assert many.astext() == "np.lib: a, b, c, d"
    assert list(many.findall(nodes.literal)) == []
    assert many["attributes"] == {"data-library": "numpy"}


def test_name_has_one_anchor_where_it_stands_first() -> None:
    """The later line has none: an address leads to one place."""
    lines = NameLines(set())
    group = NameGroup("torch", ("a",), Remedy())
    first, second = (lines.build(group) for _ in range(2))
    anchors = [[node["ids"] for node in line.findall(nodes.literal)] for line in (first, second)]
    assert anchors == [[["torch.a"]], [[]]]


@pytest.mark.parametrize(
    ("remedy", "names", "words"),
    [
        (Remedy(), ["a"], ""),
        (Remedy(write="np.b"), ["a"], ": write np.b."),
        (Remedy(note="It keeps `x`."), ["a"], " It keeps x."),
        (Remedy(moved="np."), ["a"], ": write np.a."),
        (Remedy(moved="np."), ["a", "b"], ": write np.…."),
        (Remedy(write="np.b", moved="np."), ["a"], ": write np.b."),
        (Remedy(message="gone"), ["a"], ": “gone”"),
        (Remedy(message="gone", write="np.b"), ["a"], ": write np.b. It says: “gone”"),
    ],
)
def test_remedy_stands_behind_the_names(remedy: Remedy, names: list[str], words: str) -> None:
    """Reviewed code before where the name moved, and then what the package says."""
    group = NameGroup("numpy", tuple(names), remedy)
    line = NameLines(set()).build(group)
    assert line.astext() == ", ".join(f"np.{name}" for name in names) + words
    assert "`" not in line.astext()


def test_releases_that_were_not_asked_are_named() -> None:
    """If there are any."""
    assert describe_asked("NumPy", ["2.0"], []) == "Asked: NumPy 2.0."
    assert describe_asked("NumPy", ["2.0"], ["2.4"]) == "Asked: NumPy 2.0. Not asked: 2.4."
