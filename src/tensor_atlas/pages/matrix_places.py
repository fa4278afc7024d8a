"""Where conversions and sources stand on the site: pages of their own, or rows of others."""

from __future__ import annotations

from tensor_atlas.catalogue import Conversion, Source
from tensor_atlas.matrix.table import Matrix

CONVERSION, SOURCE, OVERVIEW = "matrix/conversion", "matrix/source", "matrix/index"
"""Where the pages are, below the site."""
Place = tuple[str, str]
"""A page of the site, and the part of it; empty for the whole page."""


def list_pages(matrix: Matrix) -> dict[str, Conversion | Source]:
    """Names of all pages, each with the conversion or the source that it is about."""
    pages: dict[str, Conversion | Source] = {}
    for conversion in _list_conversions(matrix):
        if conversion.has_page:
            pages[locate_conversion(conversion)[0]] = conversion
    for name, column in matrix.columns.items():
        pages[f"{SOURCE}/{name}"] = next(iter(column.values())).source
    return pages


def list_rows(matrix: Matrix) -> list[Conversion]:
    """Recorded conversions without a page of their own."""
    return [conversion for conversion in _list_conversions(matrix) if not conversion.has_page]


def _list_conversions(matrix: Matrix) -> list[Conversion]:
    return [next(iter(row.values())).conversion for row in matrix.rows.values()]


def locate_conversion(conversion: Conversion, source: str = "") -> Place:
    """Where a conversion stands, or what it does with the source of a name.

    The scripts of pages ask ``atlasSite.locateConversion``, which answers alike.
    """
    if conversion.has_page:
        return old_address(conversion), source
    return (f"{SOURCE}/{source}", conversion.name) if source else (OVERVIEW, conversion.name)


def old_address(conversion: Conversion) -> str:
    """Page that each conversion once had, and that one which is a row now leads on from."""
    return f"{CONVERSION}/{conversion.name}"


def anchor(text: str) -> str:
    """Name of a part of a page."""
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())
