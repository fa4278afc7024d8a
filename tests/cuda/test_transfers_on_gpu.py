"""What is timed on a GPU does what its name says; no time is asserted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from on_gpu import needs_cuda

from tensor_atlas.timings import figures, timing, transfers
from tensor_atlas.timings.measure import main
from tensor_atlas.timings.timing import Case

pytestmark = needs_cuda

SIZE = 2**12


def result(case: Case) -> torch.Tensor:
    """What a case returns, once the device has finished, on the host."""
    found = case.call()
    torch.cuda.synchronize()
    return found.cpu() if isinstance(found, torch.Tensor) else torch.from_numpy(np.asarray(found))


def test_every_transfer_brings_every_value() -> None:
    """To the device or from it, as its series says."""
    for case in transfers.transfer_cases(SIZE):
        found = case.call()
        assert isinstance(found, torch.Tensor)
        assert found.is_cuda == (case.series != timing.DOWN), case.name
        assert torch.equal(result(case), torch.ones(SIZE // 4)), case.name


def test_every_read_gives_the_value() -> None:
    """One, or all of a tensor."""
    for case in (*transfers.single_value_cases(), *transfers.many_values_cases()):
        if case.name != "torch.cuda.synchronize()":
            assert np.asarray(case.call()).reshape(-1).tolist() == [1.0] * case.size, case.name


def test_hand_over_gives_the_values() -> None:
    """In the other library's type, or in torch's."""
    found = transfers.library_cases(2**10)
    assert {case.series for case in found} == {timing.OTHERS}
    for case in found:
        given = case.call()
        assert (given.sum().item() if hasattr(given, "sum") else None) == 256, case.name


def test_command_writes_what_the_site_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the device, the limits, and every call that the guide asks for."""
    monkeypatch.setattr(transfers, "SIZES", (2**10, 2**20))
    monkeypatch.setattr(transfers, "HANDED_OVER", (2**10,))
    output = tmp_path / "cuda.json"
    assert main(["cuda", "-o", str(output), "--rounds", "2"]) == 0
    measured = json.loads(output.read_text(encoding="utf-8"))
    assert measured["environment"]["device"] == torch.cuda.get_device_name(0)
    assert set(measured["limits"]) == {timing.UP, timing.DOWN, timing.WITHIN, timing.HOST}
    assert figures.render_advice(measured).startswith("- With 1 MiB, ")
