"""The changelog of a dataset."""

from hypothesis import given
from hypothesis import strategies as st

from builder.release.hub.changelog import (
    Section,
    earlier_sections,
    read_sections,
    write_changelog,
)

TAGS = st.from_regex(r"v[0-9]\.[0-9]\.[0-9](-rc[0-9])?", fullmatch=True)
LINES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)
SECTIONS = st.lists(
    st.builds(Section, TAGS, st.lists(LINES.map("- {}\n".format), min_size=1).map("".join)),
    unique_by=lambda section: section.tag,
)


@given(SECTIONS)
def test_what_is_written_is_read(sections: list[Section]) -> None:
    assert read_sections(write_changelog(sections)) == sections


@given(SECTIONS, TAGS)
def test_writing_a_section_again_changes_nothing(sections: list[Section], tag: str) -> None:
    tags = {section.tag for section in sections}
    new = Section(tag, "- new\n")
    once = write_changelog([new, *earlier_sections(write_changelog(sections), tag, tags)])
    again = write_changelog([new, *earlier_sections(once, tag, tags | {tag})])
    assert again == once


def test_sections_without_a_tag_are_of_pushes_that_were_given_up() -> None:
    text = write_changelog([Section("v1.1.0", "- b\n"), Section("v1.0.0", "- a\n")])
    assert earlier_sections(text, "v1.2.0", {"v1.0.0"}) == [Section("v1.0.0", "- a\n")]


def test_a_text_of_another_kind_has_no_sections() -> None:
    assert read_sections("# History\n\n## Last week\n\n- much\n") == []
    assert read_sections("") == []
