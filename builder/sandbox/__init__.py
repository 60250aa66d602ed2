"""The one place that runs foreign code."""
