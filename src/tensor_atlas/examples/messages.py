"""Messages of errors and warnings: those that claims hold, their fixed words, and the fix on an error page.

The fixed words are what stays where the values in a message change. Pure.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example, Statement
from tensor_atlas.examples.requirements import wants_gpu
from tensor_atlas.examples.trees import read_tree

CLASS_AND_MESSAGE = re.compile(
    r"^(?P<type>[A-Za-z_][\w.]*(?:Error|Exception|Warning)): (?P<message>.*)$", re.DOTALL
)
_PRINTS_ERROR = re.compile(r"print\((?:str\()?error\b")
_VALUES = re.compile(
    r"""(?<!\w)(?:'[^']*'|"[^"]*")(?!\w)"""  # names in quotes
    r"|\([\w.]*Tensor\)|\S*\d\S*"  # types in brackets, and whatever has a digit: sizes, indices, dtypes
    r"|(?<![.\w])(?:cpu|cuda|mps|meta|Float|Double|Half|Long|Int|Bool)(?![\w(])"
    r"|…|\.\.\."
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_OF_PYTHON = ("object has no attribute", "unsupported operand type(s) for")
"""Messages of the interpreter, whose words stand in many libraries that do not raise them."""
FEWEST = 3
"""Words that a part of a message must have to be looked for: fewer stand in any library."""


@dataclass(frozen=True)
class ClaimedMessage:
    """An error or warning that a statement claims."""

    type: str
    """Class name."""
    text: str
    """One line of it."""
    is_warning: bool
    """Warning, or error."""


def list_claimed_messages(statement: Statement) -> Iterator[ClaimedMessage]:
    """Warnings that a statement claims, and errors that it claims to print in an ``except`` clause."""
    expected = re.search(r"^ *except \(?([\w.]+)", statement.code, re.MULTILINE)
    for line in statement.claim.lines if statement.claim else ():
        match = CLASS_AND_MESSAGE.match(line)
        if match and match["type"].endswith("Warning"):
            yield ClaimedMessage(match["type"], match["message"], is_warning=True)
        elif expected and _PRINTS_ERROR.search(statement.code):
            yield ClaimedMessage(expected[1], line, is_warning=False)


def fix_words(message: str) -> str:
    """A message with ``…`` for each value, name, dtype and device in it: ``can't convert … device``."""
    parts = (part.strip() for part in _VALUES.split(message))
    return f" {OMISSION} ".join(part for part in parts if part)


def list_parts(words: str) -> list[str]:
    """The parts of fixed words that can be looked for; none where all are short, or of Python itself."""
    if any(message in words for message in _OF_PYTHON):
        return []
    parts = (part.strip() for part in words.split(OMISSION))
    return [part for part in parts if len(_WORD.findall(part)) >= FEWEST]


def list_searched_words(example: Example) -> dict[str, int]:
    """Fixed words of the messages of an example that needs a GPU, each with the line that claims it."""
    found: dict[str, int] = {}
    for statement in example.statements if wants_gpu(example.tags) else ():
        for message in list_claimed_messages(statement):
            words = fix_words(message.text)
            if list_parts(words):
                found.setdefault(words, statement.line)
    return found


ERROR = "The error"
"""Heading under which an error page raises its error."""
FIX = "The fix"
"""Heading under which an error page shows the right way."""
WRONG = "What does not help"
"""Heading under which an error page shows fixes that people copy and that are wrong."""
OMISSION = "…"
"""Stands in the title of an error page for words of the message that it leaves out."""

# ONNX Runtime names its classes after status codes.
_TITLE = re.compile(r"(?:\w+(?:Error|Exception|Warning)|InvalidArgument): (?P<message>.+)")
DIRECTIVE = re.compile(r"^\.\. fix::\n(?P<body>(?:[ \t]*\n|[ \t]+\S.*(?:\n|\Z))+)", re.MULTILINE)
"""``.. fix::`` in a docstring, with the lines under it."""


