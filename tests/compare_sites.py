"""Compares two built sites page by page, without what differs from build to build; run it as a script.

    python tests/compare_sites.py before/docs/_build/html after/docs/_build/html

Exit code: 0 where both sites are the same, 1 where a page differs or is in one of them alone.
"""

from __future__ import annotations

import argparse
import difflib
import itertools
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

COMPARED = (".html", ".js", ".json", ".css", ".ipynb", ".md", ".py", ".xml", ".txt", ".svg")
"""Endings of files that are compared as text."""
LEFT_OUT = ("_static/atlas-build.js",)
"""Files that name the commit and the day of a build."""
LETTERS = 160
"""Letters of a differing line that are shown, around the first letter that differs."""
DIFFERS_EACH_TIME = (
    (re.compile(r"(\.(?:css|js|svg|png))\?(?:v|digest)=[0-9a-f]+"), r"\1"),
    (re.compile(r"(\"tensor_atlas\.site\":)\d+"), r"\1DIGEST"),
    (re.compile(r"\b20\d\d-\d\d-\d\d\b"), "DATE"),
    (re.compile(r"\bcommit [0-9a-f]{7,40}\b"), "commit COMMIT"),
    (re.compile(r"\b0x[0-9a-f]{6,}\b"), "ADDRESS"),
)
"""What may differ, and what stands for it in both."""


def normalise(text: str) -> str:
    """The text of a page without digests of assets, dates, commits and addresses."""
    for pattern, word in DIFFERS_EACH_TIME:
        text = pattern.sub(word, text)
    return text


def pages(site: Path) -> set[str]:
    """Names of all files of a site that are compared, relative to its folder."""
    names = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.suffix in COMPARED}
    return names - set(LEFT_OUT)


def difference(before: str, after: str, lines: int) -> list[str]:
    """First lines that differ, each with what was before (-) and what is after (+)."""
    old, new = before.splitlines(), after.splitlines()
    changed: list[str] = []
    for kind, first, last, start, stop in difflib.SequenceMatcher(None, old, new).get_opcodes():
        if kind != "equal":
            changed += _pair_lines(old[first:last], new[start:stop])
    return changed[:lines]


def _pair_lines(removed: Sequence[str], added: Sequence[str]) -> Iterator[str]:
    """Removed and added lines in turn, each pair around the first letter in which it differs."""
    for before, after in itertools.zip_longest(removed, added):
        start = max(0, _first_difference(before or "", after or "") - LETTERS // 4)
        if before is not None:
            yield f"-{before[start : start + LETTERS]}"
        if after is not None:
            yield f"+{after[start : start + LETTERS]}"


def _first_difference(before: str, after: str) -> int:
    """Place of the first letter in which two lines differ, or the end of the shorter one."""
    pairs = enumerate(zip(before, after, strict=False))
    ends = min(len(before), len(after))
    return next((place for place, (one, other) in pairs if one != other), ends)


def compare(before: Path, after: Path, lines: int = 4) -> list[str]:
    """Report on two sites, one line for each finding and for each line that differs; empty where they are the
    same.
    """
    report = []
    old, new = pages(before), pages(after)
    report += [f"only in {before}: {name}" for name in sorted(old - new)]
    report += [f"only in {after}: {name}" for name in sorted(new - old)]
    for name in sorted(old & new):
        one, other = (normalise((site / name).read_text(encoding="utf-8")) for site in (before, after))
        if one != other:
            report.append(f"differs: {name}")
            report += [f"    {line}" for line in difference(one, other, lines)]
    return report


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("before", type=Path, help="folder of a built site")
    parser.add_argument("after", type=Path, help="folder of another one")
    parser.add_argument("--lines", type=int, default=4, help="differing lines that are shown of each page")
    asked = parser.parse_args(arguments)
    report = compare(asked.before, asked.after, asked.lines)
    print("\n".join(report) if report else "the sites are the same")
    return int(bool(report))


if __name__ == "__main__":
    sys.exit(main())
