"""Gold descriptions and their checks."""
