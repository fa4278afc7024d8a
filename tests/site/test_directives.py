"""What directives and roles share."""

from __future__ import annotations

import pytest

from tensor_atlas.site.build.directives import shorten_location


@pytest.mark.parametrize(
    ("location", "short"),
    [
        ("/home/me/atlas/docs/guides/data.md:7", "docs/guides/data.md:7"),
        ("/home/me/atlas/examples/01_x/a.py:7", "/home/me/atlas/examples/01_x/a.py:7"),
        ("docs/index.md", "docs/index.md"),
    ],
)
def test_message_names_a_page_from_the_folder_of_pages_on(location: str, short: str) -> None:
    """Whatever folder the checkout lies in; another file by its whole path."""
    assert shorten_location(location) == short
