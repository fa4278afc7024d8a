"""What this machine is."""

from __future__ import annotations

import datetime as dt
import platform
import sys
import types

import numpy as np
import pytest
import torch

from tensor_atlas.model.capture import Capture
from tensor_atlas.probe.engine import name_engine
from tensor_atlas.probe.environment import detect


def test_releases_are_this_process_s_own() -> None:
    """torch with its build suffix, NumPy, Python, and the day in UTC."""
    before = dt.datetime.now(dt.UTC).date()
    found = detect()
    assert (found.torch, found.numpy, found.python) == (
        torch.__version__,
        np.__version__,
        platform.python_version(),
    )
    assert found.platform == f"{platform.system()}-{platform.machine()}".lower()
    assert found.cuda == torch.version.cuda
    assert before <= dt.date.fromisoformat(found.date) <= dt.datetime.now(dt.UTC).date()
    assert found.engines == ((found.date, name_engine()),)


def test_machine_without_an_accelerator_is_cpu() -> None:
    """No device, no count, no driver."""
    if torch.cuda.is_available() or torch.backends.mps.is_available():
        pytest.skip("this machine has an accelerator")
    found = detect()
    assert (found.device, found.device_count, found.driver, found.kind) == ("cpu", 0, None, "cpu")


def test_gpu_is_named_and_counted() -> None:
    """The device has torch's name for it, and Linux knows the driver."""
    if not torch.cuda.is_available():
        pytest.skip("needs a CUDA device")
    found = detect()
    assert found.device == torch.cuda.get_device_name(0)
    assert found.device_count == torch.cuda.device_count()
    assert found.kind == "cuda"


@pytest.mark.parametrize(
    ("package", "name", "kind", "driver"),
    [
        ("torch_xla", "XLA CPU", "xla", "torch_xla 1.2"),
        ("torchvulkan", "Vulkan llvmpipe", "vulkan", "torchvulkan 1.2, LLVM 15.0.6"),
    ],
)
def test_package_that_brings_a_device_names_it(
    package: str, name: str, kind: str, driver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its release in place of a driver's; a package that finds no device is as none."""
    if detect().kind != "cpu":
        pytest.skip("this machine has an accelerator")
    module = types.ModuleType(package)
    vars(module).update(get_device_name=lambda _: "llvmpipe (LLVM 15.0.6, 256 bits)", device_count=lambda: 1)
    monkeypatch.setitem(sys.modules, package, module)
    monkeypatch.setenv("PJRT_DEVICE", "")
    versions = {package: "1.2"}
    monkeypatch.setattr("tensor_atlas.probe.environment.metadata.version", versions.__getitem__)
    assert detect().kind == "cpu"
    ones = torch.ones
    monkeypatch.setattr(torch, "ones", lambda *shape, **_: ones(*shape))
    found = detect()
    assert (found.device, found.device_count, found.driver, found.kind) == (name, 1, driver, kind)


def test_probe_finds_the_same_environment(capture: Capture) -> None:
    """What a capture says of the machine is what a process on it finds."""
    assert capture.environment.id == detect().id
