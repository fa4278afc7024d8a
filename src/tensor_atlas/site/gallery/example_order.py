"""Order of the examples of a chapter: what readers ask for most stands first."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx_gallery.sorting import ExampleTitleSortKey

LISTS = ("reference/errors.md", "scenarios.toml")
"""Files of ``docs`` that name examples, the most wanted first: the error index, the questions."""


class MostWantedFirst(ExampleTitleSortKey):  # type: ignore[misc]
    """Key by the list that names the most examples of the chapter; what it does not name follows by title."""

    def __init__(self, src_dir: str) -> None:
        super().__init__(src_dir)
        folder = Path(src_dir)
        files = [folder.parent.parent / "docs" / name for name in LISTS]
        texts = [path.read_text(encoding="utf-8") for path in files if path.is_file()]
        self.order = max((list_names(text, folder.name) for text in texts), key=len, default=[])

    def __call__(self, filename: str) -> tuple[int, str]:
        stem = Path(filename).stem
        place = self.order.index(stem) if stem in self.order else len(self.order)
        return place, super().__call__(filename)


def list_names(text: str, chapter: str) -> list[str]:
    """Names of the chapter's examples in the order in which a text has them, each once."""
    return [*dict.fromkeys(re.findall(rf"\b{re.escape(chapter)}/(\w+)", text))]
