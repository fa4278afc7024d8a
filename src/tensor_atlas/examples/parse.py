"""The text of an example, split into blocks, statements and claims; pure, opens no file."""

from __future__ import annotations

import ast
import hashlib
import io
import json
import re
import sys
import tokenize
from dataclasses import dataclass
from functools import cached_property

from tensor_atlas.examples.instrument import compile_statements

CLAIM = "# =>"
_CLAIM_LINE = re.compile(r"# =>(?: (?P<text>.*))?$")
_NEAR_CLAIM = re.compile(r"#\s*(?:=+>|->|⇒)")
_BLOCK_LINE = re.compile(r"# ?%%|#{20,}")
_UNDERLINE = re.compile(r"# ?([-=~^])\1{2,}$")
_PAGE_SETTING = re.compile(r"^[ \t]*#\s*sphinx_gallery_(?P<name>\w+)(?:\s*=\s*.+)?", re.MULTILINE)
_SETTING = re.compile(r"#\s*sphinx_gallery_(?P<name>\w+)(?:\s*=\s*(?P<value>.+))?$")


class ScriptError(Exception):
    """An example cannot be read: where, what, and what to do about it."""

    def __init__(self, path: str, line: int, message: str, remedy: str) -> None:
        super().__init__(f"{path}:{line}  {message}\n    {remedy}")
        self.path = path
        self.line = line


@dataclass(frozen=True, slots=True)
class Claim:
    """The documented output of one statement."""

    line: int
    """Line number of the first claim line."""
    lines: tuple[str, ...]
    """Text after ``# =>``, line by line."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One top-level statement."""

    line: int
    """First line number."""
    last_line: int
    """Last line number, without the claim."""
    code: str
    """Source text."""
    claim: Claim | None
    """What the example says the statement prints."""


@dataclass(frozen=True, slots=True)
class Block:
    """The code between two ``# %%`` lines."""

    line: int
    """Line number of its first statement."""
    last_line: int
    """Line number of its last statement or claim line."""
    section: str
    """Heading of the prose it stands under; empty before the first heading."""
    statements: tuple[Statement, ...]
    """At least one."""


@dataclass(frozen=True)
class Example:
    """One example script, read but not run."""

    name: str
    """``<chapter>/<stem>``."""
    path: str
    """Path as shown to people, such as ``examples/<chapter>/<stem>.py``."""
    title: str
    """First line of the docstring."""
    summary: str
    """First paragraph under the title."""
    tags: tuple[str, ...]
    """Its ``sphinx_gallery_tags``."""
    blocks: tuple[Block, ...]
    """Blocks that hold code, in order."""
    source: str
    """The whole text."""
    digest: str
    """Digest of the code alone: prose, claims and comments between statements do not change it."""

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """All statements, in order."""
        return tuple(statement for block in self.blocks for statement in block.statements)


def parse_example(text: str, path: str) -> Example:
    """Example that ``text`` spells; ``path`` names it in messages.

    Raises ScriptError for a syntax error, a missing docstring, a claim that no statement owns, and for what
    sphinx-gallery would split into other blocks.
    """
    tree = _tree(text, path)
    comments = _comments(text, path)
    docstring = ast.get_docstring(tree)
    if docstring is None or not docstring.strip():
        raise ScriptError(
            path,
            1,
            "no docstring",
            'begin with """Title, a line of =, and one sentence on what it decides."""',
        )
    _refuse_split_docstring(tree, text, path)
    claims = _claims(comments, path)
    statements = _statements(tree, text, claims, path)
    _refuse_orphans(claims, statements, path)
    _refuse_other_borders(text, statements, path)
    _refuse_other_settings(text, statements, path)
    blocks = _blocks(statements, comments)
    title, summary = _heading(docstring)
    return Example(
        name=example_name(path),
        path=path,
        title=title,
        summary=summary,
        tags=_tags(comments, path),
        blocks=blocks,
        source=text,
        digest=_digest(blocks),
    )


def example_name(path: str) -> str:
    """``<chapter>/<stem>`` of a path ``…/<chapter>/<stem>.py``."""
    return "/".join(path.replace("\\", "/").split("/")[-2:]).removesuffix(".py")


