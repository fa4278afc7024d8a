"""Renaming and removing an example: nothing of it is lost, and nothing names what is gone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from samples import captured, example, project, ran, write_example

from tensor_atlas import cli
from tensor_atlas.compare.moves import MOVED, Move, parse_moves
from tensor_atlas.records import store

CODE = "print(1)\n# => 1\n"
GUIDE = """See {doc}`/gallery/01_x/a`, {example}`01_x/a`, {doc}`/gallery/01_x/a_longer`, examples/01_x/a.py.
:ref:`sphx_glr_gallery_01_x_a.py`, :ref:`sphx_glr_gallery_01_x_a_longer.py`
"""
MENDED = GUIDE.replace("01_x/a`", "02_y/new`").replace("01_x/a.", "02_y/new.").replace("01_x_a.", "02_y_new.")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with three examples, records of two, and pages that name the first; the working directory."""
    root = project(tmp_path / "checkout")
    for name in ("01_x/a", "01_x/a_longer", "02_y/b"):
        write_example(root, CODE, name)
    found = store.Store()
    for name in ("01_x/a", "02_y/b"):
        found = store.add_capture(found, captured(ran(example(CODE, f"examples/{name}.py"), "1")))
    store.write_records(found, root / "docs" / "records")
    (root / "docs" / "guide.md").write_text(GUIDE, encoding="utf-8")
    (root / "docs" / "_build").mkdir()
    (root / "docs" / "_build" / "guide.md").write_text(GUIDE, encoding="utf-8")
    monkeypatch.chdir(root)
    return root


def moves(root: Path) -> list[Move]:
    """The entries of the table."""
    return parse_moves((root / MOVED).read_text(encoding="utf-8"))


def test_script_record_and_mentions_follow_the_name(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The evidence is the same under the new name, and sealed; no build's file and no longer name changes."""
    before = store.read_records(checkout / "docs" / "records")
    script = (checkout / "examples/01_x/a.py").read_text(encoding="utf-8")
    assert cli.main(["rename", "01_x/a", "02_y/new"]) == 0
    assert "docs/guide.md  names 02_y/new\n" in capsys.readouterr().out
    after = store.read_records(checkout / "docs" / "records")
    assert set(after.records) == {"02_y/new", "02_y/b"}
    (old,), (new,) = (
        [run for _, run in found.all_runs() if run.example == name]
        for found, name in ((before, "01_x/a"), (after, "02_y/new"))
    )
    assert replace(new, example=old.example) == old
    assert store.find_unsealed(checkout / "docs" / "records") == []
    assert not (checkout / "examples/01_x/a.py").exists()
    assert (checkout / "examples/02_y/new.py").read_text(encoding="utf-8") == script
    assert (checkout / "docs/guide.md").read_text(encoding="utf-8") == MENDED
    assert (checkout / "docs/_build/guide.md").read_text(encoding="utf-8") == GUIDE
    assert moves(checkout) == [Move("gallery/01_x/a", "gallery/02_y/new")]
    assert cli.main(["record", "--check"]) == 1, "one example without a record, as before"


def test_tracebacks_in_a_record_name_the_script_that_there_is(checkout: Path) -> None:
    """As they will when it runs under its new name; other scripts stay, also those whose names end alike."""
    said = 'File "examples/01_x/a.py", line 3\na.py:3: UserWarning\nb/a.py, 01_x/aa.py, data.py, a.pyc'
    found = store.add_capture(store.Store(), captured(ran(example(CODE), said)))
    store.write_records(found, checkout / "docs" / "records")
    assert cli.main(["rename", "01_x/a", "02_y/new"]) == 0
    ((_, run),) = store.read_records(checkout / "docs" / "records").all_runs()
    now = 'File "examples/02_y/new.py", line 3\nnew.py:3: UserWarning\nb/a.py, 01_x/aa.py, data.py, a.pyc'
    assert run.observations[0].stdout == now


def test_old_addresses_follow_a_second_name(checkout: Path) -> None:
    """Each leads to the page that there is; a name that comes back leads nowhere."""
    assert cli.main(["rename", "01_x/a", "02_y/new"]) == 0
    assert cli.main(["rename", "02_y/new", "01_x/third"]) == 0
    third = "gallery/01_x/third"
    assert moves(checkout) == [Move("gallery/01_x/a", third), Move("gallery/02_y/new", third)]
    assert cli.main(["rename", "01_x/third", "01_x/a"]) == 0
    assert moves(checkout) == [Move(third, "gallery/01_x/a"), Move("gallery/02_y/new", "gallery/01_x/a")]


def test_removed_example_leads_to_another(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Places that still name it are listed, for a person has to say what they should name."""
    assert cli.main(["remove", "01_x/a", "--instead", "02_y/b"]) == 1
    assert capsys.readouterr().out == (
        "docs/guide.md:1  still names 01_x/a\ndocs/guide.md:2  still names 01_x/a\n"
    )
    assert moves(checkout) == [Move("gallery/01_x/a", "gallery/02_y/b")]
    assert not (checkout / "examples/01_x/a.py").exists()
    assert set(store.read_records(checkout / "docs" / "records").records) == {"02_y/b"}
    assert cli.main(["remove", "01_x/a_longer", "--instead", "02_y/b"]) == 1, "the guide names that, too"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rename", "01_x/aa", "02_y/new"], "01_x/aa  no such example"),
        (["rename", "01_x/a", "02_y/b"], "02_y/b  is taken"),
        (["rename", "01_x/a", "03_z/b"], "03_z/b  no such chapter"),
        (["rename", "01_x/a", "../b"], "../b  no name of an example"),
        (["rename", "01_x/a", "02_y/_b"], "02_y/_b  no name of an example"),
        (["remove", "01_x/a", "--instead", "01_x/a"], "01_x/a  cannot stand for itself"),
        (["remove", "01_x/a", "--instead", "01_x/c"], "01_x/c  no such example"),
    ],
)
def test_refused_move_changes_nothing(
    arguments: list[str], message: str, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One message and exit code 2."""
    before = {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file()}
    assert cli.main(arguments) == 2
    assert message in capsys.readouterr().err
    after = {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file()}
    assert {path: text for path, text in after.items() if path in before} == before
    assert not (checkout / MOVED).exists()


def test_edited_record_is_not_moved(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Under a new seal nobody would see the edit."""
    path = checkout / "docs/records/01_x/a.json"
    path.write_text(path.read_text(encoding="utf-8").replace("print(1)", "print(2)"), encoding="utf-8")
    assert cli.main(["rename", "01_x/a", "02_y/new"]) == 2
    assert "was edited or merged" in capsys.readouterr().err
    assert path.is_file()
    assert (checkout / "examples/01_x/a.py").is_file()
