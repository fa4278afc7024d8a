"""Sentences that say since which release something holds: the records show a change in that release."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import universal
from check_prose import read_pages
from committed import evidence_on
from samples import ROOT

from tensor_atlas.history.releases import minor_release
from tensor_atlas.history.timeline import find_events

SAID = re.compile(r"(?i)\b(?:since|before)\s+(?:(torch|numpy|pytorch)\s+)?(\d+\.\d+)(?![.\d])")
LINKED = re.compile(r":doc:`/gallery/(\w+/\w+)`|\{(?:example|verdict)\}`+\s*(\w+/\w+)")
UNRECORDED = {
    "NumPy warns since 1.24": "older than the oldest NumPy that is recorded",
    "since torch 1.9, NumPy's global generator": "older than the oldest torch that is recorded",
    "Since torch 2.8, a linear layer raises": "on a GPU, of which one release is recorded",
    "before torch 2.14 no more": "of sixteen million values, which no example makes",
    "Before torch 2.14 it raises ``quantile()": "of sixteen million values, which no example makes",
    "torch before 2.3 does not work with it": "of packages that do not fit, which count as no step",
    "Releases of torch before 2.3 were built": "of packages that do not fit, which count as no step",
}
"""Pieces of sentences that no record can show, and why; each cites where it is from."""


@dataclass(frozen=True)
class Said:
    """A release that a sentence names."""

    page: str
    sentence: str
    packages: frozenset[str]
    release: str
    examples: frozenset[str]
    """Whose records have to change there."""


def list_linked(text: str) -> frozenset[str]:
    """Examples that a text links or asks."""
    return frozenset(first or second for first, second in LINKED.findall(text))


def list_said() -> Iterator[Said]:
    """Releases that examples and guides name: of a guide, each example that it links may have changed."""
    for path, text, paragraphs in read_pages(ROOT):
        if not path.startswith(("examples/", "docs/guides/")):
            continue
        own = (
            {path.removeprefix("examples/").removesuffix(".py")}
            if path.endswith(".py")
            else list_linked(text)
        )
        for paragraph in paragraphs:
            if paragraph.kind == "prose":
                yield from _read_releases(path, paragraph.raw, frozenset(own))


def _read_releases(page: str, raw: str, own: frozenset[str]) -> Iterator[Said]:
    for sentence, codes in universal.split_sentences(raw):
        whole = universal.restore(sentence, codes)
        for package, release in SAID.findall(sentence):
            packages = {package.lower().removeprefix("py")} if package else {"torch", "numpy"}
            yield Said(page, whole, frozenset(packages), release, own | list_linked(whole))


def test_release_that_a_page_names_changed_something_there() -> None:
    """On the page itself, or on one that it links."""
    said = list(list_said())
    evidence = evidence_on({name for each in said for name in each.examples})
    changed: dict[str, set[tuple[str, str]]] = {}
    for name, shown in evidence.pages.items():
        for event in find_events(shown.example, shown.runs):
            after = event.step.after
            release = after.numpy if event.step.package == "NumPy" else after.torch
            changed.setdefault(name, set()).add((event.step.package.lower(), minor_release(str(release))))
    wrong = []
    for each in said:
        found = {one for name in each.examples for one in changed.get(name, set())}
        if not {(package, each.release) for package in each.packages} & found:
            wrong.append(f"{each.page}: {each.release}: {each.sentence}")
    assert len(said) > 60
    assert [each for each in wrong if not any(piece in each for piece in UNRECORDED)] == []
    assert [piece for piece in UNRECORDED if not any(piece in each for each in wrong)] == []
