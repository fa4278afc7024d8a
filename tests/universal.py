"""Sentences that claim something of every case, such as "any input", "never" or "only": each needs a proof.

A proof is code in the same block that runs what the sentence names, a query to the records in the sentence,
or a mark in tests/proved.toml. `python tests/check_prose.py` prints the others, each as it is marked there.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from check_prose import Paragraph

PAGES = ("examples/", "docs/guides/", "docs/reference/", "docs/matrix/")
TABLES = ("preferences", "decisions", "corrections", "wordings", "reported", "gaps")
QUERIES = ("{verdict}", "{cells}", "{measured}")
"""Roles that ask the records: their answer stands in the sentence."""
_PAGE_ROLES = ("{example}", "{doc}", ":doc:", ":ref:")

_CODE = re.compile(r":[\w:]+:`[^`]+`|\{[\w:-]+\}`+[^`]+`+|``.+?``|`[^`<]+`(?!_)")
_LINK = re.compile(r"(?::doc:|:ref:|\{doc\}|\{ref\})?`([^`<]+?)\s*<[^`>]*>`(?:__?)?|\[([^\]]*)\]\([^)]*\)")
_TAG = re.compile(r"</?\w+[^>]*>")
_QUOTED = re.compile(r"[\"“][^\"”]*[\"”]")
_CLAUSE = re.compile(r"[;:]\s+|,?\s+(?=(?:because|since|so that)\b)|,\s+(?=(?:so|and|but|or|which|as)\b)")
_CONDITION = re.compile(r"(?i)\b(?:if|whether|until|once|in case)\b[^,;:]*$")
_END = re.compile(r"(?<=[.!?])[\"”)*]*\s+(?=[\"“(*]*[A-Z`0-9])")


@dataclass(frozen=True)
class Wording:
    """A form of sentence that claims something of a whole class."""

    pattern: re.Pattern[str]
    runs: int
    """How often code beside the sentence must run what it names, to prove it."""
    examples: bool
    """Whether it counts on pages of examples too, whose blocks show the few things that they mean."""


@dataclass(frozen=True)
class Grammar:
    """What tests/prose.toml says of universal sentences."""

    wordings: tuple[Wording, ...]
    recipes: re.Pattern[str]
    """How an instruction begins."""
    bounded: re.Pattern[str]
    """Words that look universal, and are not."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of a page that claims something of a whole class, and has no proof beside it."""

    path: str
    line: int
    text: str
    words: str
    """The words that make it universal."""


@dataclass(frozen=True)
class Mark:
    """A proof, and the sentences that it proves."""

    by: str
    torch: tuple[str, ...]
    sentences: tuple[str, ...]


def read_grammar(text: str) -> Grammar:
    """Grammar of the text of tests/prose.toml."""
    table = tomllib.loads(text)["universal"]
    wordings = [
        Wording(re.compile(rf"(?i){entry['pattern']}"), entry["runs"], entry.get("examples", True))
        for entry in table["wordings"]
    ]
    first = r"(?:never|always|do|then|first|only|instead|else|otherwise),? "
    recipes = re.compile(rf"(?i)(?:\d+\. )?(?:{first})?(?:{'|'.join(table['recipes'].split())})\b")
    return Grammar(tuple(wordings), recipes, re.compile(rf"(?i){table['bounded']}"))


ABOUT_THE_SITE = (
    "docs/reference/data.md",
    "docs/reference/cite.md",
    "docs/your_machine.md",
    "docs/history.md",
)
"""Pages about files and pages of the site, which claim nothing of a call."""


def is_read(path: str) -> bool:
    """Whether sentences of a file are asked for proofs: pages of readers, and tables that these show."""
    name = path.removeprefix("docs/")
    if path.endswith(".toml"):
        return name.removesuffix(".toml") in TABLES
    return path not in ABOUT_THE_SITE and (path.startswith(PAGES) or path == f"docs/{Path(path).name}")


REPEATED = 3
"""As how many runs one in a loop counts."""

# --- code beside a sentence ---------------------------------------------------------------------


def count_runs(code: str) -> Counter[str]:
    """How often a block uses each name, in code that it keeps as text too; a loop counts as several."""
    used: Counter[str] = Counter()
    tree = ast.parse(code)
    loops = [node for node in ast.walk(tree) if isinstance(node, (ast.For, ast.While, ast.comprehension))]
    repeated = {line for node in loops for line in _lines(node)}
    for node in ast.walk(tree):
        for name in _names(node):
            used[name] += REPEATED if getattr(node, "lineno", 0) in repeated else 1
    return used


def _lines(node: ast.For | ast.While | ast.comprehension) -> range:
    first = node.target if isinstance(node, ast.comprehension) else node
    last = node.iter if isinstance(node, ast.comprehension) else node
    return range(first.lineno, (last.end_lineno or last.lineno) + 1)


def _names(node: ast.AST) -> list[str]:
    """Names that a node itself uses."""
    match node:
        case ast.Attribute():
            return [node.attr]
        case ast.Call(func=ast.Name(id=name)):
            return [name]
        case ast.keyword(arg=str(name)):
            return [name]
        case ast.alias():
            return [node.name.rpartition(".")[2]]
        case ast.Constant(value=str(text)) if "(" in text or "." in text:
            return re.findall(r"[A-Za-z_]\w+", text)
        case ast.BinOp() | ast.AugAssign() | ast.Compare() | ast.UnaryOp() | ast.Subscript():
            return _operators(node)
    return []


