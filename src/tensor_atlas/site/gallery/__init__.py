"""Pages of examples: captured output, fixes, drawings of memory, downloads."""
