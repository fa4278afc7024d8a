"""Text of an example → blocks, statements, claims."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from samples import HEAD, example

from tensor_atlas.examples.parse import (
    Claim,
    ScriptError,
    Statement,
    example_name,
    is_setting,
    parse_example,
)
from tensor_atlas.model.runs import AFTER, LATE

BLOCKS = """import torch

# %%
# A heading
# ---------
# Prose.

one = 1
# a comment between
two = (
    2
)
# => first
# =>
# =>   third

# %%
# Prose without code.

# %%
# More prose.
print(one)
"""


def test_docstring_gives_title_and_summary() -> None:
    """The first line is the title, the first paragraph under the rule the summary, on one line."""
    parsed = parse_example(
        '"""\nThe title\n=========\n\nDecide this\nor that.\n\nMore.\n"""\n', "examples/01_x/a.py"
    )
    assert parsed.title == "The title"
    assert parsed.summary == "Decide this or that."
    assert parsed.name == "01_x/a"
    assert parsed.blocks == ()


def test_title_alone_leaves_the_summary_empty() -> None:
    """A docstring of one paragraph has no summary."""
    assert parse_example('"""Title."""\n', "a/b.py").summary == ""


def test_blocks_are_what_stands_between_the_percent_lines() -> None:
    """A block holds the statements up to the next ``# %%``; prose without code is none."""
    blocks = example(BLOCKS).blocks
    assert [[s.code for s in block.statements] for block in blocks] == [
        ["import torch"],
        ["one = 1", "two = (\n    2\n)"],
        ["print(one)"],
    ]
    assert [(block.line, block.last_line) for block in blocks] == [(8, 8), (15, 22), (29, 29)]


def test_block_carries_the_heading_it_stands_under() -> None:
    """A comment with a rule of dashes under it is a heading, and stays until the next."""
    assert [block.section for block in example(BLOCKS).blocks] == ["", "A heading", "A heading"]


@pytest.mark.parametrize("border", ["# %%", "#%%", "# %% and words", "#" * 20])
def test_every_spelling_of_a_border_that_the_gallery_knows_begins_a_block(border: str) -> None:
    """sphinx-gallery splits at ``# %%``, ``#%%`` and at a line of 20 or more #."""
    assert len(example(f"one = 1\n\n{border}\n# Prose.\n\ntwo = 2\n").blocks) == 2


def bare(code: str) -> list[str]:
    """Lines of code without blank lines and comments."""
    return [line for line in code.split("\n") if line.strip() and not line.lstrip().startswith("#")]


@pytest.mark.parametrize(
    "code",
    [
        BLOCKS,
        "# %%\n# Prose.\none = 1\n",
        "# %%\none = 1\n# %%\n@property\ndef f():\n    # %%\n    pass\n",
        "#%% and words\n# Prose.\n\n# A comment.\n   # Indented.\none = 1  # %%\n",
        f"one = 1\n{'#' * 30} words\n#\n# Prose.\ntwo = 2",
        "# sphinx_gallery_thumbnail_number = 1\none = 1\n# sphinx_gallery_defer_figures\ntwo = 2\n",
    ],
)
def test_blocks_are_those_of_the_gallery(code: str, tmp_path: Path) -> None:
    """Whatever follows prose, with or without a blank line, sphinx-gallery splits as we do."""
    parser = pytest.importorskip("sphinx_gallery.py_source_parser")
    what = example(code)
    path = tmp_path / "a.py"
    path.write_text(what.source, encoding="utf-8")
    _, blocks = parser.split_code_and_text_blocks(path)
    shown = [bare(parser.remove_config_comments(block.content)) for block in blocks if block.type == "code"]
    lines = what.source.split("\n")
    assert [bare("\n".join(lines[b.line - 1 : b.last_line])) for b in what.blocks] == [
        block for block in shown if block
    ]


