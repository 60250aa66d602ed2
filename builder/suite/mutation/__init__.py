"""Slightly wrong versions of a method, and which inputs tell them from it."""
