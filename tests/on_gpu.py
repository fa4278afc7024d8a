"""What tests that need a CUDA device have in common; nothing here asserts anything."""

from __future__ import annotations

import warnings

import pytest
import torch


def finds_cuda() -> bool:
    """Whether torch finds a CUDA device; a build for CUDA warns where there is no driver."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.cuda.is_available()


needs_cuda = [pytest.mark.cuda, pytest.mark.skipif(not finds_cuda(), reason="needs a CUDA device")]
"""Marks of a file of tests: ``pytestmark = needs_cuda``."""
