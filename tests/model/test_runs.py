"""What names an environment."""

from __future__ import annotations

from dataclasses import replace

from samples import CPU, GPU, OLDER


def test_id_names_all_but_the_day_the_driver_and_the_patch_release() -> None:
    """Two machines that differ in no more have one id; another release, device or Python has another."""
    assert CPU.id == "torch-2.13.0+cpu_numpy-2.4.6_python-3.11_linux-x86_64_cpu"
    assert GPU.id.endswith("_nvidia-h200")
    assert replace(GPU, date="2027-01-01", driver="999.1", python="3.11.9").id == GPU.id
    others = {
        replace(CPU, python="3.12.0").id,
        replace(CPU, numpy="1.26.4").id,
        replace(CPU, platform="darwin-arm64").id,
        OLDER.id,
        GPU.id,
    }
    assert len(others | {CPU.id}) == 6


def test_kind_of_device_is_told() -> None:
    """Any named accelerator is CUDA's."""
    assert (CPU.kind, GPU.kind, replace(CPU, device="mps", device_count=1).kind) == ("cpu", "cuda", "mps")
