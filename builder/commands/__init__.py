"""One thin module for each command of ``pau-build``."""
