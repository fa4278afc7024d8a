"""Reviewed exceptions: how they are read, and what they speak of."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import CPU, GPU, OLDER, example

from tensor_atlas.deviations import Deviation, check_targets, matches, parse
from tensor_atlas.errors import AtlasError
from tensor_atlas.probe.record import Environment

PATH = "docs/deviations.toml"
WHOLE = """# A comment.

[[deviation]]
example = "01_x/a"
statement = "print(tensor)"
environments = ["torch < 2.3", "cuda build and numpy < 2"]
reason = "It was so."

[[deviation]]
example = "01_x/a"
statement = "  try:"
environments = ["cuda"]
reason = "On the device."
link = "https://example.org"
output = ["one", "two"]
"""
ENTRY = 'example = "01_x/a"\nstatement = "f()"\nenvironments = ["cpu"]\nreason = "r"\n'


def test_entries_are_read_with_their_lines() -> None:
    """Optional fields are None where they are left out."""
    assert parse(WHOLE, PATH) == (
        Deviation(
            "01_x/a",
            "print(tensor)",
            ("torch < 2.3", "cuda build and numpy < 2"),
            "It was so.",
            link=None,
            output=None,
            line=3,
        ),
        Deviation(
            "01_x/a", "try:", ("cuda",), "On the device.", link="https://example.org", output=("one", "two"), line=9
        ),
    )
    assert parse("", PATH) == ()


@pytest.mark.parametrize(
    ("text", "where", "words"),
    [
        ("[[deviation]]\nexample = ", PATH, "not TOML"),
        ("[[deviations]]\n" + ENTRY, PATH, "unknown table deviations"),
        ("title = 1\n", PATH, "unknown table title"),
        ("[deviation]\n" + ENTRY, PATH, "deviation is not a list of tables"),
        ("\n[[deviation]]\n" + ENTRY + "until = 1\n", f"{PATH}:2", "unknown field until"),
        ("[[deviation]]\n" + ENTRY.replace('"f()"', '" "'), f"{PATH}:1", "no statement"),
        ("[[deviation]]\n" + ENTRY.replace('reason = "r"\n', ""), f"{PATH}:1", "no reason"),
        ("[[deviation]]\n" + ENTRY + "link = 3\n", f"{PATH}:1", "no link"),
        ("[[deviation]]\n" + ENTRY + 'output = "one"\n', f"{PATH}:1", "output is not a list of strings"),
        ("[[deviation]]\n" + ENTRY.replace('["cpu"]', '"cpu"'), f"{PATH}:1", "environments is not a list of strings"),
        ("[[deviation]]\n" + ENTRY.replace('"cpu"', '"torch"'), f"{PATH}:1", "unknown condition 'torch'"),
        ("[[deviation]]\n" + ENTRY.replace('"cpu"', '"torch < new"'), f"{PATH}:1", "unknown condition 'torch < new'"),
        ("[[deviation]]\n" + ENTRY.replace('"cpu"', '"cpu or cuda"'), f"{PATH}:1", "unknown condition 'cpu or cuda'"),
        ("[[deviation]]\n" + ENTRY.replace('"cpu"', '">= 2"'), f"{PATH}:1", "unknown condition '>= 2'"),
        ("[[deviation]]\n" + ENTRY.replace('"cpu"', '"scipy > 1"'), f"{PATH}:1", "unknown condition 'scipy > 1'"),
        ("[[deviation]]\n" + ENTRY.replace('"cpu"', '"cpu and "'), f"{PATH}:1", "unknown condition"),
        ("deviation = [1]\n", PATH, "deviation is not a list of tables"),
    ],
)
def test_entry_that_cannot_be_read_is_refused(text: str, where: str, words: str) -> None:
    """No entry is dropped silently: the error says line, mistake and remedy."""
    with pytest.raises(AtlasError) as caught:
        parse(text, PATH)
    first, remedy = str(caught.value).split("\n", 1)
    assert first.startswith(f"{where}  ")
    assert words in first
    assert remedy.strip()


@pytest.mark.parametrize(
    ("condition", "environment", "expected"),
    [
        ("torch < 2.3", OLDER, True),
        ("torch < 2.3", CPU, False),
        ("torch >= 2.13", CPU, True),
        ("torch == 2.2.*", OLDER, True),
        ("torch > 2.13.0", CPU, False),
        ("torch < 2.14", replace(CPU, torch="2.14.0.dev20260101+cpu"), False),
        ("torch >= 2.14", replace(CPU, torch="2.14.0a0+gitabc"), True),
        ("numpy<2", OLDER, True),
        ("numpy ~= 2.4", CPU, True),
        ("python >= 3.12", CPU, False),
        ("cpu", CPU, True),
        ("cpu", GPU, False),
        ("cuda", GPU, True),
        ("mps", GPU, False),
        ("cuda build", GPU, True),
        ("cuda build", CPU, False),
        ("cpu build", CPU, True),
        ("cuda build and cpu", replace(GPU, device="cpu", device_count=0), True),
        ("torch < 2.3 and cpu and numpy < 2", OLDER, True),
        ("torch < 2.3 and cuda", OLDER, False),
    ],
)
def test_condition_speaks_of_environments(condition: str, environment: Environment, expected: bool) -> None:
    """Releases, with their pre-releases counted as themselves, devices and builds, joined by ``and``."""
    assert matches(condition, environment) is expected


def test_any_condition_suffices_and_the_statement_s_first_line_names_it() -> None:
    """A deviation covers its statement, in its example, where one of its conditions holds."""
    first, second = parse(WHOLE, PATH)
    assert first.covers("01_x/a", "print(tensor)", OLDER)
    assert first.covers("01_x/a", "print(tensor)", replace(GPU, numpy="1.26.4"))
    assert not first.covers("01_x/a", "print(tensor)", CPU)
    assert not first.covers("01_x/b", "print(tensor)", OLDER)
    assert not first.covers("01_x/a", "print(tensor.dtype)", OLDER)
    assert second.covers("01_x/a", "try:\n    f()\nexcept TypeError:\n    pass", GPU)


def test_target_must_exist() -> None:
    """A deviation about nothing is a typing error, or left over."""
    here = example("print(tensor)\ntry:\n    f()\nexcept TypeError:\n    pass\n")
    check_targets(parse(WHOLE, PATH), {"01_x/a": here}, PATH)
    with pytest.raises(AtlasError, match=r"docs/deviations\.toml:3  no example 01_x/a"):
        check_targets(parse(WHOLE, PATH), {}, PATH)
    with pytest.raises(AtlasError, match=r"toml:9  no statement of 01_x/a begins 'try:'"):
        check_targets(parse(WHOLE, PATH), {"01_x/a": example("print(tensor)\n")}, PATH)
