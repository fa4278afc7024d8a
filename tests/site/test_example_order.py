"""Order of the examples of a chapter."""

from __future__ import annotations

from pathlib import Path

from samples import ROOT

from tensor_atlas.site.gallery.example_order import MostWantedFirst


def write_examples(folder: Path, *titles: str) -> None:
    """Scripts named by their titles in small letters."""
    folder.mkdir(parents=True)
    for title in titles:
        (folder / f"{title.lower()}.py").write_text(f'"""\n{title}\n====\n\nA lead.\n"""\n', encoding="utf-8")


def test_what_a_list_names_first_stands_first_and_the_rest_follows_by_title(tmp_path: Path) -> None:
    """By the list that names the most examples of the chapter."""
    chapter = tmp_path / "examples/01_x"
    write_examples(chapter, "Apple", "Bread", "Curd", "Dough")
    (tmp_path / "docs/reference").mkdir(parents=True)
    (tmp_path / "docs/reference/errors.md").write_text("01_x/bread: eat\n", encoding="utf-8")
    asked = 'examples = ["01_x/dough", "02_y/apple"]\nexamples = ["01_x/curd", "01_x/dough"]\n'
    (tmp_path / "docs/scenarios.toml").write_text(asked, encoding="utf-8")
    names = sorted((path.name for path in chapter.iterdir()), key=MostWantedFirst(str(chapter)))
    assert names == ["dough.py", "curd.py", "apple.py", "bread.py"]


def test_chapter_of_errors_has_the_order_of_the_error_index() -> None:
    """And each error page a place in it."""
    folder = ROOT / "examples/13_errors"
    key = MostWantedFirst(str(folder))
    names = [path.name for path in folder.glob("*.py")]
    assert min(names, key=key) == "cuda_to_numpy.py"
    assert len(names) == len({key(name)[0] for name in names})
    assert (
        min(
            (path.name for path in (ROOT / "examples/01_numpy_to_tensor").glob("*.py")),
            key=MostWantedFirst(str(ROOT / "examples/01_numpy_to_tensor")),
        )
        == "from_numpy.py"
    )
