"""What a page shows, worked out from records, examples and tables; neither Sphinx nor docutils."""
