"""The inventory of questions, and that each has an answer."""

from __future__ import annotations

import pytest
from samples import ROOT

from tensor_atlas.checkout import project
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.scenarios import parse_scenarios

PATH = "docs/scenarios.toml"
ENTRY = """
[[scenario]]
number = 2
topic = "NumPy to tensor"
title = "A copy"
question = "What copies?"
examples = ["01_x/a", "01_x/b"]
"""
KNOWN = {"01_x/a", "01_x/b"}
TOPICS = {
    "Autograd and compile",
    "CUDA",
    "Data loading, processes, random numbers",
    "Dtypes",
    "Files, ecosystem, installation",
    "Layout and read-only memory",
    "Lifetime",
    "Mixed expressions",
    "NumPy to tensor",
    "Other devices",
    "Protocols",
    "Tensor to NumPy",
}
"""Headings of docs/reference/topics.md."""


def test_scenarios_are_read_in_order_of_number() -> None:
    """Whatever order the file has."""
    text = ENTRY + ENTRY.replace("number = 2", "number = 1").replace("A copy", "Sharing")
    first, second = parse_scenarios(text, PATH, KNOWN)
    assert (first.number, first.title) == (1, "Sharing")
    assert (second.topic, second.question) == ("NumPy to tensor", "What copies?")
    assert second.examples == ("01_x/a", "01_x/b")
    assert (first.also_asked, second.also_asked) == ((), ())
    (only,) = parse_scenarios(f'{ENTRY}also_asked = ["does it copy"]', PATH, KNOWN)
    assert only.also_asked == ("does it copy",)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (("01_x/b", "01_x/c"), "no example 01_x/c"),
        (('["01_x/a", "01_x/b"]', "[]"), "scenario 2 has no example"),
        (("number = 2", 'number = "2"'), "number: Expected `int`, got `str`\n    write number = 1"),
        (("question =", "asks ="), "unknown field asks"),
        (('topic = "NumPy to tensor"', ""), "no topic"),
        (("examples =", 'also_asked = "copy"\nexamples ='), "also_asked: Expected `array`, got `str`"),
        (("[[scenario]]", f"{ENTRY}\n[[scenario]]"), "scenario 2 is listed twice"),
    ],
)
def test_entry_that_cannot_be_read_is_refused(change: tuple[str, str], what: str) -> None:
    """With file and line."""
    with pytest.raises(AtlasError, match=rf"docs/scenarios.toml:\d+  {what}"):
        parse_scenarios(ENTRY.replace(*change), PATH, KNOWN)


@pytest.mark.parametrize("topic", ["NumPy to Tensor", "Numpy to tensors", "NumPy to  tensor"])
def test_topic_that_is_nearly_another_is_refused(topic: str) -> None:
    """It would make a heading of its own, unnoticed; a topic of other words is a new heading."""
    second = ENTRY.replace("number = 2", "number = 3")
    with pytest.raises(AtlasError, match=r"docs/scenarios.toml:\d+  topic .* is nearly 'NumPy to tensor'"):
        parse_scenarios(ENTRY + second.replace("NumPy to tensor", topic), PATH, KNOWN)
    found = parse_scenarios(ENTRY + second.replace("NumPy to tensor", "Tensor to NumPy"), PATH, KNOWN)
    assert [scenario.topic for scenario in found] == ["NumPy to tensor", "Tensor to NumPy"]


def test_topics_are_those_that_are_known_here() -> None:
    """A new heading of the page is meant: add it here."""
    known = project.examples_of(project.find(ROOT))
    found = parse_scenarios((ROOT / "docs" / "scenarios.toml").read_text(encoding="utf-8"), PATH, known)
    assert {scenario.topic for scenario in found} == TOPICS


def test_every_scenario_has_an_example_of_the_gallery() -> None:
    """Each is answered by execution in an example that exists, and none is missing in the count."""
    known = project.examples_of(project.find(ROOT))
    found = parse_scenarios((ROOT / "docs" / "scenarios.toml").read_text(encoding="utf-8"), PATH, known)
    assert [scenario.number for scenario in found] == list(range(1, len(found) + 1))