def is_border(line: str) -> bool:
    """Whether a source line begins a new block."""
    return _BLOCK_LINE.match(line) is not None


def is_setting(line: str) -> bool:
    """Whether a source line is a ``# sphinx_gallery_… =`` setting, which no page shows."""
    return _SETTING.match(line.strip()) is not None


def _tree(text: str, path: str) -> ast.Module:
    try:
        tree = ast.parse(text)
        compile(tree, path, "exec", dont_inherit=True)  # finds more than parsing: a return outside a function
    except SyntaxError as error:
        raise ScriptError(path, error.lineno or 1, f"not Python: {error.msg}", "correct the syntax") from None
    except ValueError as error:
        raise ScriptError(path, 1, f"not Python: {error}", "save the file as UTF-8 text") from None
    except (RecursionError, MemoryError):
        raise ScriptError(
            path, _longest(text), "nested too deep for Python", "split the expression"
        ) from None
    _refuse_deep_clauses(tree, path)
    return tree


def _refuse_deep_clauses(tree: ast.Module, path: str) -> None:
    """Refuse what Python compiles as it stands and no longer where each ``except`` clause reports.

    It takes 20 blocks within one another, and a clause that reports is three of them.
    """
    try:
        compile_statements(tree, path)
    except SyntaxError as error:
        raise ScriptError(
            path,
            error.lineno or 1,
            f"except clauses that cannot report: {error.msg}",
            "move the inner ones into a function",
        ) from None


def _longest(text: str) -> int:
    """Number of the longest line: what Python cannot say where, that is most likely where."""
    lines = text.split("\n")
    return lines.index(max(lines, key=len)) + 1


def _comments(text: str, path: str) -> list[tuple[int, int, str]]:
    """Line, column and text of every comment."""
    try:
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        return [(*token.start, token.string) for token in tokens if token.type == tokenize.COMMENT]
    except IndentationError as error:
        raise ScriptError(
            path,
            error.lineno or 1,
            f"comments that cannot be told from code: {error.msg}",
            "begin no block with a line that only a backslash joins to it",
        ) from None


def _claims(comments: list[tuple[int, int, str]], path: str) -> dict[int, str]:
    """Claim text by line number."""
    found = {}
    for line, column, comment in comments:
        match = _CLAIM_LINE.match(comment)
        if match and column == 0:
            found[line] = (match["text"] or "").rstrip()
        elif match:
            raise ScriptError(
                path,
                line,
                "misplaced claim",
                "put it on a line of its own, unindented, under the whole statement",
            )
        elif _NEAR_CLAIM.match(comment):
            raise ScriptError(path, line, f"not a claim: {comment}", f"write it as '{CLAIM} text'")
    return found


def _statements(tree: ast.Module, text: str, claims: dict[int, str], path: str) -> list[Statement]:
    lines = text.split("\n")  # as Python counts lines: splitlines would also split at form feeds
    statements: list[Statement] = []
    before = tree.body[0].end_lineno or 1  # the docstring is prose
    for node in tree.body[1:]:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        last = node.end_lineno or node.lineno
        if before >= first:
            raise ScriptError(
                path,
                first,
                "two statements on one line",
                "write one statement a line, so that each can be claimed",
            )
        code = sys.intern("\n".join(line.rstrip() for line in lines[first - 1 : last]))  # all import the same
        statements.append(Statement(first, last, code, _claim_below(last, claims)))
        before = last
    return statements


def _claim_below(last: int, claims: dict[int, str]) -> Claim | None:
    lines: list[str] = []
    while (line := last + 1 + len(lines)) in claims:
        lines.append(claims[line])
    return Claim(last + 1, tuple(lines)) if lines else None


def _refuse_orphans(claims: dict[int, str], statements: list[Statement], path: str) -> None:
    owned = {s.claim.line + i for s in statements if s.claim for i in range(len(s.claim.lines))}
    for line in sorted(set(claims) - owned):
        raise ScriptError(path, line, "misplaced claim", "put it directly under the statement that prints it")


