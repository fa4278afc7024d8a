"""Tables of TOML files as the types that declare them: what is refused, with file, line, key and remedy."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from tensor_atlas.errors import AtlasError
from tensor_atlas.toml_tables import Count, read_tables


@dataclass(frozen=True)
class Entry:
    """One table of the tests."""

    title: str
    line: int
    origin: str = field(default="", metadata={"key": "from"})
    names: tuple[str, ...] | None = None
    count: Count = 0
    strict: bool = False


def read(text: str) -> list[tuple[Entry, str]]:
    """Entries of a file."""
    return read_tables(text, "entry", "f.toml", Entry)


def test_table_is_read_as_its_type_declares_it() -> None:
    """Defaults stand for keys that are left out; the line is that of the head."""
    text = (
        '# A comment.\n[[entry]]\ntitle = "a"\n\n[[entry]]\ntitle = "b"\nfrom = "c"\nnames = []\ncount = 2\n'
    )
    assert read(text) == [
        (Entry("a", 2), "f.toml:2"),
        (Entry("b", 5, "c", (), 2), "f.toml:5"),
    ]


@pytest.mark.parametrize(
    ("keys", "what", "remedy"),
    [
        ("", "no title", 'write title = "…"'),
        ('title = " "', "no title", 'write title = "…"'),
        ("title = 1", "title: Expected `str`, got `int`", 'write title = "…"'),
        ("title = 2026-01-31", "title: Expected `str`, got `date`", 'write title = "…"'),
        ('title = "a"\nfrom = ""', "no from", 'write from = "…"'),
        ('title = "a"\nnames = "b"', "names: Expected `array`, got `str`", 'write names = ["…"]'),
        ('title = "a"\nnames = [1]', "names: Expected `str`, got `int` - at `$[0]`", 'write names = ["…"]'),
        ('title = "a"\ncount = true', "count: Expected `int`, got `bool`", "write count = 1"),
        ('title = "a"\ncount = -1', "count: Expected `int` >= 0", "write count = 1"),
        ('title = "a"\nstrict = 1', "strict: Expected `bool`, got `int`", "write strict = true"),
        (
            'title = "a"\nline = 3\norigin = "b"',
            "unknown field line, origin",
            "fields are count, from, names, strict, title",
        ),
    ],
)
def test_wrong_key_is_named_with_file_line_and_remedy(keys: str, what: str, remedy: str) -> None:
    """Whatever is wrong with it."""
    with pytest.raises(AtlasError) as caught:
        read(f"\n[[entry]]\n{keys}\n")
    assert str(caught.value) == f"f.toml:2  {what}\n    {remedy}"
