"""Which file of a released wheel holds the fixed words of a message: ``docs/records/shipped.json``.

A message whose words a release ships can be raised by it. Whether a statement raises it, only a run shows.
"""

from __future__ import annotations

import ast
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct
from packaging.utils import InvalidWheelFilename, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.messages import FEWEST, fix_words, list_parts
from tensor_atlas.records.decode import LONGEST_NAME, FormError, decode_json

SHIPPED_FILE = "shipped.json"
Shipped = Mapping[str, Mapping[str, str | None]]
"""By name of a wheel, then by fixed words: the file that holds them, None where no file does."""
_LIBRARIES = (".so", ".dylib", ".dll", ".pyd")
_TESTS = ("/tests/", "/testing/")
"""Parts of a wheel that expect messages and do not raise them."""
_SYSTEMS = {"manylinux": "Linux", "linux": "Linux", "macosx": "macOS", "win": "Windows"}
_PROJECTS = {"torch": "torch", "numpy": "NumPy"}


@dataclass(frozen=True)
class Release:
    """What the name of a wheel says."""

    project: str
    """``torch`` or ``NumPy``."""
    version: Version
    """With its build, where the name has it: ``2.13.0+cpu``."""
    system: str
    """``Linux``, ``macOS`` or ``Windows``."""

    def __str__(self) -> str:
        return f"{self.project} {self.version}{'' if self.system == 'Linux' else f' for {self.system}'}"


class _Document(Struct):
    wheels: dict[str, dict[str, str | None]]


def decode_shipped(data: bytes) -> Shipped:
    """What the record says of each wheel; FormError for a name of a wheel, words or a file that cannot be."""
    wheels = decode_json(data, _Document).wheels
    for wheel, files in wheels.items():
        try:
            parse_wheel(wheel)
        except ValueError as error:
            raise FormError(f"wheels: {error}") from None
        for words, file in files.items():
            if fix_words(words) != words or not list_parts(words):
                raise FormError(f"wheels.{wheel}: {words[:LONGEST_NAME]!r} are no fixed words of a message")
            if file is not None and not is_searched(file):
                raise FormError(f"wheels.{wheel}: {file[:LONGEST_NAME]!r} is no library and no Python file")
    return wheels


def parse_wheel(name: str) -> Release:
    """Release of a wheel named ``torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64``; ValueError."""
    try:
        project, version, _, tags = parse_wheel_filename(f"{name}.whl")
    except (InvalidWheelFilename, InvalidVersion) as error:
        raise ValueError(str(error)) from None
    platform = min(tag.platform for tag in tags)
    systems = [system for prefix, system in _SYSTEMS.items() if platform.startswith(prefix)]
    if project not in _PROJECTS or not systems:
        raise ValueError(f"no wheel of torch or NumPy for a known system: {name}")
    return Release(_PROJECTS[project], version, systems[0])


def find_shipping_files(shipped: Shipped, words: str) -> list[tuple[Release, str]]:
    """Releases with the file of each that holds ``words``, the newest first.

    None of a kind of wheel whose newest release holds them no more: an older one bears out no claim of today.
    """
    kinds: dict[tuple[str, str, bool], list[tuple[Release, str | None]]] = {}
    for wheel, files in shipped.items():
        release = parse_wheel(wheel)
        kind = (release.project, release.system, release.version.local == "cpu")
        if words in files:
            kinds.setdefault(kind, []).append((release, files[words]))
    holding: list[tuple[Release, str]] = []
    for releases in kinds.values():
        releases.sort(key=_version, reverse=True)
        if releases[0][1] is not None:
            holding += [(release, file) for release, file in releases if file is not None]
    return sorted(holding, key=_version, reverse=True)


def _version(pair: tuple[Release, str | None]) -> Version:
    return pair[0].version


# --- searching a wheel ----------------------------------------------------------------------------


def search_wheel(path: Path, wanted: Iterable[str]) -> dict[str, str | None]:
    """The first file of a wheel that holds each of the fixed words; None where none does.

    Libraries are searched before Python files, and of these only strings that are no docstrings.
    """
    remedy = "take one as pip downloads it: pip download --no-deps torch==2.13.0"
    try:
        parse_wheel(path.name.removesuffix(".whl"))
    except ValueError as error:
        raise AtlasError(str(path), str(error), remedy) from None
    missing = sorted(wanted)
    files: dict[str, str | None] = dict.fromkeys(missing)
    try:
        with zipfile.ZipFile(path) as wheel:
            members = filter(is_searched, wheel.namelist())
            for name in sorted(members, key=lambda name: (name.endswith(".py"), name)):
                held = _search_member(wheel, name, missing)
                files |= dict.fromkeys(held, name)
                missing = [words for words in missing if words not in held]
    except (OSError, zipfile.BadZipFile) as error:
        raise AtlasError(str(path), f"no wheel: {error}", remedy) from None
    return files


def is_searched(file: str) -> bool:
    """Whether a file of a wheel can raise a message: a library, or Python that is no test."""
    is_code = file.endswith((*_LIBRARIES, ".py")) or ".so." in file
    return is_code and not any(part in file for part in _TESTS)


def _search_member(wheel: zipfile.ZipFile, name: str, wanted: list[str]) -> list[str]:
    """The fixed words of which one file has every part."""
    text = b"\0".join(_read_strings(wheel, name)) if name.endswith(".py") else wheel.read(name)
    return [words for words in wanted if _holds_parts(text, words)]


def _holds_parts(text: bytes, words: str) -> bool:
    return all(_holds_part(text, part) for part in list_parts(words))


def _holds_part(text: bytes, part: str) -> bool:
    """Whether a file has a part of a message as one string, or as two of at least three words."""
    words = part.encode().split()
    if b" ".join(words[:FEWEST]) not in text:
        return False
    ends = range(len(words), FEWEST - 1, -1)
    # A hyphen or a dot makes one word here of what counts as two: such a part can be shorter than FEWEST.
    end = next((end for end in ends if b" ".join(words[:end]) in text), len(words))
    rest = words[end:]
    return not rest or (len(rest) >= FEWEST and b" ".join(rest) in text)


def _read_strings(wheel: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """Strings of a Python file, joined where they stand side by side; nothing of one that is no Python 3."""
    try:
        tree = ast.parse(wheel.read(name))
    except (SyntaxError, ValueError):
        return
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = (node for node in ast.walk(tree) if isinstance(node, ast.Constant))
    for node in strings:
        if isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value.encode(errors="replace")
