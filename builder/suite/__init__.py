"""Which inputs become the suite, and what it covers."""