@pytest.mark.parametrize(
    ("code", "line", "words"),
    [
        ('text = """\n# %%\n"""\n', 9, "a border of blocks inside a statement"),
        ("if True:\n    one = 1\n#%%\n    two = 2\n", 10, "a border of blocks inside a statement"),
        ("one = 1\n# %% words", 9, "a border of blocks without a line end"),
        ("one = 1\n# sphinx_gallery_start_ignore\ntwo = 2\n# sphinx_gallery_end_ignore\n", 9, "hidden code"),
        ("# sphinx_gallery_thumbnail_number =\none = 1\n", 8, "a setting that takes code with it"),
        ("#\nsphinx_gallery_one = 1\n", 8, "a setting that takes code with it"),
        ('text = """\n# sphinx_gallery_one = 1\n"""\n', 9, "a setting that takes code with it"),
    ],
)
def test_what_the_gallery_would_split_otherwise_is_refused(code: str, line: int, words: str) -> None:
    """sphinx-gallery knows lines, not statements: a page would show other blocks than those that run."""
    with pytest.raises(ScriptError, match=words) as caught:
        example(code)
    assert caught.value.line == line
    with pytest.raises(ScriptError, match=words) as caught:
        parse_example(f"\n{HEAD}{code}", "examples/01_x/a.py")
    assert caught.value.line == line + 1


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('("""Title."""\n"more")\none = 1\n', 1, "the docstring goes on after its first string"),
        ('(\n"""Title."""\n)\none = 1\n', 2, "the docstring goes on after its first string"),
        ('"""Title."""; one = 1\n', 1, "two statements on one line"),
        ("print(1)\n", 1, "no docstring"),
    ],
)
def test_docstring_that_shares_its_lines_is_refused(text: str, line: int, words: str) -> None:
    """A page needs a title, and sphinx-gallery's code begins on the line after the first string."""
    with pytest.raises(ScriptError, match=words) as caught:
        parse_example(text, "examples/01_x/a.py")
    assert caught.value.line == line


def test_claim_belongs_to_the_statement_above() -> None:
    """Lines directly under a statement are its claim, blanks inside kept; another statement has none."""
    one, two = example(BLOCKS).blocks[1].statements
    assert one.claim is None
    assert two.claim == Claim(20, ("first", "", "  third"))
    assert (two.line, two.last_line) == (17, 19)


def test_claim_in_a_string_is_none() -> None:
    """Only a comment is a claim."""
    (statement,) = example('text = """\n# => 1\n"""\n').statements
    assert statement.claim is None


def test_decorator_belongs_to_its_statement() -> None:
    """A statement begins at its first decorator."""
    (_, function) = example(
        "import functools\n@functools.cache\n@staticmethod\ndef f():\n    pass\n"
    ).statements
    assert (function.line, function.last_line) == (9, 12)
    assert function.code.startswith("@functools.cache\n@staticmethod")


@pytest.mark.parametrize("character", "\v\f\x1c\x1d\x1e\x85\u2028\u2029")
def test_character_that_ends_a_line_on_a_page_is_refused(character: str) -> None:
    """The site could not show that code; its escape in a string is taken, and so is any other character."""
    escape = ascii(character)[1:-1]
    with pytest.raises(ScriptError, match=rf"ends a line on a page\n .*write it as \{escape} in"):
        example(f"value = 1\nprint('a{character}b')\n")
    assert example(f"value = 1\nprint('a{escape}b\x1b\ufeff\xa0')\n").statements[1].line == 9


