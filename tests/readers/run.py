"""Tries what readers really posted in the built site's search box, and compares with committed figures.

``python tests/readers/run.py`` prints how often the first result answers, how often one of the first three
does, and how often a wrong fix stands unfolded. It ends with 1 if a figure is worse than in
``docs/measurements/readers.json`` by more than ``SLACK``; ``--write`` replaces that file.
The site is opened as files, offline.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[2]
SITE = ROOT / "docs" / "_build" / "html"
CASES = Path(__file__).with_name("cases.json")
TABLE = ROOT / "docs" / "measurements" / "readers.json"
DATA = ("atlas-index.js", "atlas-search.js", "atlas-names.js", "atlas-name-facts.js")
"""Scripts that the box loads when it is first used, and, the last, for a message about a name."""
MOST_BYTES = 320_000
"""What they may take, compressed."""
SLACK = 1
"""Answers that a row may lose: a sentence on one page moves the weights of words on others."""

BUTTON = ".atlas-finder-link:visible"
INPUT = "dialog.atlas-finder textarea"
ASK = """
async (text) => {
  const input = document.querySelector("dialog.atlas-finder textarea");
  const status = document.querySelector("dialog.atlas-finder .atlas-finder-status");
  const watch = (resolve) => new MutationObserver(resolve).observe(status, { childList: true });
  const answered = new Promise(watch);
  const start = performance.now();
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  await answered;
  await new Promise(requestAnimationFrame);
  const seconds = performance.now() - start;
  const shown = [...document.querySelectorAll("dialog.atlas-finder .atlas-findings > .atlas-finding")];
  const isOpen = (node) => node.checkVisibility() && !node.closest("details:not([open])");
  const visible = shown.filter(isOpen);
  const fixes = [...document.querySelectorAll("dialog.atlas-finder .atlas-finding-fix")].filter(isOpen);
  const addressOf = (node) => new URL(node.querySelector(".atlas-finding-link").href).pathname;
  const pageOf = (node) => addressOf(node).split("/html/")[1].replace(/[.]html$/, "");
  return {
    state: status.dataset.state,
    pages: visible.map(pageOf),
    fixes: fixes.map((fix) => pageOf(fix.closest(".atlas-finding"))),
    milliseconds: seconds,
  };
}
"""
"""Puts a text into the box and reads what is shown for it, folded parts left out."""


@dataclass(frozen=True)
class Case:
    """Something that a reader pasted or asked."""

    kind: str
    """``error`` or ``question``."""
    subject: str
    """What it is about, in a word or two."""
    text: str
    """Error lines as libraries print them; all else in our own words."""
    answer: str
    """What the thread's answer said, in one sentence."""
    source: str
    """Address of the thread."""
    in_scope: bool
    """Whether the site is about such things."""
    accepted: tuple[str, ...]
    """Pages that answer it; none while the site has no such page."""
    set: str
    """``frozen``, ``met``, ``fresh`` or ``harvest`` with a number: see README.md beside the cases."""


@dataclass(frozen=True)
class Answer:
    """What the box showed for a case."""

    state: str
    """``sure``, ``maybe`` or ``none``."""
    pages: tuple[str, ...]
    """Results in order; none where the box says that nothing answers."""
    fixes: tuple[str, ...]
    """Pages whose fix is unfolded."""
    milliseconds: float
    """From the input to the painted answer."""

    def rank(self, case: Case) -> int | None:
        """Place of the first page that answers, from 1."""
        return next((place for place, page in enumerate(self.pages, 1) if page in case.accepted), None)

    def is_wrong_fix(self, case: Case) -> bool:
        """Whether a fix is unfolded that does not answer."""
        return bool(set(self.fixes) - set(case.accepted))


@dataclass(frozen=True)
class Figures:
    """Counts over some cases."""

    cases: int
    """How many there are."""
    first: int
    """Of these, how many the first result answers."""
    three: int
    """How many one of the first three answers."""
    wrong_fix: int
    """For how many a fix is unfolded that is another's."""
    told: int
    """For how many the box says that nothing here answers."""


def count(tried: Iterable[tuple[Case, Answer]]) -> Figures:
    """Figures over cases with their answers."""
    pairs = list(tried)
    ranks = [answer.rank(case) for case, answer in pairs]
    return Figures(
        cases=len(pairs),
        first=sum(rank == 1 for rank in ranks),
        three=sum(rank is not None and rank <= 3 for rank in ranks),
        wrong_fix=sum(answer.is_wrong_fix(case) for case, answer in pairs),
        told=sum(answer.state == "none" for _, answer in pairs),
    )


def group(case: Case) -> str:
    """Row of the table that a case counts in."""
    return f"{case.set}: {case.kind}s" if case.in_scope else f"{case.set}: out of scope"


def tabulate(tried: Sequence[tuple[Case, Answer]]) -> dict[str, Figures]:
    """Figures of each group, in the order of the cases."""
    rows = dict.fromkeys(group(case) for case, _ in tried)
    return {row: count(pair for pair in tried if group(pair[0]) == row) for row in rows}


