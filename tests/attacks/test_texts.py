"""Mutated texts of examples and tables: each is read, or refused with file, line and remedy, never with a
traceback.
"""

from __future__ import annotations

import random
import re
import shutil
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from attacks_count import chances, times
from samples import CASES, HEAD, ROOT

from tensor_atlas.compare import deviations
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples import scenarios
from tensor_atlas.examples.files import read_examples
from tensor_atlas.probe.__main__ import main
from tensor_atlas.probe.capture import read_settings

BATCH = 250
TOLD = re.compile(r"01_x/e\d+\.py:[1-9]\d*  \S.*\n    \S.*")
"""File, line and what is wrong; then what to do."""
TEXTS = [
    path.read_bytes() for path in sorted((ROOT / "examples").glob("*/*.py")) + sorted(CASES.rglob("*.py"))
]
PIECES = [
    *(
        b"# %%\n",
        b"# =>",
        b"# => \n",
        b"    # => 1\n",
        b"# =>1",
        b"#=>",
        b"# ->",
        b"# %%",
        b"####################\n",
    ),
    *(
        b'"""',
        b"'''",
        b"\\\n",
        b"\x00",
        b"\x0c",
        b"\r",
        b"\r\n",
        b"\x1b[31m",
        b"\xff",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
    ),
    *(
        "\u2028\u202e\ud7ff\U0001f600é".encode(),
        b"\t",
        b" ",
        b"\n\n\n",
        b";",
        b":",
        b"(",
        b")" * 3,
        b"[" * 300,
    ),
    *(
        b"x = " + b"-" * 4000 + b"1\n",
        b"x = 1" + b" + 1" * 3000 + b"\n",
        b"a" + b".b" * 3000 + b"\n",
        b"9" * 5000,
    ),
    *(
        b"return\n",
        b"await x\n",
        b"yield\n",
        b"from __future__ import annotations\n",
        b"from __future__ import braces\n",
    ),
    *(b"# sphinx_gallery_tags = [", b"# sphinx_gallery_tags = 1\n", b"# sphinx_gallery_start_ignore\n"),
    *(
        b"# sphinx_gallery_tags = " + b"[" * 200 + b"\n",
        b"# -*- coding: utf-16 -*-\n",
        b"nonlocal x\n",
        b"*a, *b = c\n",
    ),
    *(
        b"match x:\n    case _:\n        pass\n",
        b"try:\n    x\nexcept* E:\n    break\n",
        b"lambda: (yield)\n",
        b"f'{x!z}'\n",
    ),
    *(
        b"global a\n",
        b"class A:\n",
        b"def f(a, a): pass\n",
        b"async def f():\n",
        b"del f()\n",
        b"x: int = \n",
        b"import a as\n",
    ),
]


TABLE_PIECES = [
    *(
        b"[[deviation]]\n",
        b"[gap]\n",
        b"[a.b]\n",
        b"[tool]\n",
        b"tool = 3\n",
        b"= ",
        b'"""',
        b"[" * 3000,
        b"9" * 5000,
    ),
    *(b"1" + b"0" * 400, b"inf", b"true", b"[]", b"{}", b"1979-13-45", b'"\\ud800"', b"\xff", b"\x00"),
    *(
        b"torch < ",
        b"torch ~= 1",
        b"torch == 2.*",
        b"numpy >= x",
        b" and and ",
        b"torch < 2.0+cpu",
        b"cuda:0",
    ),
    *(b'environments = [""]\n', b'at = "x"\n', b'example = "*"\n', b"ends = 1\n", b"timeout = 1e308\n"),
]
"""What is put into tables."""


def mutated(text: bytes, chance: random.Random, put_in: Sequence[bytes] = PIECES) -> bytes:
    """Text with one to four changes: lines and bytes lost, doubled, moved or ``put_in``, ends cut off, texts
    joined.
    """
    for _ in range(chance.randint(1, 4)):
        at, to = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        lines = text.split(b"\n")
        line, other = (chance.randrange(len(lines)) for _ in range(2))
        match chance.randrange(7):
            case 0:
                text = text[:at] + text[chance.choice([to, len(text)]) :]
            case 1:
                text = text[:at] + chance.choice(put_in) + text[at:]
            case 2:
                text = b"\n".join([*lines[:line], chance.choice(put_in).removesuffix(b"\n"), *lines[line:]])
            case 3:
                text = b"\n".join([*lines[:line], *lines[line + 1 :]])
            case 4:
                text = b"\n".join([*lines[:line], lines[other], *lines[line:]])
            case 5:
                text = b"\n".join(
                    [*lines[:line], b" " * chance.randrange(9) + lines[line].lstrip(), *lines[line + 1 :]]
                )
            case _:
                text = text[:at] + chance.randbytes(chance.randrange(4)) + text[at + 1 :]
    return text


