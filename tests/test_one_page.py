"""Of pages about one thing, one is complete; the others link to it."""

from __future__ import annotations

import pytest
from samples import ROOT

MAIN_PAGES = {
    "gallery/13_errors/cuda_to_numpy": (
        "examples/07_cuda/numpy_error.py",
        "examples/07_cuda/gradients.py",
        "examples/07_cuda/force.py",
        "examples/07_cuda/snapshot.py",
        "examples/07_cuda/meta_stand_in.py",
        "examples/15_any_accelerator/to_numpy_anywhere.py",
    ),
    "choose": (
        "docs/reference/calls.md",
        "docs/guides/choosing.md",
        "examples/01_numpy_to_tensor/four_constructors.py",
    ),
    "guides/dtypes": ("examples/03_dtypes/round_trip.py",),
    "reference/device_types": (
        "examples/08_devices/device_types.py",
        "examples/15_any_accelerator/every_device_type.py",
    ),
    "guides/performance": ("docs/contributing/performance.md",),
}
"""Complete pages, each with the sources of others that answer a part of its question."""


@pytest.mark.parametrize("page", MAIN_PAGES)
def test_others_link_to_the_complete_page(page: str) -> None:
    """In their prose, so that a reader of one finds the rest."""
    for source in MAIN_PAGES[page]:
        assert f"`/{page}`" in (ROOT / source).read_text(encoding="utf-8"), source
