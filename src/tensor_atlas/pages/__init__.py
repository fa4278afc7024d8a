"""What a page shows, worked out from records, examples and tables; neither Sphinx nor docutils."""

GALLERY = "gallery"
"""Folder of the pages of examples, below that of all pages."""