def _operators(node: ast.BinOp | ast.AugAssign | ast.Compare | ast.UnaryOp | ast.Subscript) -> list[str]:
    if isinstance(node, ast.Subscript):
        return ["[]"]
    kinds = node.ops if isinstance(node, ast.Compare) else [node.op]
    return [type(kind).__name__ + ("=" if isinstance(node, ast.AugAssign) else "") for kind in kinds]


def list_blocks(text: str) -> dict[int, Counter[str]]:
    """Uses of names beside each line of an example: those of its block; for the docstring, of all blocks."""
    tree = ast.parse(text)
    head = tree.body[0].end_lineno or 0
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines, 1) if line.startswith("# %%")]
    whole = count_runs(text)
    uses = dict.fromkeys(range(1, head + 1), whole)
    for start, end in pairwise([*starts, len(lines) + 1]):
        block = "\n".join("" if line.startswith("#") else line for line in lines[start - 1 : end - 1])
        uses |= dict.fromkeys(range(start, end), count_runs(block))
    return uses


_SIGNS = {"+=": "Add=", "-=": "Sub=", "*=": "Mult=", "+": "Add", "-": "Sub", "*": "Mult", "==": "Eq"}
_NAME = re.compile(r"(?<![\w.])(?:\w+\.)*([A-Za-z_]\w*)")


def list_names(codes: Iterable[str]) -> set[str]:
    """Names that the code in a sentence uses; of a dotted name, the last part."""
    found: set[str] = set()
    for code in codes:
        words = code.strip("`")
        found |= {_SIGNS[words]} if words in _SIGNS else set(_NAME.findall(words))
    return found - {"torch", "np", "numpy", "True", "False", "None"}


# --- sentences ----------------------------------------------------------------------------------


def split_sentences(raw: str) -> Iterator[tuple[str, list[str]]]:
    """Sentences of a paragraph in its markup, with code as `…`, and the code of each."""
    text = _LINK.sub(lambda found: found[1] or found[2], " ".join(raw.replace("**", "").split()))
    taken = iter(_CODE.findall(text))
    for sentence in _END.split(_TAG.sub("", _CODE.sub("`…`", text))):
        yield sentence, [next(taken) for _ in range(sentence.count("`…`"))]


def judge(sentence: str, grammar: Grammar) -> Iterator[tuple[str, Wording]]:
    """Universal words of a sentence with code as `…`, each with its wording."""
    words = grammar.bounded.sub("…", _QUOTED.sub("…", sentence))
    if words.endswith("?"):
        return
    for clause in _CLAUSE.split(words):
        if grammar.recipes.match(clause.strip()):
            continue
        for wording in grammar.wordings:
            found = wording.pattern.search(clause)
            if found and not _CONDITION.search(clause[: found.start()]):
                yield found[0], wording


def list_open(paragraph: Paragraph, uses: Counter[str], grammar: Grammar) -> Iterator[Sentence]:
    """Universal sentences of a paragraph that neither the code beside it nor a query proves."""
    in_example = paragraph.path.startswith("examples/")
    sentences = list(split_sentences(paragraph.raw))
    nearby = [_list_named(codes) for _, codes in sentences]
    once = _count(set().union(*nearby), uses)
    before: set[str] = set()
    for (sentence, codes), named in zip(sentences, nearby, strict=True):
        if any(role in code for code in codes for role in QUERIES):
            continue
        names = named | before if re.match(r"(?:It|They|This|These|Both)\b", sentence) else named
        before = names or before
        if any("{example}" in code for code in codes):
            once = max(once, 1)
        runs = _count(names, uses)
        words = [
            words
            for words, wording in judge(sentence, grammar)
            if (wording.examples or not in_example) and max(runs, min(once, 1)) < wording.runs
        ]
        if words:
            yield Sentence(paragraph.path, paragraph.line, restore(sentence, codes), ", ".join(words))


def _list_named(codes: Iterable[str]) -> set[str]:
    return list_names(code for code in codes if not code.startswith(_PAGE_ROLES))


def _count(names: set[str], uses: Counter[str]) -> int:
    return max((uses[name] for name in names), default=0)


def restore(sentence: str, codes: list[str]) -> str:
    """A sentence with its code, as the source has it."""
    taken = iter(codes)
    return re.sub("`…`", lambda _: next(taken), sentence)


# --- marks --------------------------------------------------------------------------------------


def read_marks(text: str) -> list[Mark]:
    """Marks of the text of tests/proved.toml."""
    return [
        Mark(entry["by"], tuple(entry["torch"]), tuple(entry["sentences"]))
        for entry in tomllib.loads(text).get("proved", [])
    ]


def write_mark(text: str) -> str:
    """A sentence as it stands in tests/proved.toml."""
    return json.dumps(text, ensure_ascii=False)


def find_fault(root: Path, mark: Mark) -> str | None:
    """What is wrong with a proof: no such test or example, or a release on which it has not run."""
    if not mark.torch:
        return "names no release"
    path, _, name = mark.by.partition("::")
    if name:
        return _find_test_fault(root / path, name)
    record = root / f"docs/records/{mark.by}.json"
    if not (root / f"examples/{mark.by}.py").is_file() or not record.is_file():
        return "no such example, or none with a record"
    text = record.read_text(encoding="utf-8")
    missing = [release for release in mark.torch if not re.search(rf'"torch-{re.escape(release)}[+_.]', text)]
    return f"has no run on torch {missing[0]}" if missing else None


def _find_test_fault(path: Path, name: str) -> str | None:
    if not path.is_file():
        return "no such file of tests"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tests = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return None if name in tests else "no such test"
