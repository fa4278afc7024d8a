"""What the matrix tries: the values to convert, and the conversions."""
