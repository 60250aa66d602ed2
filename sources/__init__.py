"""One file for each source corpus."""
