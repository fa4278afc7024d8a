"""A message or a few words → the pages that answer, the best first; pure.

``atlas-ranking.js`` follows the same rules in the browser; a test holds the two together.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

# --- what there is to find -----------------------------------------------------------------------


ERRORS, EXAMPLE, CHAPTER, GUIDE, REFERENCE = "Error", "Example", "Chapter", "Guide", "Reference"
RELEASE, PROJECT, MATRIX = "Release", "Contributing", "Matrix"
"""Parts of the site."""


@dataclass(frozen=True)
class Leaf:
    """A page, and what it is about."""

    page: str
    """Its name, without a suffix."""
    title: str
    """Its title."""
    part: str
    """Where on the site it stands, in a word or two."""
    lead: str = ""
    """One sentence on it, which a result shows."""
    more: str = ""
    """Headings and questions that it answers."""
    tags: str = ""
    """Words that its author filed it under."""
    names: str = ""
    """Names that its code uses, the most used first."""
    fix: str = ""
    """What to do about the error that it is about."""
    code: str = ""
    """Code that does it."""


@dataclass(frozen=True)
class Wording:
    """What an error says, with the page about it."""

    page: str
    """Its page."""
    type: str
    """Class name; may be empty."""
    text: str
    """The message, its first lines."""
    where: str = ""
    """Who says so, as a sentence; empty for what a page only quotes."""
    is_own: bool = True
    """Whether its page is about it, or only shows it among other things."""


@dataclass(frozen=True)
class Index:
    """All that can be found."""

    leaves: tuple[Leaf, ...]
    """Each page once."""
    wordings: tuple[Wording, ...]
    """Of the leaves that are about an error."""


# --- words ---------------------------------------------------------------------------------------

TOKEN = re.compile(r"[a-z_][a-z0-9_]*")
QUALIFIED = re.compile(r"\b(np|numpy|torch)\.([a-z_][a-z0-9_]*)", re.ASCII)
FRAME = re.compile(
    r"^\s*(?:(?:Original )?Traceback \(most recent|Caught \w+ in DataLoader worker"
    r"|(?:During handling|The above)\b"
    r"|[~^\s]+$|-+> *\d+|\d+ |-{5,})",
    re.ASCII,
)
FILE = re.compile(r"^(\s*)File \"", re.ASCII)
CLASS = re.compile(r"^.*?\b\w+(?:Error|Exception|Warning): ", re.ASCII)
MARK = re.compile(r"^(?:E  +|>>> |\.\.\. )")
_STOP = (
    "a an and are as at be by can do does for from how i if in into is it its my of on one "
    "or that the this to use "
    "vs was what when which why with without you your"
)
STOP = frozenset(_STOP.split())
"""Words that tell no page from another."""
SAME = {
    "bf16": "bfloat16",
    "cv2": "opencv",
    "dataframe": "pandas",
    "endian": "byteorder",
    "fp16": "float16",
    "fp32": "float32",
    "fp64": "float64",
    "gpu": "cuda",
    "grad": "gradient",
    "ndarray": "array",
    "np": "numpy",
    "pd": "pandas",
    "pil": "pillow",
    "plt": "matplotlib",
    "writeable": "writable",
}
"""Words for one thing."""
ENDINGS = (
    ("ies", "y"),
    ("ied", "y"),
    ("sses", "ss"),
    ("ing", ""),
    ("ed", ""),
    ("es", ""),
    ("s", ""),
    ("e", ""),
)


def words(text: str) -> list[str]:
    """Words and names in order, in one spelling, without numbers, quotes and ends of inflection."""
    lowered = text.lower().replace("’", "'").replace("n't", "nt")
    return [stem(SAME.get(word, word)) for word in TOKEN.findall(lowered)]


def stem(word: str) -> str:
    """A word without its ending; a name with an underscore or a digit as it is."""
    if len(word) < 4 or not word.isalpha():
        return word
    for ending, rest in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) + len(rest) >= 3 and not word.endswith("ss"):
            bare = word[: len(word) - len(ending)] + rest
            is_doubled = ending in ("ing", "ed") and bare[-1] == bare[-2] and bare[-1] not in "aeiouls"
            return bare[:-1] if is_doubled else bare
    return word


def tokens(text: str) -> list[str]:
    """Words, behind a name with underscores its parts, and last the names that say whose they are."""
    found = []
    for word in words(QUALIFIED.sub(r" \2", text.lower())):
        found.append(word)
        if "_" in word:
            found += [stem(SAME.get(part, part)) for part in word.split("_") if part]
    return [*found, *(f"{SAME.get(of, of)}.{name}" for of, name in QUALIFIED.findall(text.lower()))]


def substance(text: str) -> list[str]:
    """Lines of a paste that may hold a message: no frames, no marks of a prompt or of pytest."""
    found: list[str] = []
    inside = -1
    for line in (line.rstrip() for line in text.replace("\r", "").split("\n")):
        unmarked = MARK.sub("", line)
        depth = len(unmarked) - len(unmarked.lstrip())
        file = FILE.match(unmarked)
        if file:
            inside = depth
        elif depth <= inside or inside < 0 or not unmarked:
            inside = -1
            if unmarked.strip() and not FRAME.match(unmarked):
                found.append(unmarked.strip())
    return found


# --- the ranking ---------------------------------------------------------------------------------

LONGEST = 120
"""Lines at the end of a paste that are read."""
LONGEST_QUESTION = 24
"""Words of a question that are read."""
JOINED = 3
"""Lines that a terminal may have made of one."""
UNKNOWN = 1.0
"""What a word counts, or a pair of them, that no wording has."""
SAME_WEIGHT = 1 - 1e-9
"""Share of a weight that counts as all of it."""
ENOUGH = 6.0
"""Weight of words in common that makes a match half sure."""
EARLIER = 0.96
"""What a match further up in a paste is worth: the last error is the one that ended the program."""
FIELDS = (("title", 10.0), ("tags", 5.0), ("lead", 4.0), ("more", 4.0))
STEM = 12.0
"""Weight of the words of a page's own name."""
NAMES = 4.0
"""Weight of the name that a page's code uses most."""
FADING = 20.0
"""Place at which a name counts half."""
BESIDE = 0.2
"""What a word counts in the fields beside the best."""
ELSEWHERE = 0.97
"""What a wording is worth that its page only shows."""
VERBATIM = 4
"""Words in a row that nobody types by chance."""
SURE = 0.9
"""Score of such words that stand in a wording."""
ABOUT = 0.85
"""What a page is worth that is about the words, beside one that shows them as an error."""
PRIOR = {
    ERRORS: 1.0,
    EXAMPLE: 1.0,
    GUIDE: 0.9,
    REFERENCE: 0.8,
    CHAPTER: 0.5,
    RELEASE: 0.5,
    PROJECT: 0.5,
    MATRIX: 0.3,
}
"""What a page is worth by the part of the site it stands in."""
TITLE = 0.15
"""What it counts how much of a title was asked for."""
TYPED = 3
"""Letters from which a word may be the beginning of another."""
BOTH = 0.05
"""What the weaker of the two ways to match adds."""
NEAR = 0.3
"""Share of the best score below which nothing is shown."""
LEAST = 0.12
"""Score below which nothing is shown."""


