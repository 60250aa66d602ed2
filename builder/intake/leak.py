"""Searches the anonymised text for what the old names said."""

import ast
import re

from builder.intake.names import NEUTRAL, Secrets
from builder.intake.scopes import Kind, resolve


def find_leak(code: str, secrets: Secrets) -> str | None:
    """Find an old name, or a word of the documentation in a name that the code chose.

    Attributes and keywords of libraries, builtins and modules are no leaks: a function called
    ``reverse`` may well use ``list.reverse``. In texts only names that no ordinary output looks
    like count (``is_prime``, ``isPrime``, ``prime(``).

    Returns:
        One line that names the leak, or None.
    """
    tree = ast.parse(code)
    names = resolve(tree)
    for binding in names.bindings:
        imported = any(isinstance(binder, ast.alias) for binder in binding.binders)
        if imported or NEUTRAL.fullmatch(binding.name):
            continue
        is_attribute = binding.scope.kind is Kind.CLASS
        if binding.name in secrets.names or (not is_attribute and secrets.told_by(binding.name)):
            return f"the name {binding.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for name in sorted(secrets.functions):
                if _says(node.value, name):
                    return f"the name {name} in the text {node.value[:40]!r}"
    return None


def _says(text: str, name: str) -> bool:
    looks_like_code = "_" in name.strip("_") or re.search(r"[a-z][A-Z]", name) is not None
    pattern = rf"\b{re.escape(name)}\b" + ("" if looks_like_code else r"\(")
    return len(name) > 3 and re.search(pattern, text) is not None