def refused(folder: Path) -> list[str]:
    """Message for each example below a folder that cannot be read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's own doubts about the code
        try:
            read_examples([folder], folder)
        except AtlasError as error:
            lines = str(error).split("\n")
            return ["\n".join(lines[index : index + 2]) for index in range(0, len(lines), 2)]
    return []


@pytest.mark.attack
def test_mutated_texts_are_read_or_refused(tmp_path: Path) -> None:
    """With where, what and what to do, whatever became of the text."""
    chance = chances()
    count, told = times(300, 20_000), []
    for batch in range(0, count, BATCH):
        shutil.rmtree(tmp_path / "01_x", ignore_errors=True)
        (tmp_path / "01_x").mkdir()
        for index in range(batch, min(batch + BATCH, count)):
            text = mutated(chance.choice(TEXTS), chance)
            (tmp_path / "01_x" / f"e{index}.py").write_bytes(text)
        told += refused(tmp_path)
    assert count / 4 < len(told) < count, "some can still be read"
    assert [message for message in told if not TOLD.fullmatch(message)] == []


TABLES: dict[str, Callable[[Path], object]] = {
    "deviations.toml": lambda path: deviations.parse_deviations(path.read_text(encoding="utf-8"), path.name),
    "gaps.toml": lambda path: deviations.parse_gaps(path.read_text(encoding="utf-8"), path.name),
    "scenarios.toml": lambda path: scenarios.parse_scenarios(
        path.read_text(encoding="utf-8"), path.name, {"01_x/a"}
    ),
    "pyproject.toml": read_settings,
}
"""Tables that people write, and what reads them."""


@pytest.mark.attack
def test_mutated_tables_are_read_or_refused(tmp_path: Path) -> None:
    """With the file, what is wrong and what to do; a few entries at a time, as reading all takes long."""
    chance = chances()
    texts = {
        name: ((ROOT if name == "pyproject.toml" else ROOT / "docs") / name).read_bytes() for name in TABLES
    }
    entries = {name: text.split(b"\n\n") for name, text in texts.items()}
    count, told = times(300, 20_000), []
    for _ in range(count):
        name = chance.choice(list(TABLES))
        first = chance.randrange(len(entries[name]))
        text = mutated(b"\n\n".join(entries[name][first : first + 4]), chance, TABLE_PIECES)
        (tmp_path / name).write_text(text.decode(errors="replace"), encoding="utf-8")
        try:
            TABLES[name](tmp_path / name)
        except AtlasError as error:
            told.append(str(error))
    assert count / 4 < len(told) < count, "some can still be read"
    assert [message for message in told if not re.match(r"\S+\.toml(:\d+)?  \S.*\n    \S", message)] == []


def caught(depth: int) -> str:
    """Statements that each catch what the one around them has raised, and that many of them."""
    levels = [f"{' ' * at}try:\n{' ' * at} f()\n{' ' * at}except OSError:\n" for at in range(depth)]
    return "".join([*levels, f"{' ' * depth}x = 1\n"])


HARD = {
    "x = " + "-" * 100_000 + "1\n": "8  nested too deep for Python",
    "a" + ".b" * 100_000 + "\n": "8  nested too deep for Python",
    "x = 1" + " + 1" * 100_000 + "\n": "8  nested too deep for Python",
    caught(9): r"\d+  except clauses that cannot report: too many statically nested blocks",
    caught(30): r"\d+  not Python: too many statically nested blocks",
    "x = " + "(" * 300 + ")" * 300 + "\n": "8  not Python: too many nested parentheses",
    "x = 1\n# sphinx_gallery_tags = " + "-" * 5000 + "1\n": "9  tags are not a list of strings",
    "x = " + "9" * 5000 + "\n": "8  not Python: Exceeds the limit",
    "x = '\0'\n": "1  not Python: source code string cannot contain null bytes",
}


@pytest.mark.parametrize("code", HARD, ids=[words[:30] for words in HARD.values()])
def test_text_that_exhausts_the_parser_is_refused(code: str, tmp_path: Path) -> None:
    """Nesting costs Python's stack: that is the text's fault, and is told as such."""
    (tmp_path / "01_x").mkdir()
    (tmp_path / "01_x" / "e1.py").write_text(HEAD + code, encoding="utf-8")
    (message,) = refused(tmp_path)
    assert re.match(rf"01_x/e1\.py:{HARD[code]}", message)
    assert TOLD.fullmatch(message)


@pytest.mark.parametrize("docstring", ['""', '"   "', '"""\n\n"""', '"\\n"', "''''''"])
def test_docstring_without_words_is_none(docstring: str, tmp_path: Path) -> None:
    """It gives a page no title."""
    (tmp_path / "01_x").mkdir()
    (tmp_path / "01_x" / "e1.py").write_text(f"{docstring}\n\nx = 1\n", encoding="utf-8")
    (message,) = refused(tmp_path)
    assert message.startswith("01_x/e1.py:1  no docstring\n    begin with")


@pytest.mark.parametrize(
    "name", ["a\x1b[31m.py", "a\nb.py", "a\u202eb.py", b"\xff.py".decode(errors="surrogateescape")]
)
def test_name_that_cannot_be_printed_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would reach terminals, records and pages; the message spells it out, in two lines."""
    (tmp_path / "01_x").mkdir()
    (tmp_path / "01_x" / name).write_text(HEAD + "x = 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["01_x", "-o", "capture.json"]) == 2
    told = capsys.readouterr().err
    assert told.isascii()
    assert told.endswith("  a name that cannot be printed\n    rename it\n")
    assert told.count("\n") == 2
    assert "\x1b" not in told