def _refuse_split_docstring(tree: ast.Module, text: str, path: str) -> None:
    """sphinx-gallery takes for code what comes after the line on which the first string ends."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    end = next(token.end[0] for token in tokens if token.type == tokenize.STRING)
    if tree.body[0].end_lineno != end:
        raise ScriptError(path, end, "the docstring goes on after its first string", "write it as one string")


def _refuse_other_borders(text: str, statements: list[Statement], path: str) -> None:
    """sphinx-gallery knows lines only: it splits a statement at a border, and needs a line end after each."""
    lines = text.split("\n")
    for line in sorted(_owned(statements)):
        if _BLOCK_LINE.match(lines[line - 1]):
            raise ScriptError(
                path, line, "a border of blocks inside a statement", "indent it, or spell it otherwise"
            )
    if _BLOCK_LINE.match(lines[-1]):
        raise ScriptError(
            path, len(lines), "a border of blocks without a line end", "remove it: no code follows"
        )


def _refuse_other_settings(text: str, statements: list[Statement], path: str) -> None:
    """sphinx-gallery cuts settings out of the code, in strings and over line ends too, and hides what it is told to."""
    for match in _PAGE_SETTING.finditer(text):
        first, last = (text.count("\n", 0, place) + 1 for place in match.span())
        if match["name"] in ("start_ignore", "end_ignore"):
            raise ScriptError(path, first, "hidden code", "remove the setting: a page shows all that runs")
        if not _owned(statements).isdisjoint(range(first, last + 1)):
            raise ScriptError(
                path, first, "a setting that takes code with it", "put it whole on a line of its own"
            )


def _owned(statements: list[Statement]) -> set[int]:
    """Numbers of the lines that belong to statements."""
    return {line for statement in statements for line in range(statement.line, statement.last_line + 1)}


def _blocks(statements: list[Statement], comments: list[tuple[int, int, str]]) -> tuple[Block, ...]:
    borders = [line for line, column, comment in comments if column == 0 and _BLOCK_LINE.match(comment)]
    headings = _headings(comments)
    groups: dict[int, list[Statement]] = {}
    for statement in statements:
        groups.setdefault(sum(border < statement.line for border in borders), []).append(statement)
    return tuple(_block(group, headings) for group in groups.values())


def _block(statements: list[Statement], headings: dict[int, str]) -> Block:
    first, last = statements[0], statements[-1]
    claimed = len(last.claim.lines) if last.claim else 0
    above = [line for line in headings if line < first.line]
    section = headings[max(above)] if above else ""
    return Block(first.line, last.last_line + claimed, section, tuple(statements))


def _headings(comments: list[tuple[int, int, str]]) -> dict[int, str]:
    """Headings in the prose by line: a comment line with a comment line of dashes under it."""
    text = {line: comment for line, column, comment in comments if column == 0}
    return {
        line: text[line].lstrip("# ").rstrip()
        for line, comment in text.items()
        if _UNDERLINE.match(text.get(line + 1, "")) and not _BLOCK_LINE.match(comment)
    }


def _heading(docstring: str) -> tuple[str, str]:
    paragraphs = re.split(r"\n\s*\n", docstring.strip())
    title = paragraphs[0].splitlines()[0].strip()
    summary = " ".join(paragraphs[1].split()) if len(paragraphs) > 1 else ""
    return title, summary


def _tags(comments: list[tuple[int, int, str]], path: str) -> tuple[str, ...]:
    for line, _, comment in comments:
        match = _SETTING.match(comment)
        if match and match["name"] == "tags":
            return _tag_list(match["value"] or "", path, line)
    return ()


def _tag_list(value: str, path: str, line: int) -> tuple[str, ...]:
    try:
        tags = ast.literal_eval(value)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tags = None
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise ScriptError(
            path, line, "tags are not a list of strings", 'write # sphinx_gallery_tags = ["one", "two"]'
        )
    return tuple(tags)


def _digest(blocks: tuple[Block, ...]) -> str:
    code = [[statement.code for statement in block.statements] for block in blocks]
    return hashlib.sha256(json.dumps(code).encode()).hexdigest()[:16]
