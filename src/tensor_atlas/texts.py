"""The texts that were executed last: whether those of the checkout are still the same, found out at a glance.

Imports little, as ``unchanged`` does: who is told that something is to be executed can begin before all else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tensor_atlas.checkout import CAPTURES, TEXTS

if TYPE_CHECKING:
    from tensor_atlas.examples.parse import Example


def told(examples: Mapping[str, Example], before: str) -> str:
    """What TEXTS says when ``examples`` have been executed, and ``before`` when others had been."""
    known = _read(before) | {e.path: (_digest(e.source.encode()), e.digest) for e in examples.values()}
    return json.dumps(dict(sorted(known.items())))


def is_due(root: Path) -> bool:
    """Whether the code of an example is another than what was executed, or none was executed ever.

    New examples are not looked for, and nothing but examples is looked at: who asks finds out soon.
    """
    try:
        known = _read(root.joinpath(*CAPTURES, TEXTS).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False
    return any(_is_changed(root / path, path, *digests) for path, digests in known.items())


def _is_changed(file: Path, path: str, text: str, code: str) -> bool:
    try:
        source = file.read_bytes()
    except OSError:
        return False
    return _digest(source) != text and _is_other_code(source, path, code)


def _is_other_code(source: bytes, path: str, code: str) -> bool:
    from tensor_atlas.examples.parse import ScriptError, parse_example  # noqa: PLC0415 - most often nothing has changed

    try:
        return parse_example(source.decode(), path).digest != code
    except (UnicodeDecodeError, ScriptError):
        return False


def _digest(source: bytes) -> str:
    return hashlib.sha256(source).hexdigest()[:16]


def _read(text: str) -> dict[str, tuple[str, str]]:
    """Digests of text and code by path; nothing of what says none."""
    try:
        return {str(path): (str(digest), str(code)) for path, (digest, code) in json.loads(text).items()}
    except (ValueError, TypeError, AttributeError):
        return {}
