"""Sentences about speed name calls that docs/measurements/cpu.json compares, and say what it measured."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

import pytest
import universal
from check_prose import read_pages
from samples import ROOT

SPEED = re.compile(
    r"(?i)\b(?:faster|fastest|slow|slower|slowest|quick|quicker|cheaper|takes? longer|takes? the longest"
    r"|takes about the same time|is fast)\b"
)
FROM_ARRAY = "torch.from_numpy(np.array(arrays))"
STACKED = "torch.from_numpy(np.stack(arrays))"
READ_LIST = "torch.tensor(arrays)"


@dataclass(frozen=True)
class Comparison:
    """What a sentence says: this call takes so many times as long as that one, at each size."""

    series: str
    slower: str
    faster: str
    times: float = 1.0
    """At least; below one for calls that take about the same time."""


MEASURED = {
    "``torch.tensor(arrays)`` is slow and warns": Comparison("a list of arrays", READ_LIST, FROM_ARRAY, 10),
    ":func:`torch.tensor` reads a list of arrays element": Comparison(
        "a list of arrays", READ_LIST, STACKED, 10
    ),
    ":func:`numpy.stack` is fast": Comparison("a list of arrays", READ_LIST, STACKED, 10),
    "Here the result is right, but slow.": Comparison("a list of arrays", READ_LIST, FROM_ARRAY, 10),
    "but takes longer for many small arrays": Comparison("a list of arrays", STACKED, FROM_ARRAY, 1.5),
    "It takes longer for many small arrays": Comparison("a list of arrays", STACKED, FROM_ARRAY, 1.5),
    "walks through it element by element, and is slow": Comparison(
        "a list of arrays", READ_LIST, FROM_ARRAY, 10
    ),
    "and warns that this is slow": Comparison("a list of arrays", READ_LIST, FROM_ARRAY, 10),
    "It is faster to let NumPy or torch join whole": Comparison(
        "a list of arrays", READ_LIST, "torch.stack([torch.from_numpy(array) …])", 10
    ),
    "``torch.tensor(np.array(arrays))`` takes the longest": Comparison(
        "a list of images", "torch.tensor(np.array(arrays))", FROM_ARRAY, 1.5
    ),
    "{func}`torch.tensor` on the list is slow": Comparison("a list of arrays", READ_LIST, FROM_ARRAY, 10),
    "copying takes longer the more data there is": Comparison(
        "to a tensor", "torch.tensor(array)", "torch.from_numpy(array)", 2
    ),
    "A loop of `item` calls is slow": Comparison(
        "single values", "[x.item() for x in tensor]", "tensor.tolist()", 10
    ),
    "A loop with {meth}`torch.Tensor.item` is slow": Comparison(
        "single values", "[tensor[i].item() for i …]", "tensor.tolist()", 10
    ),
    "a NumPy scalar, which is cheaper to make": Comparison(
        "single values", "[x.item() for x in tensor]", "[float(x) for x in tensor.numpy()]", 2
    ),
    "which way to read single values is the fastest": Comparison(
        "single values", "[x.item() for x in tensor]", "tensor.tolist()", 10
    ),
}
"""A piece of each sentence, and the measurement behind it."""
STEADY = (
    "A call that shares memory takes about the same time",
    "Sharing takes about the same time at these sizes",
)
"""Of calls whose time does not grow with the array."""
UNMEASURED = (
    "The matrix products stand for a slow upload.",  # says what the code imitates
    "They look slow on a GPU",  # denies it
    "and may take longer than a plain `to`",  # may: needs a GPU
    "A conversion is slow if it copies the bytes",  # introduces the tables
    "a small copy takes longer than in these tables",  # says what the tables leave out
)


def list_speed() -> list[str]:
    """Sentences of readers' pages that say what is faster or slower."""
    return [
        universal.restore(sentence, codes)
        for name, _text, paragraphs in read_pages(ROOT)
        if universal.is_read(name)
        for paragraph in paragraphs
        if paragraph.kind == "prose" and "{verdict}" not in paragraph.raw
        for sentence, codes in universal.split_sentences(paragraph.raw)
        if SPEED.search(sentence)
    ]


def read_medians(series: str, name: str) -> dict[int, float]:
    """Seconds that a call took, by size."""
    cases = json.loads((ROOT / "docs/measurements/cpu.json").read_text(encoding="utf-8"))["cases"]
    found = {
        case["size"]: case["median"] for case in cases if (case["series"], case["name"]) == (series, name)
    }
    assert found, f"{series}: {name} is not measured"
    return found


def test_each_sentence_about_speed_has_a_measurement() -> None:
    """A new one is added above, with the calls that it compares; one that is gone is taken out."""
    sentences = list_speed()
    pieces = [*MEASURED, *STEADY, *UNMEASURED]
    assert [each for each in sentences if not any(piece in each for piece in pieces)] == []
    assert [piece for piece in pieces if not any(piece in each for each in sentences)] == []


@pytest.mark.parametrize("piece", MEASURED)
def test_sentence_says_what_was_measured(piece: str) -> None:
    """At each size that both calls have."""
    compared = MEASURED[piece]
    slower, faster = (read_medians(compared.series, name) for name in (compared.slower, compared.faster))
    assert {
        size: slower[size] / faster[size] for size in slower if slower[size] < compared.times * faster[size]
    } == {}


@pytest.mark.parametrize(
    ("series", "name"), [("to a tensor", "torch.from_numpy(array)"), ("to an array", "tensor.numpy()")]
)
def test_sharing_takes_about_the_same_time_at_each_size(series: str, name: str) -> None:
    """While the array grows two hundred thousand times."""
    medians = read_medians(series, name).values()
    assert max(medians) < 1.5 * min(medians)
