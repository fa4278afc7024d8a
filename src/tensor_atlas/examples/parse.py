"""An example script as blocks, statements and claims; pure, takes text."""

from __future__ import annotations

import ast
import hashlib
import io
import json
import re
import tokenize
import warnings
from dataclasses import dataclass
from functools import cached_property

from tensor_atlas.examples.instrument import compile_statements
from tensor_atlas.examples.requirements import find_meant_need
from tensor_atlas.model.runs import AFTER, LATE

CLAIM = "# =>"
_CLAIM_LINE = re.compile(r"# =>(?: (?P<text>.*))?$")
_NEAR_CLAIM = re.compile(r"#\s*(?:=+>|->|⇒)")
_BLOCK_LINE = re.compile(r"# ?%%|#{20,}")
_UNDERLINE = re.compile(r"# ?([-=~^])\1{2,}$")
_OTHER_LINE_END = re.compile("[\v\f\x1c-\x1e\x85\u2028\u2029]")
"""Characters that end no line for Python, but end or change one on a page: docutils uses ``splitlines``."""
_PAGE_SETTING = re.compile(r"^[ \t]*#\s*sphinx_gallery_(?P<name>\w+)(?:\s*=\s*.+)?", re.MULTILINE)
_SETTING = re.compile(r"#\s*sphinx_gallery_(?P<name>\w+)(?:\s*=\s*(?P<value>.+))?$")


class ScriptError(Exception):
    """An example that cannot be read: the message says where, what, and what to do."""

    def __init__(self, path: str, line: int, message: str, remedy: str) -> None:
        super().__init__(f"{path}:{line}  {message}\n    {remedy}")
        self.path = path
        self.line = line


_LIKE_TAGS = re.compile(r"#\s*(?P<name>\w*tags)\s*=\s*\[")
"""A setting for tags that sphinx-gallery does not know."""
_Comment = tuple[int, int, str]
"""Line, column and text of a comment."""


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

    @property
    def codes(self) -> tuple[str, ...]:
        """Source text of its statements."""
        return tuple(statement.code for statement in self.statements)


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
    late_claim: Claim | None = None
    """What the example says is printed after its last statement."""

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """All statements, in order."""
        return tuple(statement for block in self.blocks for statement in block.statements)

    @cached_property
    def places(self) -> dict[int, Statement]:
        """All statements by index, and under LATE what stands for the end of the script."""
        last = self.statements[-1:]
        claim = self.late_claim
        line = claim.line - 1 if claim else max((statement.last_line for statement in last), default=1)
        return {**dict(enumerate(self.statements)), LATE: Statement(line, line, AFTER, claim)}


