"""From a row of a corpus to a proven anonymised method."""
