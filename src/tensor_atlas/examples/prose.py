"""The prose of an example as plain text with code between backticks, or as Markdown; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from textwrap import dedent

from tensor_atlas.examples.messages import DIRECTIVE, split_signs
from tensor_atlas.examples.parse import Example, is_border

_ROLE = re.compile(r":(?P<role>[\w:]+):`(?P<shown>[^`<]+?)(?:\s*<(?P<target>[^`>]*)>)?`")
_LINK = re.compile(r"`(?P<shown>[^`]+?)\s*<(?P<address>(?:https?:|/)[^`>]*)>`__?")
_LITERAL = re.compile(r"``(.+?)``")
_NAME = re.compile(r"[A-Za-z_][\w.]*")
_RULE = re.compile(r"([-=~^])\1{2,}$")
_HEADING = re.compile(r"^(?P<text>.+)\n([-=~^])\2{2,}(?:\n+|\Z)", re.MULTILINE)
_CODE = re.compile(r"^\.\. code-block:: (?P<language>\w+)\n\n(?P<code>(?:   .*(?:\n|\Z))+)", re.MULTILINE)


def paragraph_under(example: Example, heading: str, titles: Mapping[str, str]) -> str:
    """First paragraph under a heading, as plain text; empty where there is no such heading or no prose.

    ``titles`` maps pages to titles, for links that have no words of their own.
    """
    rest = _section(example, heading)
    start = next((i for i, line in enumerate(rest) if line != ""), len(rest))
    end = next((i for i, line in enumerate(rest[start:], start) if not line), len(rest))
    return prose_to_text(" ".join(line for line in rest[start:end] if line), titles)


def quoted_code(example: Example, heading: str) -> list[str]:
    """What the prose under a heading quotes as code."""
    return _LITERAL.findall(" ".join(filter(None, _section(example, heading))))


def quoted_names(example: Example) -> list[str]:
    """Names that the prose quotes as code, each as often as it does; those in roles come first."""
    prose = " ".join(filter(None, map(_comment_text, example.source.split("\n"))))
    names = [match["shown"].strip() for match in _ROLE.finditer(prose) if match["role"] != "doc"]
    for code in _LITERAL.findall(prose):
        names += _NAME.findall(code)
    return [name.removeprefix("~").removeprefix("torch.Tensor.") for name in names]


def list_headings(example: Example) -> Iterator[str]:
    """Headings under the title, in order."""
    lines = [_comment_text(line) for line in example.source.split("\n")]
    yield from (line for line, rule in pairwise(lines) if line and rule and _RULE.match(rule))


def body_text(example: Example, titles: Mapping[str, str]) -> str:
    """All prose between the code, without headings, as plain text in one line."""
    lines = [_comment_text(line) for line in example.source.split("\n")]
    rules = {i for i, line in enumerate(lines) if line and _RULE.match(line)}
    headed = rules | {i - 1 for i in rules}
    kept = [line for i, line in enumerate(lines) if line and i not in headed and not _is_setting(line)]
    return prose_to_text(" ".join(kept), titles)


def _is_setting(line: str) -> bool:
    """Whether a comment is a claim, or a setting of the gallery."""
    return line.startswith(("=>", "sphinx_gallery_"))


def _section(example: Example, heading: str) -> list[str | None]:
    """Lines under a heading up to the next: text of comments, None for code."""
    lines = [_comment_text(line) for line in example.source.split("\n")]
    heads = [i for i, rule in enumerate(lines[1:]) if lines[i] and rule and _RULE.match(rule)]
    at = next((i for i in heads if lines[i] == heading), None)
    if at is None:
        return []
    end = next((i for i in heads if i > at), len(lines))
    return lines[at + 2 : end]


def _comment_text(line: str) -> str | None:
    """Text of a comment line; None for code, and for the border of a block."""
    return None if not line.startswith("#") or is_border(line) else line[1:].strip()


def prose_to_markdown(text: str, titles: Mapping[str, str], site: str = "") -> str:
    """Prose as Markdown; links to pages of the site stay links where its address is known."""

    def role(match: re.Match[str]) -> str:
        shown = " ".join(match["shown"].split())
        if match["role"] != "doc":
            return f"`{shown.removeprefix('~')}`"
        page = (match["target"] or shown).removeprefix("/")
        words = shown if match["target"] else titles.get(page, page)
        if site:
            return f"[{words}]({site.rstrip('/')}/{page}.html)"
        return words if match["target"] else f"“{words}”"

    def link(match: re.Match[str]) -> str:
        return f"[{' '.join(match['shown'].split())}]({match['address']})"

    def code(match: re.Match[str]) -> str:
        return _fence(match["language"], dedent(match["code"]))

    headed = _HEADING.sub(r"## \g<text>\n\n", _LINK.sub(link, _ROLE.sub(role, text))).replace("``", "`")
    return _CODE.sub(code, DIRECTIVE.sub(_fix_to_markdown, headed)).strip()


def _fix_to_markdown(match: re.Match[str]) -> str:
    before, after = split_signs(match["body"].split("\n"), "fix")
    return f"Before:\n\n{_fence('python', before)}\nAfter:\n\n{_fence('python', after)}\n"


def _fence(language: str, code: str) -> str:
    return f"```{language}\n{code.strip()}\n```\n"


def prose_to_text(text: str, titles: Mapping[str, str]) -> str:
    """Prose without roles and link targets, with code between single backticks."""

    def role(match: re.Match[str]) -> str:
        shown = match["shown"].strip()
        if match["role"] != "doc":
            return f"``{shown.removeprefix('~')}``"
        return shown if match["target"] else f"“{titles.get(shown.removeprefix('/gallery/'), shown)}”"

    return _LINK.sub(lambda match: match["shown"], _ROLE.sub(role, text)).replace("``", "`")
