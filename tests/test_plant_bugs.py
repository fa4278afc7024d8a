"""The script that plants bugs in the source."""

from __future__ import annotations

import ast
from pathlib import Path

import plant_bugs
import pytest
from plant_bugs import ROOT, TESTS, Bug, choose_bugs, find_tests, list_bugs, run_tests

PACKAGE = ROOT / "src" / "tensor_atlas"


def planted(folder: Path, code: str) -> list[tuple[str, str]]:
    """Kinds of the bugs that a module can have, each with the whole module it makes."""
    path = folder / "module.py"
    path.write_text(code, encoding="utf-8")
    bugs = list_bugs("tensor_atlas.module", path)
    return [(bug.kind, bug.apply(path.read_bytes()).decode()) for bug in bugs]


@pytest.mark.parametrize(
    ("code", "bugs"),
    [
        ("if a: b = c", [("condition inverted", "if (not (a)): b = c")]),
        ("x = [a for b in c if d]", [("condition inverted", "x = [a for b in c if (not (d))]")]),
        ("x = a < b", [("comparison changed", "x = (a <= b)")]),
        ("x = a and b", [("and/or swapped", "x = (a or b)")]),
        ("x = 7", [("off by one", "x = 8")]),
        ("x = True", [("constant changed", "x = False")]),
        ("x = '≡', 7", [("off by one", "x = '≡', 8")]),
        ("x = f(a, b)", [("arguments swapped", "x = f(b, a)")]),
        ("f(a)", [("statement removed", "pass")]),
        ("def f() -> int: return a", [("returned value replaced", "def f() -> int: return (a) + 1")]),
        ("def f() -> list[int]: return a", [("returned value replaced", "def f() -> list[int]: return []")]),
        ("def f() -> Cell: return a", [("returned value replaced", "def f() -> Cell: return None")]),
        ("'''Text.'''\nx: A[1] = f'{7}'\n@d(2)\ndef f(a: B[3] = b) -> C[4]: ...", []),
        ("if TYPE_CHECKING: f(a)", []),
    ],
)
def test_bug_is_one_change(tmp_path: Path, code: str, bugs: list[tuple[str, str]]) -> None:
    """Where no annotation, docstring or f-string stands."""
    assert planted(tmp_path, code) == bugs


def test_every_bug_of_a_module_is_python() -> None:
    """And another module than before; otherwise it would be seen by each test, or by none."""
    path = PACKAGE / "toml_tables.py"
    source = path.read_bytes()
    whole = ast.dump(ast.parse(source))
    bugs = list_bugs("tensor_atlas.toml_tables", path)
    assert len(bugs) > 10
    for bug in bugs:
        assert ast.dump(ast.parse(bug.apply(source))) != whole, bug.describe()


def test_choice_is_that_of_the_seed(tmp_path: Path) -> None:
    """The same each time, another one with another seed, none of them twice."""
    path = tmp_path / "module.py"
    path.write_text("if a < 7 and b: f(c, True)\n" * 9, encoding="utf-8")
    bugs = list_bugs("tensor_atlas.module", path)
    first, again, other = choose_bugs(bugs, 20, 1), choose_bugs(bugs, 20, 1), choose_bugs(bugs, 20, 2)
    assert first == again != other
    assert len(set(first)) == len(first) == 20
    assert len(choose_bugs(bugs, 999, 1)) == len(bugs)


@pytest.mark.parametrize(
    ("module", "file"),
    [
        ("tensor_atlas.records.checks", "records/test_checks.py"),
        ("tensor_atlas.cli", "test_cli.py"),
        ("tensor_atlas.checkout.recording", "test_recording.py"),
        ("tensor_atlas.files", "test_files.py"),
        ("tensor_atlas.site.gallery.fix_box", "site/test_fix_box.py"),
        ("tensor_atlas.site.search.landing", "extension/test_extension_landing.py"),
    ],
)
def test_module_is_tested_by_the_file_of_its_name(module: str, file: str) -> None:
    """In the folder of its room, else beside the rooms, else among the builds."""
    assert find_tests(module, [module]) == [TESTS / file]


def test_file_of_another_module_with_that_name_does_not_test_it() -> None:
    """``examples.files`` is not ``files``."""
    module = "tensor_atlas.examples.files"
    found = find_tests(module, [module])
    assert found
    assert TESTS / "test_files.py" not in found


def test_module_without_a_file_is_tested_where_it_is_imported() -> None:
    """By quick tests, as long as there are some."""
    module = "tensor_atlas.model.cells"
    found = find_tests(module, [module])
    assert TESTS / "records" / "test_checks.py" in found
    assert not any("extension" in path.parts for path in found)


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    """A test that the file with a changed text is written."""
    path = tmp_path / "test_planted.py"
    code = "from tensor_atlas.files import replace_if_changed\n\n\ndef test_it(tmp_path):\n"
    code += "    replace_if_changed(tmp_path / 'a', 'b')\n    assert (tmp_path / 'a').read_text() == 'b'\n"
    path.write_text(code, encoding="utf-8")
    return path


def test_tests_that_take_too_long_are_ended(tests: Path) -> None:
    """They say neither that a bug was seen nor that it was not."""
    tests.write_text("import time\n\n\ndef test_it():\n    time.sleep(60)\n", encoding="utf-8")
    assert run_tests([tests], ROOT / "src", 0.5) == "late"


def test_planted_bug_is_told_and_a_survivor_too(tests: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The one changes what the test asks for, the other does not; the source stays as it is."""
    path = PACKAGE / "files.py"
    before = path.read_bytes()
    bugs = [(bug, bug.describe()) for bug in list_bugs("tensor_atlas.files", path)]
    of_writing = [bug for bug, words in bugs if "replace_file(path, content)" in words]
    written = next(bug for bug in of_writing if bug.kind == "statement removed")
    locked = next(bug for bug, words in bugs if "fcntl.LOCK_SH" in words)
    assert plant_bugs._plant([written, locked], {written.module: [tests]}, 600, 1) == 1
    *lines, counts = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["seen", "survived"]
    assert counts == "1 seen; 1 survived"
    assert path.read_bytes() == before


def test_file_that_fails_without_a_bug_says_nothing_of_its_module(
    tests: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is named, and the exit code tells of it."""
    tests.write_text("def test_it():\n    assert False\n", encoding="utf-8")
    bug = list_bugs("tensor_atlas.files", PACKAGE / "files.py")[0]
    assert plant_bugs._plant([bug], {bug.module: [tests]}, 60, 1) == 2
    seen, named, counts = capsys.readouterr().out.splitlines()
    assert seen.startswith("seen ")
    assert str(tests) in named
    assert counts == ""


def test_bug_says_where_it_is() -> None:
    """From the checkout's folder, with what stood there."""
    bug = Bug("tensor_atlas.files", PACKAGE / "files.py", "off by one", 1, 0, 3, "x\n  y")
    assert bug.describe() == 'src/tensor_atlas/files.py:1  off by one: """ -> x y'