NOTHING: tuple[float, Wording | None] = (0.0, None)


@dataclass(frozen=True)
class Finding:
    """One result."""

    leaf: Leaf
    """The page."""
    score: float
    """How well it matches, from 0."""
    wording: Wording | None
    """The wording that matches best, where one does."""


def features(sequence: Sequence[str]) -> list[str]:
    """Words and pairs of neighbours; the second time that one occurs is another feature than the first."""
    seen: Counter[str] = Counter()
    found = []
    for feature in (*sequence, *(f"{a} {b}" for a, b in pairwise(sequence))):
        seen[feature] += 1
        found.append(feature if seen[feature] == 1 else f"{feature} {seen[feature]}")
    return found


class Ranking:
    """An index with the weights of its words."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.said = [features(words(f"{w.type} {w.text}")) for w in index.wordings]
        self.rarity = _rarity(self.said)
        self.whole = [sum(self.rarity[f] for f in said) for said in self.said]
        self.posted: dict[str, list[int]] = {}
        for place, said in enumerate(self.said):
            for feature in said:
                self.posted.setdefault(feature, []).append(place)
        self.fields = [_fields(leaf) for leaf in index.leaves]
        self.terms = _rarity(self.fields)
        self.titles = [
            (_terms(leaf.title), words(_stem(leaf)), _terms(_stem(leaf).replace("_", " ")))
            for leaf in index.leaves
        ]

    def find(self, text: str) -> list[Finding]:
        """Pages, the best first; none where nothing is near enough."""
        said: dict[str, tuple[float, Wording | None]] = {}
        for near, spoken in self.wordings(text):
            said.setdefault(spoken.page, (near, spoken))
        about = self.pages(text)
        found: list[tuple[float, int, Finding]] = []
        for place, one in enumerate(self.index.leaves):
            score, wording = said.get(one.page, NOTHING)
            other = about.get(place, 0.0)
            total = max(score, other) + BOTH * min(score, other)
            if total >= LEAST:
                found.append(
                    (-rounded(total), place, Finding(one, total, wording if score >= LEAST else None))
                )
        best = max((finding.score for _, _, finding in found), default=0.0)
        ordered = [finding for _, _, finding in sorted(found, key=lambda entry: entry[:2])]
        return [finding for finding in ordered if finding.score >= NEAR * best]

    def wordings(self, text: str) -> list[tuple[float, Wording]]:
        """Wordings that some part of a paste resembles, the nearest first."""
        best: dict[int, float] = {}
        for segment, worth in segments(text):
            for place, score in self._resembling(segment):
                here = score * worth * (1.0 if self.index.wordings[place].is_own else ELSEWHERE)
                best[place] = max(best.get(place, 0.0), here)
        order = sorted(best, key=lambda place: (-rounded(best[place]), place))
        return [(best[place], self.index.wordings[place]) for place in order]

    def _resembling(self, segment: Sequence[str]) -> Iterator[tuple[int, float]]:
        sought = features(segment)
        known = [f for f in sought if f in self.rarity]
        if not known:
            return
        asked = sum(self.rarity[f] for f in known) + UNKNOWN * (len(sought) - len(known))
        common: dict[int, float] = {}
        for feature in known:
            for place in self.posted[feature]:
                common[place] = common.get(place, 0.0) + self.rarity[feature]
        for place, weight in common.items():
            said, meant = weight / self.whole[place], weight / asked
            score = (0.6 * meant + 0.4 * said) * weight / (weight + ENOUGH)
            is_verbatim = meant > SAME_WEIGHT and len(segment) >= VERBATIM
            yield place, max(score, SURE + (1 - SURE) * said) if is_verbatim else score

    def pages(self, text: str) -> dict[int, float]:
        """How much of a question each page is about, by place; of a paste the last line."""
        asked = _terms(next(iter(substance(text)[::-1]), ""))[:LONGEST_QUESTION]
        if not asked:
            return {}
        meant = [self._meant(term, is_last=place == len(asked) - 1) for place, term in enumerate(asked)]
        rare = max(self.terms.values(), default=1.0)
        weights = [max((self.terms[t] for t in terms), default=rare) for terms in meant]
        scores: dict[int, float] = {}
        for place, fields in enumerate(self.fields):
            score = sum(
                weight * max((fields.get(t, 0.0) for t in terms), default=0.0) / STEM
                for terms, weight in zip(meant, weights, strict=True)
            ) / sum(weights)
            if score > 0:
                one = self.index.leaves[place]
                whole = (1 - TITLE) * score + TITLE * self._covered(place, meant)
                scores[place] = ABOUT * whole * PRIOR[one.part]
        return scores

    def _meant(self, term: str, *, is_last: bool) -> list[str]:
        """Terms of the index that a word stands for: itself, or what it begins while it is being typed."""
        if term in self.terms or not is_last or len(term) < TYPED:
            return [term] if term in self.terms else []
        return [known for known in self.terms if known.startswith(term)]

    def _covered(self, place: int, meant: Sequence[Sequence[str]]) -> float:
        """How much of a title, or of a page's name, was asked for."""
        asked = {t for terms in meant for t in terms}
        return max(self._share(title, asked) for title in self.titles[place])

    def _share(self, title: Sequence[str], asked: Container[str]) -> float:
        whole = sum(self.terms.get(t, 0.0) for t in title)
        return sum(self.terms.get(t, 0.0) for t in title if t in asked) / whole if whole else 0.0


