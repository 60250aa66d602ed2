"""Prompts as files, and their loader."""
