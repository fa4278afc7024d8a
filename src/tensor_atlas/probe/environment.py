"""What this machine is: releases, platform, accelerator."""

from __future__ import annotations

import datetime as dt
import platform
import re

import numpy as np
import torch

from tensor_atlas.model.runs import Environment


def detect() -> Environment:
    """Environment of this process; starts CUDA where there is any, so call it in a child alone."""
    name, count = _accelerator()
    return Environment(
        torch=str(torch.__version__),
        numpy=np.__version__,
        python=platform.python_version().rstrip("+"),  # which some builds end in, and no release does
        platform=f"{platform.system()}-{platform.machine()}".lower(),
        cuda=torch.version.cuda,
        device=name,
        device_count=count,
        driver=_driver() if name not in ("cpu", "mps") else None,
        date=dt.datetime.now(dt.UTC).date().isoformat(),
    )


def _accelerator() -> tuple[str, int]:
    if torch.cuda.is_available():
        return torch.cuda.get_device_name(0), torch.cuda.device_count()
    mps = getattr(torch.backends, "mps", None)
    if mps is not None and mps.is_available():
        return "mps", 1
    return "cpu", 0


def _driver() -> str | None:
    """NVIDIA driver release from the kernel module's own file: no tool needs to be installed for it."""
    try:
        with open("/proc/driver/nvidia/version", encoding="ascii", errors="replace") as file:
            match = re.search(r"\b(\d{3,}\.\d+(?:\.\d+)?)\b", file.read())
    except OSError:
        return None
    return match[1] if match else None
