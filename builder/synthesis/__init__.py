"""Domains of arguments, and inputs drawn from them."""
