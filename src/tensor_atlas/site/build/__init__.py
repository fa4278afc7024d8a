"""What every build does: executing, Sphinx's elements, scripts, metadata, Markdown, the preview."""
