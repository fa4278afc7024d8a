"""What decides in a message whether a page answers it, such as a name, a class, a keyword or a rank.

Sizes, ids and indices decide nothing. The patterns go into the index: the search reads a paste by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

NAME, CLASS, SIGNAL, VERSION, API, RANK = "name", "class", "signal", "version", "api", "rank"
BYTE, KEYWORD, AXIS = "byte", "keyword", "axis"
"""Kinds of details."""
_DTYPES = "Bool|Byte|Char|Short|Int|Long|Half|Float|Double"
"""Dtypes as torch's messages spell them: the search compares these by itself."""
_BEFORE_CLASS = "got|Got|found|of|not|be|type|ScalarType|GLOBAL"
PATTERNS = (
    (NAME, r"""(?<!#\d )['"`]((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)['"`]"""),
    (CLASS, rf"\b(?:{_BEFORE_CLASS}):? \(?(?!(?:{_DTYPES})\b)((?:[a-z_]\w*\.)+\w+|[A-Z]\w*)"),
    (SIGNAL, r"\bsignal: (\w+(?: \w+)?)"),
    (SIGNAL, r"\b(exited unexpectedly|crashed)\b"),
    (BYTE, r"\b[Uu]nsupported operand (\d+)\b"),
    (KEYWORD, r"\bkeyword argument:? ['\"`](\w+)['\"`]"),
    (API, r"\b(0x[0-9a-f]+)\b"),
    (VERSION, r"\b(?:[Nn]um[Pp]y|(?:[Pp]y)?[Tt]orch|[Pp]ython|CUDA|version)[ =(]{1,2}(\d+(?:\.\d+)?)\b"),
    (RANK, r"(\[\d+(?:, ?\d+)*,?\]|(?<![\w(])\(\d+,(?: ?\d+)?(?:, ?\d+)*\))"),
    (RANK, r"\b(\d)[- ]?[Dd](?:im\w*)?\b"),
    # Channels that are not the last axis either: a layer of the model has the wrong size, no layout is.
    (AXIS, r"\binput\[(?:\d+, ?)+(\d+)\] to have (?!\1 )\d+ (channels)\b"),
)
"""Patterns of Python and JavaScript alike, each with the value as its last group."""


def list_details(text: str) -> frozenset[str]:
    """Details of a text, each as its kind and value: ``name cpu``, ``rank 4``."""
    found = ((kind, match) for kind, pattern in PATTERNS for match in re.finditer(pattern, text, re.ASCII))
    return frozenset(f"{kind} {_shorten(match.groups()[-1])}" for kind, match in found)


def _shorten(value: str) -> str:
    """A name without its module, the rank of a shape; anything else in lower case."""
    if value.startswith(("[", "(")):
        return str(len(re.findall(r"\d+", value)))
    return re.sub(r"^.*\.(?=[A-Za-z_])", "", value).lower().rstrip("_")


def list_shown_ranks(title: str, source: str) -> frozenset[str]:
    """Ranks of the shapes in an example's source; none where its title says which rank it is about.

    A title with one axis, such as a mask of ``[2]``, shows the simplest shape and is about no rank.
    """
    if any(_kind(detail) == RANK for detail in list_details(title) - {f"{RANK} 1"}):
        return frozenset()
    arguments = source.replace("(", " (")  # the shapes that its code asks for count too
    return frozenset(detail for detail in list_details(arguments) if _kind(detail) == RANK)


def list_cases(
    title: str, answer: str, code: str, shown: frozenset[str], messages: Iterable[frozenset[str]]
) -> list[str]:
    """Details of the messages that a page answers, each message's joined by commas, beside those shown.

    The fix is for the class and the rank that the title names, and for those of the answer: a message with
    others is another case. So is one with an API number that the answer does not name.
    """
    details_named = list_details(title) | list_details(answer)
    words = set(re.findall(r"\w+", f"{answer} {code}".lower()))
    decisive = {API} | ({_kind(detail) for detail in list_details(title)} & {CLASS, RANK})

    def is_answered(details: frozenset[str]) -> bool:
        """Whether the page names one of a message's values, of each kind that decides."""
        for kind in decisive & set(map(_kind, details)):
            values = {detail.partition(" ")[2] for detail in details if _kind(detail) == kind}
            is_in_words = kind == CLASS and not values.isdisjoint(words)
            if not is_in_words and not any(f"{kind} {value}" in details_named for value in values):
                return False
        return True

    beside = shown | {detail for detail in details_named if _kind(detail) == VERSION}
    cases = {details | beside for details in (list_details(title), *messages) if is_answered(details)}
    return sorted(",".join(sorted(case)) for case in cases if case)


def _kind(detail: str) -> str:
    return detail.partition(" ")[0]
