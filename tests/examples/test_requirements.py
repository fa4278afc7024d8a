"""What an example needs by its tags, and what of that a machine lacks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import CPU, GPU

from tensor_atlas.examples.requirements import LIBRARIES, find_missing, has_needs, wants_gpu
from tensor_atlas.model.runs import Environment

MPS = replace(CPU, device="mps", device_count=1, platform="darwin-arm64")


@pytest.mark.parametrize(
    ("tags", "environment", "reason"),
    [
        ((), CPU, ""),
        (("sharing", "errors"), CPU, ""),
        (("cuda",), CPU, "needs 1 CUDA device, found 0"),
        (("cuda",), GPU, ""),
        (("cuda:2",), GPU, "needs 2 CUDA devices, found 1"),
        (("cuda:2",), replace(GPU, device_count=2), ""),
        (("cuda",), MPS, "needs 1 CUDA device, found 0"),
        (("mps",), MPS, ""),
        (("mps",), GPU, "needs an MPS device, found none"),
        (("cuda", "mps"), CPU, "needs 1 CUDA device, found 0; needs an MPS device, found none"),
        (("cuda streams", "no cuda"), CPU, ""),
    ],
)
def test_missing_device_is_named(tags: tuple[str, ...], environment: Environment, reason: str) -> None:
    """Tags that are devices are needs, all other tags are words."""
    assert find_missing(tags, environment) == reason


def test_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tag in LIBRARIES needs its module, under the module's own name."""
    monkeypatch.setitem(LIBRARIES, "a library", "no_such_module_anywhere")
    monkeypatch.setitem(LIBRARIES, "another", "json")
    assert find_missing(("a library", "another"), CPU) == "needs a library, which is not installed"


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ((), False),
        (("sharing", "no cuda", "cuda streams"), False),
        (("errors", "cuda"), True),
        (("cuda:2",), True),
        (("mps",), True),
        (("json", "pandas"), True),
    ],
)
def test_tags_tell_whether_anything_is_needed(tags: tuple[str, ...], expected: bool) -> None:
    """Whatever this machine has."""
    assert has_needs(tags) is expected


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ((), False),
        (("cuda",), True),
        (("dlpack", "cuda:2"), True),
        (("mps",), True),
        (("pandas", "cuda streams"), False),
    ],
)
def test_tags_tell_whether_a_gpu_is_used(tags: tuple[str, ...], expected: bool) -> None:
    """Whoever made it; a library that a machine may lack is no GPU."""
    assert wants_gpu(tags) is expected