def rounded(score: float) -> float:
    """A score without the digits that two ways of adding it up may differ in."""
    return math.floor(score * 1e6 + 0.5) / 1e6


def segments(text: str) -> list[tuple[list[str], float]]:
    """Parts of a paste that may be the message, as words, with what a match there is worth."""
    lines = substance(text)[-LONGEST:]
    found = []
    for start in range(len(lines)):
        for stop in range(start + 1, min(start + JOINED, len(lines)) + 1):
            whole = " ".join(lines[start:stop])
            for variant in dict.fromkeys([whole, CLASS.sub("", whole)]):
                sequence = words(variant)
                if sequence:
                    found.append((sequence, 1.0 if stop == len(lines) else EARLIER))
    return found


def _fields(leaf: Leaf) -> dict[str, float]:
    """Weight of each term of a page: that of the best field it stands in, and a little for each other."""
    found: dict[str, list[float]] = {}
    for term in _terms(_stem(leaf)):
        found.setdefault(term, []).append(STEM)
    for name, weight in FIELDS:
        for term in _terms(getattr(leaf, name)):
            found.setdefault(term, []).append(weight)
    named: dict[str, float] = {}
    for place, name in enumerate(leaf.names.split()):
        for term in _terms(name):
            named.setdefault(term, NAMES / (1 + place / FADING))
    for term, weight in named.items():
        found.setdefault(term, []).append(weight)
    return {term: min(STEM, max(w) + BESIDE * (sum(w) - max(w))) for term, w in found.items()}


def _terms(text: str) -> list[str]:
    """Words that may tell pages apart, each once."""
    return [term for term in dict.fromkeys(tokens(text)) if term not in STOP]


def _stem(leaf: Leaf) -> str:
    """The last part of a page's name; of the matrix, whose titles are code, none."""
    return "" if leaf.part == MATRIX else leaf.page.rsplit("/", 1)[-1]


def _rarity(documents: Sequence[Iterable[str]]) -> dict[str, float]:
    """Weight of each feature: the higher, the fewer documents have it."""
    counts = Counter(feature for document in documents for feature in document)
    return {feature: math.log(1 + len(documents) / count) for feature, count in counts.items()}
