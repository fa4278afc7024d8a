"""What a torch before its release changes, and that it is never taken for a release."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import CPU, GPU, OLDER, captured, example, ran

from tensor_atlas.compare.preview import (
    Foreseen,
    build_preview,
    find_counterpart,
    is_preview,
    parse_preview,
    render_preview,
)
from tensor_atlas.errors import AtlasError

NIGHTLY = replace(CPU, torch="2.99.0.dev20261101+cpu")
ONE = example("print(1)\n# => 1\n", "examples/01_x/one.py")
TWO = example("print(2)\n# => 2\n", "examples/01_x/two.py")
EXAMPLES = {one.name: one for one in (ONE, TWO)}


@pytest.mark.parametrize("torch", ["2.99.0.dev20261101+cpu", "2.99.0rc1", "2.99.0a0+git01234567"])
def test_build_before_a_release_is_a_preview(torch: str) -> None:
    """A release with a build's suffix is none; a candidate of NumPy makes one, too."""
    assert is_preview(replace(CPU, torch=torch))
    assert is_preview(replace(CPU, numpy="2.6.0rc1"))
    assert not is_preview(CPU)


def test_preview_is_compared_with_the_newest_release_of_its_kind() -> None:
    """On the same platform and Python where that is recorded."""
    mac = replace(CPU, platform="darwin-arm64")
    newer = replace(CPU, torch="2.14.0", python="3.14.1")
    assert find_counterpart(NIGHTLY, [OLDER, CPU, newer, GPU, mac]) == CPU
    assert find_counterpart(replace(NIGHTLY, python="3.12.1"), [OLDER, newer, mac]) == newer
    assert find_counterpart(NIGHTLY, [GPU]) is None


def test_changes_of_a_preview_survive_their_file() -> None:
    """Of examples whose code ran in both; older code is not compared."""
    then = {ONE.name: ran(ONE, "1"), TWO.name: replace(ran(TWO, "2"), digest="other")}
    capture = captured(ran(ONE, "one"), ran(TWO, "two"), environment=NIGHTLY)
    found = build_preview(capture, CPU, then, EXAMPLES)
    assert (found.torch, found.compared) == (NIGHTLY.torch, 1)
    assert found.changes == (Foreseen(ONE.name, "value, dtype or device changed", "print(1)", "1", "one"),)
    assert parse_preview(render_preview(found)) == found


@pytest.mark.parametrize("text", ["", "{", '{"torch": 1}', "[]"])
def test_file_that_is_no_preview_is_refused(text: str) -> None:
    """With what to do."""
    with pytest.raises(AtlasError, match=r"docs/preview.json  is no preview: .*\n    remove it"):
        parse_preview(text)
