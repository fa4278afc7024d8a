"""The matrix of sources and conversions over all environments, and the chooser that reads it."""
