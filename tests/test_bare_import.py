"""The most important rule: the probe needs the standard library, torch and numpy, and nothing else.

The archive that readers run has the same need, and compares without torch and numpy.

Neither may the noxfile need more than nox brings.
"""

from __future__ import annotations

import importlib.metadata

from packaging.requirements import Requirement
from samples import ROOT, python

from tensor_atlas.compare.archive import MODULES

BARE = """
import sys

import numpy
import torch

OURS = {"numpy", "torch", "tensor_atlas"}


def third_party(name):
    root = name.partition(".")[0]
    # The standard library's own, with the platform in its name.
    is_standard = root in sys.stdlib_module_names or root.startswith("_sysconfigdata_")
    return not is_standard and root not in OURS


class Blocked:
    def find_spec(self, name, path=None, target=None):
        if third_party(name):
            raise ModuleNotFoundError(f"blocked: {name}", name=name)
        return None


# What torch itself has loaded must not help the probe either.
for name in [name for name in sys.modules if third_party(name) and name != "__main__"]:
    del sys.modules[name]
sys.meta_path.insert(0, Blocked())

"""


def test_every_module_of_the_probe_imports_on_a_bare_machine() -> None:
    """With every third-party package but torch and numpy blocked, and without the rest of this package."""
    source = ROOT / "src"
    rooms = ("model", "examples", "catalogue", "probe")
    paths = [path for room in rooms for path in sorted((source / "tensor_atlas" / room).rglob("*.py"))]
    paths += [source / "tensor_atlas" / f"{name}.py" for name in MODULES if "/" in name]
    names = (".".join(path.relative_to(source).with_suffix("").parts) for path in paths)
    modules = [name.removesuffix(".__init__") for name in names]
    modules.remove("tensor_atlas.examples.scenarios")  # read by the site alone
    needed = {f"tensor_atlas.{name}" for name in ("probe.__main__", "compare.own_machine")}
    assert needed <= set(modules)
    imports = "".join(f"import {module}\n" for module in modules)
    check = (
        "loaded = {name for name in sys.modules if name.startswith('tensor_atlas')}\n"
        "base = {f'tensor_atlas.{name}' for name in ('errors', 'files', 'streams')} | {'tensor_atlas'}\n"
        "print(*sorted(loaded - base))\n"
        "import tensor_atlas.compare.deviations\n"  # needs packaging: the same process must refuse it
    )
    done = python(ROOT, "-c", BARE + "import tensor_atlas.probe\n" + imports + check)
    assert done.stdout.split() == sorted(modules), done.stderr
    assert done.stderr.endswith("ModuleNotFoundError: blocked: packaging\n")


BESIDE_NOX = """
import sys

KNOWN = {known}


class Blocked:
    def find_spec(self, name, path=None, target=None):
        root = name.partition(".")[0]
        standard = root in sys.stdlib_module_names or root.startswith("_sysconfigdata_")
        if not standard and root not in KNOWN:
            raise ModuleNotFoundError(f"blocked: {{name}}", name=name)


sys.meta_path.insert(0, Blocked())
import noxfile

print(*sorted(name for name in sys.modules if name.startswith("tensor_atlas.checkout.")))
import msgspec
"""
"""A Python that has the packages of nox alone."""


def list_required(name: str) -> set[str]:
    """A distribution and all that it requires here, without extras."""
    required = {name}
    waiting = [name]
    while waiting:
        for line in importlib.metadata.requires(waiting.pop()) or ():
            one = Requirement(line)
            if (one.marker is None or one.marker.evaluate({"extra": ""})) and one.name not in required:
                required.add(one.name)
                waiting.append(one.name)
    return required


def test_noxfile_needs_what_nox_brings_alone() -> None:
    """Whoever has installed nox can run each session: the rest is installed by it."""
    required = list_required("nox")
    packages = importlib.metadata.packages_distributions()
    known = {module for module, names in packages.items() if required & set(names)} | {
        "tensor_atlas",
        "noxfile",
    }
    assert {"nox", "packaging"} <= known
    assert "msgspec" not in known
    done = python(ROOT, "-c", BESIDE_NOX.format(known=known))
    assert done.stdout.split() == ["tensor_atlas.checkout.releases", "tensor_atlas.checkout.requests"]
    assert done.stderr.endswith("ModuleNotFoundError: blocked: msgspec\n")
