"""What this machine is: releases, platform, accelerator."""

from __future__ import annotations

import contextlib
import datetime as dt
import importlib
import os
import platform
import re
from importlib import metadata

import numpy as np
import torch

from tensor_atlas.model.runs import Environment
from tensor_atlas.probe.engine import name_engine


def detect() -> Environment:
    """Environment of this process; starts CUDA where there is any, so call it in a child alone."""
    name, count, driver = _accelerator()
    day = dt.datetime.now(dt.UTC).date().isoformat()
    return Environment(
        torch=str(torch.__version__),
        numpy=np.__version__,
        python=platform.python_version().rstrip("+"),  # which some builds end in, and no release does
        platform=f"{platform.system()}-{platform.machine()}".lower(),
        cuda=torch.version.cuda,
        device=name,
        device_count=count,
        driver=driver,
        date=day,
        engines=((day, name_engine()),),
    )


def _accelerator() -> tuple[str, int, str | None]:
    """Name, count and driver of the accelerator that torch brings, or that a package beside it brings."""
    if torch.cuda.is_available():
        return torch.cuda.get_device_name(0), torch.cuda.device_count(), _driver()
    mps = getattr(torch.backends, "mps", None)
    if mps is not None and mps.is_available():
        return "mps", 1, None
    for find in (_find_xla, _find_vulkan):
        # A package that is not there, does not fit torch, or finds no driver, raises what it likes.
        with contextlib.suppress(Exception):
            return find()
    return "cpu", 0, None


def _find_xla() -> tuple[str, int, str]:
    """XLA's device on the CPU, where torch_xla is installed."""
    version = metadata.version("torch_xla")
    os.environ["PJRT_DEVICE"] = "CPU"
    importlib.import_module("torch_xla")
    torch.ones(1, device="xla").cpu()
    return "XLA CPU", 1, f"torch_xla {version}"


def _find_vulkan() -> tuple[str, int, str]:
    """The first Vulkan device, where torchvulkan is installed and a driver is found."""
    version = metadata.version("torchvulkan")
    vulkan = importlib.import_module("torchvulkan")
    name, _, build = vulkan.get_device_name(0).partition(" (")
    build = build.partition(",")[0].rstrip(")")
    torch.ones(1, device="vulkan").cpu()
    driver = f"torchvulkan {version}" + f", {build}" * bool(build)
    return f"Vulkan {name}", vulkan.device_count(), driver


def _driver() -> str | None:
    """NVIDIA driver release from the kernel module's own file: no tool needs to be installed for it."""
    try:
        with open("/proc/driver/nvidia/version", encoding="ascii", errors="replace") as file:
            match = re.search(r"\b(\d{3,}\.\d+(?:\.\d+)?)\b", file.read())
    except OSError:
        return None
    return match[1] if match else None