def parse_example(text: str, path: str) -> Example:
    """Example in ``text``; ``path`` names it in messages.

    ScriptError for a syntax error, a missing docstring, a claim that no statement owns, and for text that
    sphinx-gallery would split into other blocks.
    """
    _refuse_other_line_ends(text, path)
    tree = _parse_tree(text, path)
    comments = _find_comments(text, path)
    docstring = ast.get_docstring(tree)
    if docstring is None or not docstring.strip():
        remedy = 'begin with """Title, a line of =, and one sentence on what it decides."""'
        raise ScriptError(path, 1, "no docstring", remedy)
    _refuse_split_docstring(tree, text, path)
    claims = _find_claims(comments, path)
    statements = _list_statements(tree, text, claims, path)
    late_claim = _find_late_claim(comments, claims, statements)
    owners = [statement.claim for statement in statements]
    _refuse_orphans(claims, [*owners, late_claim], path)
    _refuse_other_borders(text, statements, path)
    _refuse_other_settings(text, statements, path)
    blocks = _group_blocks(statements, comments)
    title, summary = _split_docstring(docstring)
    return Example(
        name=example_name(path),
        path=path,
        title=title,
        summary=summary,
        tags=_read_tags(comments, path),
        blocks=blocks,
        source=text,
        digest=_digest(blocks),
        late_claim=late_claim,
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


def _refuse_other_line_ends(text: str, path: str) -> None:
    """Refuse characters at which a page would split the code."""
    if found := _OTHER_LINE_END.search(text):
        what = f"the character U+{ord(found[0]):04X}, which ends a line on a page"
        remedy = f"write it as {ascii(found[0])[1:-1]} in a string, or remove it"
        raise ScriptError(path, text.count("\n", 0, found.start()) + 1, what, remedy)


def _parse_tree(text: str, path: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the run of the example tells of them
        return _compile_tree(text, path)


def _compile_tree(text: str, path: str) -> ast.Module:
    try:
        tree = ast.parse(text)
        compile(tree, path, "exec", dont_inherit=True)  # finds more than parsing: a return outside a function
    except SyntaxError as error:
        raise ScriptError(path, error.lineno or 1, f"not Python: {error.msg}", "correct the syntax") from None
    except ValueError as error:
        raise ScriptError(path, 1, f"not Python: {error}", "save the file as UTF-8 text") from None
    except (RecursionError, MemoryError):
        line = _longest_line(text)
        raise ScriptError(path, line, "nested too deep for Python", "split the expression") from None
    _refuse_deep_clauses(tree, path)
    return tree


def _refuse_deep_clauses(tree: ast.Module, path: str) -> None:
    """Refuse nested ``except`` clauses that Python compiles, but not once each of them reports.

    Python allows 20 nested blocks, and a clause that reports is three of them.
    """
    try:
        compile_statements(tree, path)
    except SyntaxError as error:
        what = f"except clauses that cannot report: {error.msg}"
        raise ScriptError(path, error.lineno or 1, what, "move the inner ones into a function") from None


def _longest_line(text: str) -> int:
    """Number of the longest line, which an error without a line number is most likely about."""
    lines = text.split("\n")
    return lines.index(max(lines, key=len)) + 1


def _find_comments(text: str, path: str) -> list[_Comment]:
    try:
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        return [(*token.start, token.string) for token in tokens if token.type == tokenize.COMMENT]
    except IndentationError as error:
        what = f"comments that cannot be told from code: {error.msg}"
        remedy = "begin no block with a line that only a backslash joins to it"
        raise ScriptError(path, error.lineno or 1, what, remedy) from None


def _find_claims(comments: list[_Comment], path: str) -> dict[int, str]:
    """Text of each claim line, by line number."""
    found = {}
    for line, column, comment in comments:
        match = _CLAIM_LINE.match(comment)
        if match and column == 0:
            found[line] = (match["text"] or "").rstrip()
        elif match:
            remedy = "put it on a line of its own, unindented, under the whole statement"
            raise ScriptError(path, line, "misplaced claim", remedy)
        elif _NEAR_CLAIM.match(comment):
            raise ScriptError(path, line, f"not a claim: {comment}", f"write it as '{CLAIM} text'")
    return found


def _list_statements(tree: ast.Module, text: str, claims: dict[int, str], path: str) -> list[Statement]:
    """Statements after the docstring, in order."""
    lines = text.split("\n")
    statements: list[Statement] = []
    before = tree.body[0].end_lineno or 1  # the docstring is prose
    for node in tree.body[1:]:
        first, last = _first_line(node), node.end_lineno or node.lineno
        if before >= first:
            remedy = "write one statement a line, so that each can be claimed"
            raise ScriptError(path, first, "two statements on one line", remedy)
        code = "\n".join(line.rstrip() for line in lines[first - 1 : last])
        statements.append(Statement(first, last, code, _claim_below(last, claims)))
        before = last
    return statements


def _first_line(node: ast.stmt) -> int:
    """Line on which a statement begins: that of its first decorator, where it has one."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _claim_below(last: int, claims: dict[int, str]) -> Claim | None:
    lines: list[str] = []
    while (line := last + 1 + len(lines)) in claims:
        lines.append(claims[line])
    return Claim(last + 1, tuple(lines)) if lines else None


def _find_late_claim(
    comments: list[_Comment], claims: dict[int, str], statements: list[Statement]
) -> Claim | None:
    """The claim under the line AFTER, which stands below the last statement, in the same block."""
    below = statements[-1].last_line if statements else 0
    for line, column, comment in comments:
        if line <= below or column:
            continue
        if is_border(comment):
            return None
        if comment == AFTER:
            return _claim_below(line, claims)
    return None


def _refuse_orphans(claims: dict[int, str], owners: list[Claim | None], path: str) -> None:
    owned = {claim.line + i for claim in owners if claim for i in range(len(claim.lines))}
    for line in sorted(set(claims) - owned):
        raise ScriptError(path, line, "misplaced claim", "put it directly under the statement that prints it")


def _refuse_split_docstring(tree: ast.Module, text: str, path: str) -> None:
    """sphinx-gallery takes everything after the line on which the first string ends for code."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    end = next(token.end[0] for token in tokens if token.type == tokenize.STRING)
    if tree.body[0].end_lineno != end:
        raise ScriptError(path, end, "the docstring goes on after its first string", "write it as one string")


def _refuse_other_borders(text: str, statements: list[Statement], path: str) -> None:
    """sphinx-gallery looks at lines alone: it splits statements at borders, which need line ends."""
    lines = text.split("\n")
    for line in sorted(_statement_lines(statements)):
        if is_border(lines[line - 1]):
            remedy = "indent it, or spell it otherwise"
            raise ScriptError(path, line, "a border of blocks inside a statement", remedy)
    if is_border(lines[-1]):
        what = "a border of blocks without a line end"
        raise ScriptError(path, len(lines), what, "remove it: no code follows")


def _refuse_other_settings(text: str, statements: list[Statement], path: str) -> None:
    """sphinx-gallery cuts settings out of the code, also in strings and over line ends, and can hide code."""
    for match in _PAGE_SETTING.finditer(text):
        first, last = (text.count("\n", 0, place) + 1 for place in match.span())
        if match["name"] in ("start_ignore", "end_ignore"):
            raise ScriptError(path, first, "hidden code", "remove the setting: a page shows all that runs")
        if not _statement_lines(statements).isdisjoint(range(first, last + 1)):
            what = "a setting that takes code with it"
            raise ScriptError(path, first, what, "put it whole on a line of its own")


def _statement_lines(statements: list[Statement]) -> set[int]:
    """Numbers of the lines that belong to statements."""
    return {line for statement in statements for line in range(statement.line, statement.last_line + 1)}


def _group_blocks(statements: list[Statement], comments: list[_Comment]) -> tuple[Block, ...]:
    borders = [line for line, column, comment in comments if column == 0 and is_border(comment)]
    headings = _find_headings(comments)
    groups: dict[int, list[Statement]] = {}
    for statement in statements:
        groups.setdefault(sum(border < statement.line for border in borders), []).append(statement)
    return tuple(_make_block(group, headings) for group in groups.values())


def _make_block(statements: list[Statement], headings: dict[int, str]) -> Block:
    first, last = statements[0], statements[-1]
    claimed = len(last.claim.lines) if last.claim else 0
    above = [line for line in headings if line < first.line]
    section = headings[max(above)] if above else ""
    return Block(first.line, last.last_line + claimed, section, tuple(statements))


def _find_headings(comments: list[_Comment]) -> dict[int, str]:
    """Headings in the prose by line: comment lines with a comment line of dashes under them."""
    text = {line: comment for line, column, comment in comments if column == 0}
    found = {}
    for line, comment in text.items():
        if _UNDERLINE.match(text.get(line + 1, "")) and not is_border(comment):
            found[line] = comment.lstrip("# ").rstrip()
    return found


def _split_docstring(docstring: str) -> tuple[str, str]:
    """Title and summary: the first line, and the first paragraph under it."""
    paragraphs = re.split(r"\n\s*\n", docstring.strip())
    title = paragraphs[0].splitlines()[0].strip()
    summary = " ".join(paragraphs[1].split()) if len(paragraphs) > 1 else ""
    return title, summary


def _read_tags(comments: list[_Comment], path: str) -> tuple[str, ...]:
    for line, _, comment in comments:
        match = _SETTING.match(comment)
        if match and match["name"] == "tags":
            return _parse_tags(match["value"] or "", path, line)
        if near := _LIKE_TAGS.match(comment):
            raise ScriptError(
                path, line, f"{near['name']} is no setting", "write # sphinx_gallery_tags = […]"
            )
    return ()


def _parse_tags(value: str, path: str, line: int) -> tuple[str, ...]:
    try:
        tags = ast.literal_eval(value)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tags = None
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        remedy = 'write # sphinx_gallery_tags = ["one", "two"]'
        raise ScriptError(path, line, "tags are not a list of strings", remedy)
    for tag in tags:
        if meant := find_meant_need(tag):
            raise ScriptError(path, line, f"no tag {tag!r}", f"write {meant!r}, or another word")
    return tuple(tags)


def _digest(blocks: tuple[Block, ...]) -> str:
    code = [block.codes for block in blocks]
    return hashlib.sha256(json.dumps(code).encode()).hexdigest()[:16]
