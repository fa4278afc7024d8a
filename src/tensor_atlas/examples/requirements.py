"""What an example's tags say it needs, and what of that a machine lacks; imports no torch."""

from __future__ import annotations

import ast
import difflib
import importlib.util
import re
import sys
from collections.abc import Iterator

from tensor_atlas.examples.trees import read_tree
from tensor_atlas.model.runs import Environment

LIBRARIES = {
    "cupy": "cupy",
    "dask": "dask",
    "datasets": "datasets",
    "h5py": "h5py",
    "jax": "jax",
    "matplotlib": "matplotlib",
    "ml_dtypes": "ml_dtypes",
    "numba": "numba",
    "onnx": "onnx",
    "onnxruntime": "onnxruntime",
    "opencv": "cv2",
    "pandas": "pandas",
    "pillow": "PIL",
    "polars": "polars",
    "pyarrow": "pyarrow",
    "safetensors": "safetensors",
    "scikit-learn": "sklearn",
    "scipy": "scipy",
    "soundfile": "soundfile",
    "torchvision": "torchvision",
    "transformers": "transformers",
    "xarray": "xarray",
    "zarr": "zarr",
}
"""Module that an example needs, by its tag.

A new library is one line here. Where the site is to run its examples, pyproject.toml lists its package, too.
"""

ACCELERATORS = {"xla": "an XLA device (torch_xla)", "vulkan": "a Vulkan device (torchvulkan and a driver)"}
"""Kinds of device that a package beside torch brings, with what a machine must have for each."""
ALWAYS_THERE = frozenset({"torch", "numpy", "torch_xla", "torchvulkan"})
"""Packages that no tag declares: what all examples rest on, and what a tag's device comes with."""
NO_CUDA = "no cuda"
"""Tag of what is tried where there is no CUDA device, to see torch refuse."""
_CUDA = re.compile(r"cuda(?::(?P<count>[0-9]{1,4}))?$")


_SOME_NEEDS = (*LIBRARIES, *ACCELERATORS, "cuda", "cuda:2", "mps", NO_CUDA)
_LIKE_A_NEED = frozenset({"copy", "mask"})
"""Words that only look like a tag that names a need."""


def find_meant_need(tag: str) -> str:
    """The tag of a device or library that ``tag`` misspells, as ``cuda2`` does; empty for any other tag."""
    if tag in _SOME_NEEDS or _CUDA.match(tag) or tag in _LIKE_A_NEED:
        return ""
    return next(iter(difflib.get_close_matches(tag, _SOME_NEEDS, 1, 0.75)), "")


def list_undeclared_imports(source: str, tags: tuple[str, ...]) -> Iterator[tuple[int, str, str]]:
    """Line, module and remedy of each import of a library that no tag of the example declares."""
    tag_of = {module: tag for tag, module in LIBRARIES.items()}
    for node in ast.walk(read_tree(source)):
        for module in _list_modules(node):
            tag = tag_of.get(module)
            if tag in tags or module in sys.stdlib_module_names or module in ALWAYS_THERE:
                continue
            remedy = f'add "{tag}" to sphinx_gallery_tags'
            if tag is None:
                remedy = "add it to LIBRARIES in src/tensor_atlas/examples/requirements.py, then its tag here"
            yield getattr(node, "lineno", 1), module, remedy


def _list_modules(node: ast.AST) -> list[str]:
    """Packages that a statement imports; none of one that is no import, or that imports from beside it."""
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module.partition(".")[0]]
    return []


def has_needs(tags: tuple[str, ...]) -> bool:
    """Whether a tag names a device or a library that a machine may lack."""
    return wants_gpu(tags) or any(tag in LIBRARIES or tag == NO_CUDA for tag in tags)


def wants_gpu(tags: tuple[str, ...]) -> bool:
    """Whether a tag names a GPU, or another accelerator, whoever made it."""
    return any(tag == "mps" or tag in ACCELERATORS or _CUDA.match(tag) for tag in tags)


def is_tried_there(tags: tuple[str, ...], environment: Environment) -> bool:
    """Whether an environment tries what has these tags: with an accelerator's package, only what names that.

    All the rest is as the same torch has it without the package.
    """
    return environment.kind not in ACCELERATORS or environment.kind in tags


def may_be_missing(tags: tuple[str, ...], environment: Environment) -> bool:
    """Whether an environment can lack what a tag names: a device that it has not, or any library."""
    return any(tag in LIBRARIES or _missing_device(tag, environment) for tag in tags)


def find_missing(tags: tuple[str, ...], environment: Environment) -> str:
    """Reason why an example with these tags cannot run here; empty where it can.

    ``cuda`` needs one CUDA device, ``cuda:2`` two of them, ``mps`` an Apple GPU, ``xla`` and ``vulkan``
    what ACCELERATORS says, ``no cuda`` a machine without a CUDA device; a tag of LIBRARIES needs its module.
    """
    reasons = [_missing_device(tag, environment) or _missing_library(tag) for tag in tags]
    return "; ".join(reason for reason in reasons if reason)


def _missing_device(tag: str, environment: Environment) -> str:
    match = _CUDA.match(tag)
    if match:
        wanted = max(1, int(match["count"] or 1))
        found = environment.device_count if environment.kind == "cuda" else 0
        return "" if found >= wanted else f"needs {wanted} CUDA device{'s' * (wanted > 1)}, found {found}"
    if tag == "mps":
        return "" if environment.kind == "mps" else "needs an MPS device, found none"
    if tag == NO_CUDA:
        return "needs a machine without a CUDA device" if environment.kind == "cuda" else ""
    if tag in ACCELERATORS:
        return "" if environment.kind == tag else f"needs {ACCELERATORS[tag]}, found none"
    return ""


def _missing_library(tag: str) -> str:
    module = LIBRARIES.get(tag)
    if module is None or importlib.util.find_spec(module) is not None:
        return ""
    return f"needs {tag}, which is not installed"