@pytest.mark.parametrize(
    ("code", "line", "words"),
    [
        ("if True:\n    print(1)\n    # => 1\n", 10, "misplaced claim"),
        ("print(1)  # => 1\n", 8, "misplaced claim"),
        ("print(1)\n\n# => 1\n", 10, "misplaced claim"),
        ("# => 1\nprint(1)\n", 8, "misplaced claim"),
        ("print(1)\n# a comment\n# => 1\n", 10, "misplaced claim"),
        ("print(\n# => 1\n1)\n", 9, "misplaced claim"),
        ("# After the last statement:\n# => 1\nprint(1)\n", 9, "misplaced claim"),
        ("print(1)\n\n# %%\n# After the last statement:\n# => 1\n", 12, "misplaced claim"),
        ("print(1)\n\n# After the last statement:\n\n# => 1\n", 12, "misplaced claim"),
        ("print(1)\n\n# After the last statement:\n# => 1\n\n# => 2\n", 13, "misplaced claim"),
        ("print(1)\n#=> 1\n", 9, "not a claim"),
        ("print(1)\n#  ==> 1\n", 9, "not a claim"),
        ("print(1)\n# -> 1\n", 9, "not a claim"),
        ("print(1)\n# ⇒ 1\n", 9, "not a claim"),
        ("a = 1; b = 2\n", 8, "two statements on one line"),
        ("def f(:\n", 8, "not Python"),
        ("print('\0')\n", 1, "not Python"),
        ("value = 1\nreturn value\n", 9, "'return' outside function"),
        ("await value\n", 8, "outside function"),
        ("from __future__ import nothing\n", 8, "not defined"),
        ("value = 1\nfrom __future__ import annotations\n", 9, "beginning of the file"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(code: str, line: int, words: str) -> None:
    """A claim nobody owns, a near miss and what Python refuses: the error says path, line, and what to do."""
    with pytest.raises(ScriptError) as caught:
        example(code)
    assert caught.value.line == line
    assert words in str(caught.value)
    where, remedy = str(caught.value).split("\n")
    assert where.startswith(f"examples/01_x/a.py:{line}  ")
    assert remedy.startswith("    ")


def test_reading_does_not_warn_of_the_code() -> None:
    """Its run does: a test or command that makes errors of warnings reads it like any other."""
    assert len(example("pattern = '\\d'\nprint(pattern is 5)\n").statements) == 2


def test_prose_that_speaks_of_arrows_is_no_claim() -> None:
    """A comment that holds ``=>`` somewhere else is prose."""
    assert example("# a => b, and x -> y\nvalue = 1\n").statements[0].claim is None


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        ('# sphinx_gallery_tags = ["cuda:2", "sharing"]', ("cuda:2", "sharing")),
        ("# sphinx_gallery_tags = []", ()),
        ("", ()),
    ],
)
def test_tags_are_read(line: str, tags: tuple[str, ...]) -> None:
    """Tags come from sphinx-gallery's own setting."""
    assert example(f"{line}\nvalue = 1\n").tags == tags


@pytest.mark.parametrize("value", ['"cuda"', "[1]", "[", "unknown", ""])
def test_tags_that_are_no_list_of_strings_are_refused(value: str) -> None:
    """A spelling sphinx-gallery would take otherwise must not make a GPU example run without one."""
    with pytest.raises(ScriptError, match="tags are not a list of strings"):
        example(f"# sphinx_gallery_tags = {value}\n")


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ('# sphinx_gallery_tags = ["dtype", "cdua"]', "no tag 'cdua'\n    write 'cuda', or another word"),
        ('# sphinx_gallery_tags = ["cuda2"]', "no tag 'cuda2'\n    write 'cuda:2', or another word"),
        (
            '# sphinx_galery_tags = ["cuda"]',
            "sphinx_galery_tags is no setting\n    write # sphinx_gallery_tags",
        ),
    ],
)
def test_misspelled_tags_are_refused(setting: str, words: str) -> None:
    """An example that needs a GPU would run without one."""
    with pytest.raises(ScriptError) as caught:
        example(f"{setting}\n")
    assert words in str(caught.value)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="tokenize asks Python itself from 3.12 on")
def test_code_whose_comments_cannot_be_told_is_refused() -> None:
    """Python compiles it, and its module that finds comments does not take it apart."""
    code = "for x in [1]:\n\\\n    try:\n        x\n    except E:\n        x\n"
    compile(code, "", "exec")
    with pytest.raises(
        ScriptError, match=r"a\.py:12  comments that cannot be told from code: .*\n    begin no"
    ):
        example(code)


def test_digest_knows_the_code_alone() -> None:
    """Prose, claims and comments between statements do not make evidence stale; code and its blocks do."""
    plain = example("value = 1\nprint(value)\n").digest
    assert example("# prose\nvalue = 1\n# comment\nprint(value)   \n# => 1\n").digest == plain
    assert (
        parse_example(HEAD.replace("Title", "Other") + "value = 1\nprint(value)\n", "b/c.py").digest == plain
    )
    assert example("value = 2\nprint(value)\n").digest != plain
    assert example("value = 1\n\n# %%\n\nprint(value)\n").digest != plain


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("examples/01_x/a.py", "01_x/a"),
        ("/home/me/examples/01_x/a.py", "01_x/a"),
        ("examples\\01_x\\a.py", "01_x/a"),
    ],
)
def test_name_is_chapter_and_stem(path: str, name: str) -> None:
    """Whatever stands before the chapter, and whichever slash."""
    assert example_name(path) == name


def test_setting_is_told_from_prose() -> None:
    """``# sphinx_gallery_…`` lines are settings."""
    assert is_setting("# sphinx_gallery_tags = []")
    assert not is_setting("# about sphinx_gallery_tags")


def test_end_of_the_script_has_a_claim_of_its_own() -> None:
    """Under a line that says so, below the last statement and its claim; it is no code."""
    plain = example("print(1)\n# => 1\n")
    late = example("print(1)\n# => 1\n\n# After the last statement:\n# => one\n# => two\n")
    assert late.late_claim == Claim(12, ("one", "two"))
    assert late.places[LATE] == Statement(11, 11, AFTER, late.late_claim)
    assert (late.digest, late.statements) == (plain.digest, plain.statements)
    assert plain.late_claim is None
    assert plain.places[LATE].claim is None
