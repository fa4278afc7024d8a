"""What the probe sees of device memory, and whom it blames for an error that CUDA reports late."""

from __future__ import annotations

from pathlib import Path

import torch
from on_gpu import needs_cuda
from samples import HEAD, python

from tensor_atlas.model.cells import Outcome
from tensor_atlas.model.runs import Status
from tensor_atlas.probe.memory import snapshot
from tensor_atlas.records import store

pytestmark = needs_cuda


def test_views_on_a_gpu_share_and_a_download_does_not() -> None:
    """By the addresses of their own device: host and device never overlap, whatever their numbers."""
    tensor = torch.arange(4.0, device="cuda")
    values = {"tensor": tensor, "view": tensor[1:], "apart": tensor.clone(), "array": tensor.cpu().numpy()}
    seen = snapshot(values)
    assert seen.shares == (("tensor", "view"),)
    assert {value.name: value.device for value in seen.values} == {
        "tensor": "cuda:0",
        "view": "cuda:0",
        "apart": "cuda:0",
        "array": "cpu",
    }


def test_kernel_s_error_is_blamed_on_the_statement_that_launched_it(tmp_path: Path) -> None:
    """Not on the next one that waits; the process is spent, and the next example runs in its own."""
    bad = 'import torch\n\ntorch.ones(2, device="cuda")[torch.tensor([9], device="cuda")]\nprint("later")\n'
    good = 'import torch\n\nprint(torch.ones(2, device="cuda"))\n'
    for stem, code in (("bad", bad), ("good", good)):
        path = tmp_path / "examples" / "01_x" / f"{stem}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEAD + '# sphinx_gallery_tags = ["cuda"]\n\n' + code, encoding="utf-8")
    done = python(tmp_path, "-m", "tensor_atlas.probe", "examples", "-o", "capture.json")
    assert done.returncode == 0, done.stderr
    first, second = store.read_capture(tmp_path / "capture.json").runs
    assert (first.status, len(first.observations)) == (Status.RAISED, 2)
    assert second.observations[-1].stdout == "tensor([1., 1.], device='cuda:0')"


def test_matrix_tries_what_needs_a_gpu(tmp_path: Path) -> None:
    """A CUDA tensor refuses ``numpy()``, and ``cpu()`` copies it."""
    done = python(tmp_path, "-m", "tensor_atlas.probe", "--matrix", "-o", "capture.json")
    assert done.returncode == 0, done.stderr
    cells = store.read_capture(tmp_path / "capture.json").cells
    assert cells["x-numpy"]["cuda"].cell.outcome is Outcome.RAISES
    assert cells["x-cpu"]["cuda"].cell.outcome is Outcome.COPIES
