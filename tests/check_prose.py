"""Checks the words that readers see: `python tests/check_prose.py` prints every fault, with exit code 1.

The rules stand in tests/prose.toml; proofs of sentences that claim something of every case, in
tests/proved.toml.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import universal

ROOT = Path(__file__).parents[1]
# Contributors have a glossary: their pages keep its words, but follow the other rules.
GLOSSARY = ("docs/contributing/", "CONTRIBUTING.md", "CHANGELOG.md", "docs/measurements/")
TABLE_FIELDS = {"reason", "said", "fact", "title", "question", "have", "want", "costs", "note", "text"}
# What it says is not claimed, but corrected.
BELIEFS = {"said", "title", "question"}
# Its titles are those of records and threads, its texts those of messages.
REASONS = "docs/deviations.toml"
PROVED = "tests/proved.toml"
QUOTED_TABLES = {"docs/wordings.toml", "docs/reported.toml"}

_CODE = re.compile(r"``.+?``|`[^`]+`")
_ROLE = re.compile(r"(?::[\w:]+:|\{[\w:-]+\})`([^`<]+?)(?:\s*<[^`>]*>)?`")
_PAGE_LINK = re.compile(r"(?::doc:|:ref:|\{doc\}|\{ref\})`([^`<]+?)\s*<[^`>]*>`")
_REST_LINK = re.compile(r"`([^`<]+?)\s*<[^`>]*>`__?")
_MARKDOWN_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_TAG = re.compile(r"<[^>]+>|\{[\w-]+\}|https?://\S+")
_RULE = re.compile(r"([-=~^#])\1{2,}$")
_END = re.compile(r"(?<=[.!?])[\"”)*]*\s+(?=[\"“(*]*[A-Z`0-9])")
_MARKER = re.compile(r"(?:[-*+:]|\d+\.|#+)\s+")


@dataclass(frozen=True)
class Paragraph:
    """Words that belong together, without markup."""

    path: str
    line: int
    text: str
    kind: str = "prose"
    """prose, title, heading, or label for words that the site's code writes."""
    raw: str = ""
    """The words with their markup."""


@dataclass(frozen=True)
class Fault:
    """A sentence that breaks a rule."""

    path: str
    line: int
    rule: str
    sentence: str
    advice: str

    def __str__(self) -> str:
        """The fault as it is printed."""
        return f"{self.path}:{self.line}  {self.rule}\n  sentence  {self.sentence}\n  {self.advice}"


@dataclass(frozen=True)
class Rules:
    """What tests/prose.toml asks."""

    longest_sentence: int
    longest_title: int
    spelling: dict[str, str]
    words: tuple[tuple[re.Pattern[str], str], ...]
    starts: tuple[tuple[re.Pattern[str], str], ...]
    leaning: tuple[tuple[re.Pattern[str], str], ...]


def read_rules(text: str) -> Rules:
    """Rules of the text of a TOML file."""
    table = tomllib.loads(text)
    words, leaning = (_read_words(table[name]) for name in ("words", "leaning"))
    starts = [(re.compile(rf"(?:{entry['pattern']})\b"), entry["say"]) for entry in table["starts"]]
    return Rules(
        table["longest_sentence"], table["longest_title"], table["spelling"], words, tuple(starts), leaning
    )


def _read_words(entries: Iterable[dict[str, str]]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(rf"(?i)\b(?:{entry['pattern']})\b"), entry["say"]) for entry in entries)


# --- paragraphs ---------------------------------------------------------------------------------


def strip_markup(text: str) -> str:
    """Text as it is read: links by their words, code as `…`."""
    text = _ROLE.sub(r"`\1`", _PAGE_LINK.sub(r"\1", text))
    text = _MARKDOWN_LINK.sub(r"\1", _REST_LINK.sub(r"\1", text))
    return " ".join(_TAG.sub("", _CODE.sub("`…`", text)).replace("**", "").split())


def list_paragraphs(path: str, lines: Iterable[tuple[int, str]]) -> Iterator[Paragraph]:
    """Paragraphs, headings and items of reStructuredText or Markdown, whose lines are numbered."""
    held: list[tuple[int, str]] = []
    titled = False
    for number, line in [*lines, (0, "")]:
        if _RULE.match(line) and len(held) == 1:
            yield Paragraph(path, held[0][0], held[0][1], "heading" if titled else "title")
            held, titled = [], True
        elif line.startswith("#"):
            yield Paragraph(path, number, line.lstrip("# "), "heading" if titled else "title")
            titled = True
        elif not line.strip() or _MARKER.match(line.lstrip()) or line.startswith("|"):
            yield from _join(path, held)
            held = [] if line.startswith("|") or not line.strip() else [(number, line.strip())]
            yield from _read_row(path, number, line)
        else:
            held.append((number, line.strip()))


def _read_row(path: str, number: int, line: str) -> Iterator[Paragraph]:
    """Cells of a row; the first also has the whole row, which is one sentence."""
    raw = " ".join(line.split())
    for cell in _table_cells(line):
        yield Paragraph(path, number, cell, raw=raw)
        raw = ""


