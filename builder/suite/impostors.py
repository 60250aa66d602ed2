"""Cheap functions that understand nothing: a suite that one of them passes is worthless.

The constant ones need no code here: the tests of a suite always have two different outputs.
"""

from builder.literals import dumps, loads
from builder.records import Example


def echoed_arguments(example: Example) -> set[int]:
    """Return the places of the arguments that are equal to the output."""
    arguments = loads(example.input)
    return {place for place, value in enumerate(arguments) if dumps(value) == example.output}
