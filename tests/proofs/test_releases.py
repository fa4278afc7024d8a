"""Sentences that say since which release something holds: the records show a change in that release."""

from __future__ import annotations

import re

import universal
from check_prose import read_pages
from committed import evidence_on
from samples import ROOT

from tensor_atlas.history.releases import minor_release
from tensor_atlas.history.timeline import find_events

SAID = re.compile(r"(?i)\b(?:since|before)\s+(?:(torch|numpy|pytorch)\s+)?(\d+\.\d+)(?![.\d])")
LINKED = re.compile(r":doc:`/gallery/(\w+/\w+)`")
UNRECORDED = {
    "NumPy warns since 1.24": "older than the oldest NumPy that is recorded",
    "since torch 1.9, NumPy's global generator": "older than the oldest torch that is recorded",
    "Since torch 2.8, a linear layer raises": "on a GPU, of which one release is recorded",
    "before torch 2.14 no more": "of sixteen million values, which no example makes",
    "Before torch 2.14 it raises ``quantile()": "of sixteen million values, which no example makes",
}
"""Pieces of sentences that no record can show, and why; each cites where it is from."""


def list_said() -> list[tuple[str, str, str, str, set[str]]]:
    """Page, sentence, package, release, and examples that it links, of each release that an example names."""
    said = []
    for path, _text, paragraphs in read_pages(ROOT):
        if not (path.startswith("examples/") and path.endswith(".py")):
            continue
        name = path.removeprefix("examples/").removesuffix(".py")
        for paragraph in paragraphs:
            for sentence, codes in (
                universal.split_sentences(paragraph.raw) if paragraph.kind == "prose" else ()
            ):
                whole = universal.restore(sentence, codes)
                linked = {name, *LINKED.findall(" ".join(codes))}
                for package, release in SAID.findall(sentence):
                    said.append((name, whole, package.lower().removeprefix("py"), release, linked))
    return said


def test_release_that_a_page_names_changed_something_there() -> None:
    """On the page itself, or on one that the sentence links."""
    said = list_said()
    evidence = evidence_on({name for *_, linked in said for name in linked})
    changed: dict[str, set[tuple[str, str]]] = {}
    for name, shown in evidence.shown.items():
        for event in find_events(shown.example, shown.runs):
            after = event.step.after
            release = after.numpy if event.step.package == "NumPy" else after.torch
            changed.setdefault(name, set()).add((event.step.package.lower(), minor_release(str(release))))
    wrong = []
    for name, sentence, package, release, linked in said:
        found = {one for each in linked for one in changed.get(each, set())}
        packages = {package} if package else {"torch", "numpy"}
        if not {(one, release) for one in packages} & found:
            wrong.append(f"{name}: {release}: {sentence}")
    unknown = [each for each in wrong if not any(piece in each for piece in UNRECORDED)]
    assert len(said) > 40
    assert unknown == []
    assert [piece for piece in UNRECORDED if not any(piece in each for each in wrong)] == []