def _table_cells(line: str) -> list[str]:
    cells = [strip_markup(cell) for cell in line.split("|")] if line.startswith("|") else []
    return [cell for cell in cells if cell.strip(" -:")]


def _join(path: str, held: list[tuple[int, str]]) -> Iterator[Paragraph]:
    raw = re.sub(rf"^{_MARKER.pattern}", "", "\n".join(line for _, line in held))
    if text := strip_markup(raw):
        yield Paragraph(path, held[0][0], text, raw=raw)


def read_example(path: str, text: str) -> Iterator[Paragraph]:
    """Docstring and comments of an example script, without claims and settings."""
    docstring = ast.parse(text).body[0].end_lineno or 0
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        inside = number < docstring
        prose = line.strip('"') if inside else line[1:].removeprefix(" ")
        skipped = prose.startswith(("%%", "=>", "sphinx_gallery"))
        lines.append((number, prose if (inside or line.startswith("#")) and not skipped else ""))
    yield from list_paragraphs(path, _without_directives(lines))


def _without_directives(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    directive = False
    for number, line in lines:
        directive = line.startswith("..") or (directive and (not line or line.startswith(" ")))
        yield number, "" if directive else line


def read_markdown(path: str, text: str) -> Iterator[Paragraph]:
    """A page in Markdown, without its code, comments and front matter."""
    fence = ""
    matter = text.startswith("---\n")
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.match(r"(`{3,}|:{3,})", line.strip())
        skipped = matter or fence or mark or re.match(r"\([\w-]+\)=$|<[^>]*>?$", line)
        lines.append((number, "" if skipped else line))
        if matter and number > 1 and line == "---":
            matter = False
        elif mark:
            fence = "" if fence == mark[1] else fence or mark[1]
    yield from list_paragraphs(path, lines)


def read_table(path: str, text: str) -> Iterator[Paragraph]:
    """Fields of a TOML file that a page shows."""
    for number, line in enumerate(text.split("\n"), 1):
        field = re.match(r'([\w-]+) = "(.*)"$', line)
        if field and field[1] in TABLE_FIELDS and path not in QUOTED_TABLES:
            text = field[2].replace('\\"', '"')
            raw = "" if field[1] in BELIEFS else text
            yield Paragraph(path, number, strip_markup(text), raw=raw)


def read_labels(path: str, text: str) -> Iterator[Paragraph]:
    """Strings of several words in a module of the site, without docstrings."""
    tree = ast.parse(text)
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in bare:
            continue
        if len(node.value.split()) > 2 and not node.value.startswith("<"):
            yield Paragraph(path, node.lineno, strip_markup(node.value), "label")


READERS: tuple[tuple[str, Callable[[str, str], Iterator[Paragraph]]], ...] = (
    ("examples/*/*.py", read_example),
    ("examples/*.rst", read_markdown),
    ("examples/*/*.rst", read_markdown),
    ("docs/*.md", read_markdown),
    ("docs/*/*.md", read_markdown),
    ("docs/*.toml", read_table),
    ("*.md", read_markdown),
    ("src/tensor_atlas/site/*.py", read_labels),
    ("src/tensor_atlas/cli.py", read_labels),
    ("src/tensor_atlas/commands.py", read_labels),
)


# --- rules --------------------------------------------------------------------------------------


def check_paragraph(paragraph: Paragraph, rules: Rules) -> Iterator[Fault]:
    """Faults of a paragraph, sentence by sentence."""
    for sentence in _END.split(paragraph.text):
        for rule, advice in _judge(sentence, paragraph, rules):
            yield Fault(paragraph.path, paragraph.line, rule, sentence, advice)
    if paragraph.path == REASONS:
        for rule, advice in _judge_reason(paragraph.text, rules):
            yield Fault(paragraph.path, paragraph.line, rule, paragraph.text, advice)


def _judge(sentence: str, paragraph: Paragraph, rules: Rules) -> Iterator[tuple[str, str]]:
    for_readers = not paragraph.path.startswith(GLOSSARY)
    if paragraph.kind != "title":
        yield from _judge_spelling(sentence, rules)
    if paragraph.kind != "title" and for_readers:
        yield from _judge_words(sentence, rules)
    if paragraph.kind == "prose" and for_readers:
        yield from _judge_form(sentence, rules)


def _judge_spelling(sentence: str, rules: Rules) -> Iterator[tuple[str, str]]:
    for word in re.findall(r"\w+", sentence):
        if british := rules.spelling.get(word.lower()):
            yield f"American spelling {word}", f"write {british}, or mark code as code"


def _judge_words(sentence: str, rules: Rules) -> Iterator[tuple[str, str]]:
    for pattern, say in rules.words:
        if found := pattern.search(sentence.replace("`…`", "")):
            yield f"word of our own: {found[0]}", f"say: {say}"


def _judge_form(sentence: str, rules: Rules) -> Iterator[tuple[str, str]]:
    length = len(sentence.split())
    if length > rules.longest_sentence:
        yield f"sentence of {length} words", f"split it: at most {rules.longest_sentence} words"
    for pattern, say in rules.starts:
        if (found := pattern.match(sentence)) and sentence.endswith("."):
            yield f"sentence that begins with {found[0]}", f"begin with: {say}"


def _judge_reason(text: str, rules: Rules) -> Iterator[tuple[str, str]]:
    """Faults of a reason that leans on the example beside it, which the page of a release does not show."""
    for pattern, say in rules.leaning:
        if found := pattern.search(text.replace("`…`", "")):
            yield f"reason that leans on its page: {found[0]}", f"say: {say}"
    first = _END.split(text)[0]
    if re.match(r"(?:The|It|They|Older releases|Later releases)\b", first) and "`…`" not in first:
        yield "reason that begins without the call", "name the call or class in its first sentence"
    if not re.search(r"\d|\bbuild\b", text):
        yield "reason without a release", "name the release or the build that differs"


def check_titles(titles: list[Paragraph], rules: Rules) -> Iterator[Fault]:
    """Titles that are too long, and those that two pages have."""
    seen: dict[str, Paragraph] = {}
    for title in titles:
        if len(title.text) > rules.longest_title:
            rule = f"title of {len(title.text)} characters"
            yield Fault(title.path, title.line, rule, title.text, f"at most {rules.longest_title}")
        if other := seen.get(title.text.lower()):
            yield Fault(title.path, title.line, f"title of {other.path}", title.text, "name what differs")
        seen.setdefault(title.text.lower(), title)


def check_conflicts(path: str, text: str) -> Iterator[Fault]:
    """Lines that a merge left behind."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith(("<<<<<<< ", ">>>>>>> ")):
            yield Fault(path, number, "conflict marker", line, "resolve the conflict")


def read_pages(root: Path) -> Iterator[tuple[str, str, list[Paragraph]]]:
    """Files that readers see, with their text and paragraphs."""
    for pattern, read in READERS:
        for path in sorted(root.glob(pattern)):
            name, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
            yield name, text, list(read(name, text))


def check(root: Path, rules: Rules) -> list[Fault]:
    """All faults of a checkout, by file and line."""
    paragraphs: list[Paragraph] = []
    faults: list[Fault] = []
    for name, text, read in read_pages(root):
        paragraphs += read
        faults += check_conflicts(name, text)
    faults += [fault for paragraph in paragraphs for fault in check_paragraph(paragraph, rules)]
    faults += check_titles([each for each in paragraphs if each.kind == "title" and "/" in each.path], rules)
    return sorted(faults, key=lambda fault: (fault.path, fault.line))


# --- proofs -------------------------------------------------------------------------------------


def list_universal(root: Path, grammar: universal.Grammar) -> Iterator[universal.Sentence]:
    """Universal sentences of a checkout that neither code beside them nor a query proves."""
    for name, text, paragraphs in read_pages(root):
        if not universal.is_read(name):
            continue
        uses = universal.list_blocks(text) if name.endswith(".py") else {}
        for paragraph in paragraphs:
            if paragraph.kind == "prose":
                yield from universal.list_open(paragraph, uses.get(paragraph.line, Counter()), grammar)


def check_proofs(root: Path, grammar: universal.Grammar, proved: str) -> list[Fault]:
    """Universal sentences without a proof, and proofs that do not exist or prove no sentence."""
    sentences = list(list_universal(root, grammar))
    marks = universal.read_marks(proved)
    marked = {text for mark in marks for text in mark.sentences}
    faults = [fault for mark in marks for fault in _check_mark(root, mark, {each.text for each in sentences})]
    for sentence in sentences:
        if sentence.text not in marked:
            advice = f"run it, narrow it, or mark it in {PROVED}: {universal.write_mark(sentence.text)}"
            rule = f"no proof of: {sentence.words}"
            faults.append(Fault(sentence.path, sentence.line, rule, sentence.text, advice))
    return faults


def _check_mark(root: Path, mark: universal.Mark, sentences: set[str]) -> Iterator[Fault]:
    if fault := universal.find_fault(root, mark):
        yield Fault(PROVED, 0, f"proof {mark.by}", fault, "name a test or an example that ran there")
    for text in mark.sentences:
        if text not in sentences:
            yield Fault(
                PROVED, 0, f"mark of no sentence, by {mark.by}", text, "prove the new one, or remove it"
            )


def main() -> int:
    """Print the faults of this checkout."""
    rules = (ROOT / "tests/prose.toml").read_text(encoding="utf-8")
    proved = (ROOT / PROVED).read_text(encoding="utf-8")
    faults = check(ROOT, read_rules(rules))
    faults += check_proofs(ROOT, universal.read_grammar(rules), proved)
    for fault in faults:
        print(fault)
    print(f"prose: {len(faults)} faults" if faults else "prose: no faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
