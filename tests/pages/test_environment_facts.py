"""Facts of environments, from which a reader picks one."""

from __future__ import annotations

from dataclasses import replace

from samples import CPU, GPU, OLDER

from tensor_atlas.pages.environment_facts import list_environments

MISFIT = replace(OLDER, numpy="2.4.6", date="2025-12-02")
MAC = replace(CPU, platform="macos-arm64", python="3.13.1")


def test_environments_are_listed_newest_first() -> None:
    """One of them is the newest, whose answers a page shows at first."""
    facts = list_environments([OLDER, CPU, GPU])
    assert [each["torch"] for each in facts][-1] == "2.2.2"
    assert [each["id"] for each in facts if each["newest"]] == [CPU.id]


def test_device_is_named_as_a_reader_chooses_it() -> None:
    """A build for CUDA without a GPU is one of its own, as is another platform."""
    without_gpu = replace(CPU, torch="2.13.0+cu130", cuda="13.0")
    known = {str(each["id"]): each["device"] for each in list_environments([CPU, GPU, without_gpu, MAC])}
    assert known[CPU.id] == "CPU"
    assert known[GPU.id] == "NVIDIA H200"
    assert known[without_gpu.id] == "CPU, CUDA build"
    assert str(known[MAC.id]).startswith("CPU, ")


def test_what_is_not_usual_or_does_not_fit_is_said() -> None:
    """Another Python or platform is not usual; torch 2.2 and NumPy 2 do not work together."""
    known = {str(each["id"]): each for each in list_environments([CPU, MAC, MISFIT])}
    assert [known[each.id]["usual"] for each in (CPU, MAC)] == [True, False]
    assert known[MAC.id]["python"] == "3.13"
    assert [known[each.id]["fits"] for each in (CPU, MISFIT)] == [True, False]
    assert known[MISFIT.id]["date"] == "2025-12-02"