@dataclass(frozen=True)
class FixLine:
    """Code that the top of the page shows, and the statement that runs it."""

    code: str
    """Source text of one statement or expression."""
    statement: int
    """Index, among the example's statements, of the one that it is, or is a part of."""
    is_whole: bool
    """Whether it is that whole statement, so that its output is the line's."""


@dataclass(frozen=True)
class Fix:
    """An error in a line or two, and the lines that do it right."""

    before: tuple[FixLine, ...]
    """Code that raises or warns."""
    after: tuple[FixLine, ...]
    """The same, mended."""


def is_error_page(example: Example) -> bool:
    """Whether an example is about one error: its title is the class and the message."""
    return _TITLE.match(example.title) is not None


def read_fix(example: Example) -> Fix | None:
    """What ``.. fix::`` in the docstring shows; None for an example without it.

    AtlasError for a line that begins with neither ``-`` nor ``+``, and for one that no statement runs.
    """
    match = DIRECTIVE.search(ast.get_docstring(read_tree(example.source)) or "")
    if match is None:
        return None
    before, after = split_signs(match["body"].split("\n"), example.path)
    mended = {block.section for block in example.blocks} - {"", ERROR, WRONG}
    return Fix(
        tuple(_locate_lines(example, before, {ERROR})),
        tuple(_locate_lines(example, after, mended)),
    )


def is_quoted(title: str, text: str) -> bool:
    """Whether a message holds what an error page's title quotes: the words after the class, in order."""
    match = _TITLE.match(title)
    words = match["message"].split(OMISSION) if match else []
    return bool(words) and re.search(".*".join(re.escape(word.strip()) for word in words), text) is not None


def split_signs(lines: Sequence[str], path: str) -> tuple[str, str]:
    """Code after ``-`` and code after ``+``, as in a diff.

    AtlasError for other lines, and where a side is empty.
    """
    sides: dict[str, list[str]] = {"-": [], "+": []}
    for line in filter(None, map(str.strip, lines)):
        if line[0] not in sides or line[1:2] not in ("", " "):
            remedy = "begin each line with '- ' for the code that fails, or '+ ' for the code that works"
            raise AtlasError(path, f"not a line of a fix: {line}", remedy)
        sides[line[0]].append(line[2:])
    if not all(sides.values()):
        raise AtlasError(path, "a fix with one side", "write lines with '- ' and lines with '+ '")
    return "\n".join(sides["-"]), "\n".join(sides["+"])


def _locate_lines(example: Example, code: str, sections: AbstractSet[str]) -> Iterator[FixLine]:
    """Each statement of ``code`` with the statement under one of the headings that runs it."""
    try:
        wanted = read_tree(code).body
    except SyntaxError as error:
        raise AtlasError(example.path, f"the fix is not Python: {error.msg}", "correct it") from None
    for node in wanted:
        text = ast.get_source_segment(code, node) or ""
        yield _locate_line(example, node, text, sections)


def _locate_line(example: Example, node: ast.stmt, text: str, sections: AbstractSet[str]) -> FixLine:
    wanted = _dump(node)
    index = 0
    for block in example.blocks:
        for statement in block.statements:
            tree = read_tree(statement.code)
            if block.section in sections and wanted in _list_parts(tree):
                return FixLine(text, index, wanted == _dump(tree.body[0]))
            index += 1
    what = f"a fix that the script does not run: {text}"
    raise AtlasError(example.path, what, f"copy it from a block under {' or '.join(sorted(sections))}")


def _dump(node: ast.AST) -> str:
    """A statement or expression as text that does not depend on its layout."""
    return ast.dump(node.value if isinstance(node, ast.Expr) else node)


def _list_parts(tree: ast.Module) -> Iterator[str]:
    """Every statement and expression in a statement, those of a child's code in a string included."""
    for node in ast.walk(tree):
        yield _dump(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _list_child_parts(node.value)


def _list_child_parts(text: str) -> Iterator[str]:
    try:
        tree = read_tree(text)
    except (SyntaxError, ValueError):
        return
    yield from map(_dump, ast.walk(tree))