def compare(row: str, found: Figures, committed: Figures) -> list[str]:
    """What is worse than committed, in words; shares, as cases are added.

    A fix unfolded on one case more is worse; an answer less is so beyond ``SLACK``.
    """
    worse = []
    wanted = ("told",) if row.endswith("out of scope") else ("first", "three")
    grown = found.cases / committed.cases
    for name in (*wanted, "wrong_fix"):
        now, then = asdict(found)[name], asdict(committed)[name]
        lost = now - then * grown if name == "wrong_fix" else then * grown - now - SLACK
        if lost > 1e-9:
            worse.append(f"{row}: {name} {now} of {found.cases}, committed {then} of {committed.cases}")
    return worse


# --- the box -------------------------------------------------------------------------------------


def read_cases(text: str) -> list[Case]:
    """Cases of the committed file."""
    return [Case(**{**entry, "accepted": tuple(entry["accepted"])}) for entry in json.loads(text)]


def ask(page: Page, case: Case) -> Answer:
    """What the box shows for a case."""
    found = page.evaluate(ASK, case.text)
    return Answer(found["state"], tuple(found["pages"]), tuple(found["fixes"]), found["milliseconds"])


def ask_all(cases: Sequence[Case]) -> list[tuple[Case, Answer]]:
    """Every case in one box; the first waits for the data to be loaded."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser")
    if executable is None:
        sys.exit("chromium is not installed: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_context(offline=True, viewport={"width": 1280, "height": 900}).new_page()
        page.goto((SITE / "index.html").as_uri())
        page.locator(BUTTON).click()
        page.locator(INPUT).wait_for()
        page.wait_for_function("window.atlasSearch !== undefined")
        tried = [(case, ask(page, case)) for case in cases]
        browser.close()
    return tried


# --- the report ----------------------------------------------------------------------------------


def miss(case: Case, answer: Answer) -> str | None:
    """A case that is not answered first, in two lines; None for one that is."""
    place = answer.rank(case)
    is_answered = place == 1 if case.in_scope else answer.state == "none"
    if is_answered and not answer.is_wrong_fix(case):
        return None
    what = (
        f"place {place}" if place else "no page yet" if case.in_scope and not case.accepted else "not found"
    )
    fix = ", WRONG FIX" if answer.is_wrong_fix(case) else ""
    text = " ".join(case.text.split())[-90:]
    shown = ", ".join(answer.pages[:3]) or "nothing"
    return f"  {case.kind}, {case.subject}: {what}, {answer.state}{fix} | {text}\n      {shown}"


def render(rows: dict[str, Figures]) -> str:
    """The table as text."""
    head = f"{'':30}{'cases':>7}{'first':>7}{'three':>7}{'wrong fix':>11}{'nothing':>9}"
    lines = [
        f"{name:30}{f.cases:7}{f.first:7}{f.three:7}{f.wrong_fix:11}{f.told:9}" for name, f in rows.items()
    ]
    return "\n".join([head, *lines])


def render_subjects(tried: Sequence[tuple[Case, Answer]]) -> str:
    """First, top three and cases by kind and subject."""
    subjects = Counter((case.kind, case.subject) for case, _ in tried if case.in_scope)
    rows = {
        f"{kind}: {subject}"[:30]: count(p for p in tried if (p[0].kind, p[0].subject) == (kind, subject))
        for kind, subject in sorted(subjects)
    }
    return render(rows)


def measure_bytes() -> int:
    """Size of what the box loads, compressed as a server does it."""
    return sum(len(gzip.compress((SITE / "_static" / name).read_bytes(), 6)) for name in DATA)


def main() -> int:
    """Try all cases, print the table, write or compare it; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="replace the committed table")
    arguments = parser.parse_args()
    tried = ask_all(read_cases(CASES.read_text(encoding="utf-8")))
    rows = tabulate(tried)
    misses = [line for case, answer in tried if (line := miss(case, answer))]
    print(
        render_subjects(tried),
        render(rows),
        *["not answered first:", *misses],
        sep="\n\n" if not misses else "\n",
    )
    times = sorted(answer.milliseconds for _, answer in tried)
    median, slowest, size = times[len(times) // 2], times[-1], measure_bytes()
    print(
        f"answer after {median:.0f} ms (median), {slowest:.0f} ms (slowest); data {size:,} bytes compressed"
    )
    if arguments.write:
        table = {name: asdict(figures) for name, figures in rows.items()}
        TABLE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
        return 0
    committed = {n: Figures(**f) for n, f in json.loads(TABLE.read_text(encoding="utf-8")).items()}
    worse = [line for row in rows for line in compare(row, rows[row], committed.get(row, rows[row]))]
    worse += [f"data: {size:,} bytes, {MOST_BYTES:,} at most"] if size > MOST_BYTES else []
    print(*[f"WORSE  {line}" for line in worse], sep="\n")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
