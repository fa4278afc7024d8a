"""What an example needs by its tags, and what of that a machine lacks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import CPU, GPU

from tensor_atlas.examples.requirements import (
    LIBRARIES,
    find_missing,
    has_needs,
    is_tried_there,
    list_undeclared_imports,
    wants_gpu,
)
from tensor_atlas.model.runs import Environment

XLA = replace(CPU, device="XLA CPU", device_count=1, driver="torch_xla 2.9.0")
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
        (("no cuda",), CPU, ""),
        (("no cuda",), GPU, "needs a machine without a CUDA device"),
        (("xla",), XLA, ""),
        (("xla",), CPU, "needs an XLA device (torch_xla), found none"),
        (("vulkan",), XLA, "needs a Vulkan device (torchvulkan and a driver), found none"),
        (("cuda",), XLA, "needs 1 CUDA device, found 0"),
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
    ("tags", "has_any", "has_gpu"),
    [
        ((), False, False),
        (("sharing", "cuda streams"), False, False),
        (("json", "pandas"), True, False),
        (("no cuda",), True, False),
        (("errors", "cuda"), True, True),
        (("cuda:2",), True, True),
        (("cuda:99999",), False, False),
        (("mps",), True, True),
        (("xla",), True, True),
    ],
)
def test_tags_tell_what_is_needed(tags: tuple[str, ...], *, has_any: bool, has_gpu: bool) -> None:
    """Whatever this machine has; a library that a machine may lack is no GPU."""
    assert (has_needs(tags), wants_gpu(tags)) == (has_any, has_gpu)


def test_package_that_brings_a_device_is_asked_for_nothing_else() -> None:
    """What the same torch does without it is recorded without it."""
    assert is_tried_there((), CPU)
    assert is_tried_there((), GPU)
    assert is_tried_there(("xla",), XLA)
    assert not is_tried_there((), XLA)
    assert not is_tried_there(("vulkan",), XLA)


SOURCE = """import os.path, torch.nn
import numpy as np
from duckdb import compute
try:
    import pandas.api
except ImportError:
    from . import b
import beside
"""


@pytest.mark.parametrize(
    ("tags", "undeclared"),
    [
        ((), [(3, "duckdb"), (5, "pandas"), (8, "beside")]),
        (("pandas",), [(3, "duckdb"), (8, "beside")]),
        (("duckdb", "pandas"), [(3, "duckdb"), (8, "beside")]),
    ],
)
def test_library_without_a_tag_is_found(tags: tuple[str, ...], undeclared: list[tuple[int, str]]) -> None:
    """Wherever it is imported. A tag that names no known library declares nothing."""
    found = sorted(list_undeclared_imports(SOURCE, tags))
    assert [(line, module) for line, module, _ in found] == undeclared
    remedies = {module: remedy for _, module, remedy in found}
    assert "LIBRARIES in src/tensor_atlas/examples/requirements.py" in remedies["duckdb"]
    if "pandas" in remedies:
        assert remedies["pandas"] == 'add "pandas" to sphinx_gallery_tags'
