"""``CHANGELOG.md`` of a dataset: one section for each release that has a tag.

It is a function of what the tags hold and of the release, never of when or how often it is made,
so that a push that was broken off and is run again makes the same text.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

CHANGELOG: Final = "CHANGELOG.md"
VERSION: Final = re.compile(r"v\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?")
"""Form of the tag of a release."""

_INTRODUCTION: Final = (
    "# Changelog\n\nWhat changed in this dataset from release to release, the newest first.\n\n"
)
_HEADING: Final = re.compile(rf"^## ({VERSION.pattern})$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Section:
    """What changed in one release."""

    tag: str
    text: str
    """Without its heading."""


def read_sections(text: str) -> list[Section]:
    """Return the sections of a changelog, the newest first."""
    _, *parts = _HEADING.split(text)
    return [
        Section(tag, body.strip() + "\n") for tag, body in zip(parts[::2], parts[1::2], strict=True)
    ]


def earlier_sections(text: str, tag: str, tags: Collection[str]) -> list[Section]:
    """Return the sections that a release named ``tag`` finds.

    A section whose tag does not exist is of a push that was broken off or given up.
    """
    return [x for x in read_sections(text) if x.tag != tag and x.tag in tags]


def write_changelog(sections: Sequence[Section]) -> str:
    """Return the text of the file."""
    return _INTRODUCTION + "\n".join(f"## {x.tag}\n\n{x.text}" for x in sections)
