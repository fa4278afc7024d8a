"""Pages of the matrix: a conversion, a source, the overview, the chooser."""
