"""The script that measures the code."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from measure_house import count_decisions, main, measure_functions

PAGE = """# Design

| room | what belongs there | modules |
| --- | --- | --- |
| files | files | `files` |
| model | dataclasses | `runs` |
| site | pages | `pages` |

And so on.
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A package of three rooms, of which the last imports the others and holds a folder."""
    texts = {
        "docs/contributing/design.md": PAGE,
        "docs/_static/atlas.js": "const x = 1;\n",
        "noxfile.py": "import nox\n\n",
        "src/tensor_atlas/__init__.py": "",
        "src/tensor_atlas/files.py": "TEXT = 1\n",
        "src/tensor_atlas/model/__init__.py": "",
        "src/tensor_atlas/model/runs.py": "import tensor_atlas.files\n",
        "src/tensor_atlas/site/__init__.py": "",
        "src/tensor_atlas/site/pages.py": "import tensor_atlas.files\nfrom tensor_atlas.model import runs\n",
        "src/tensor_atlas/site/search/box.py": "from tensor_atlas.site.pages import runs\n\n\n\n",
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def measure(checkout: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Lines that the script prints of a checkout."""
    assert main([str(checkout)]) == 0
    return capsys.readouterr().out.splitlines()


def test_lines_and_arrows_are_counted(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those of a folder inside the site are the site's, and what it imports there is no arrow."""
    lines = measure(checkout, capsys)
    assert lines[1] == "site               6   75.0%    0.0"
    assert lines[-7:] == [
        "Python below site/: 6 lines",
        "Python of src: 8 lines",
        "Python of src, noxfile.py and JavaScript: 11 lines (8 + 2 + 1)",
        "decisions in 10 lines of functions: 0.0 (0 in 0 lines)",
        "arrows among rooms: 3",
        "arrows up: 0",
        "circles among rooms: 0",
    ]


def test_planted_circle_is_named(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the arrow that runs up and the module it starts in, even inside a function."""
    path = checkout / "src" / "tensor_atlas" / "files.py"
    path.write_text("def read():\n    from tensor_atlas.model import runs\n", encoding="utf-8")
    assert measure(checkout, capsys)[-5:] == [
        "arrows among rooms: 4",
        "arrows up: 1",
        "    files -> model: tensor_atlas.files",
        "circles among rooms: 1",
        "    files, model",
    ]


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("if a:\n    b\nelif c:\n    d\nelse:\n    e", 2),
        ("x = a if b else c", 1),
        ("while a and b or c: pass", 3),
        ("try:\n    a\nexcept OSError:\n    b\nfinally:\n    c", 1),
        ("x = [a for b in c if d if e for f in g]", 4),
        ("match a:\n    case 1: b\n    case _: c", 2),
        ("assert a == b", 0),
    ],
)
def test_decisions_are_counted(code: str, count: int) -> None:
    """As the script's first lines say."""
    assert count_decisions(ast.parse(code)) == count


def test_docstrings_are_no_lines_of_functions() -> None:
    """Nor is what stands outside functions; a function inside another one counts once."""
    code = '''x = 1 if 2 else 3
class A:
    def f(self):
        """Do.

        It.
        """
        def g():
            """Do."""
            return 1 or 2

        return g
'''
    assert measure_functions(ast.parse(code)) == (1, 5)
