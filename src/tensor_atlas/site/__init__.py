"""The Sphinx extension: executes the examples, shows what they did, warns of drift."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register everything; Sphinx itself is imported no sooner than here."""
    from tensor_atlas.site.extension import register  # noqa: PLC0415

    return register(app)
