"""The part of a long text that a caller asks for: a section, from an offset, up to a length."""

from sourcewright.base.errors import InvalidInput
from sourcewright.base.text.phrases import count_phrase
from sourcewright.reading.markdown.sections import (
    TextSlice,
    outline_of,
    section_of,
    slice_text,
)

DEFAULT_BYTES = 50_000
MAX_BYTES = 5_000_000


def most_bytes(requested: int) -> int:
    """Return the number of bytes to return at most, for the number that was requested."""
    return min(requested, MAX_BYTES) if requested > 0 else DEFAULT_BYTES


def part_of(text: str, *, offset: int, most: int, whole: str, tidy: bool = True) -> TextSlice:
    """Return the part from an offset on.

    Raises:
        InvalidInput: The text, which is called `whole`, ends before the offset.
    """
    size = len(text.encode())
    if offset > size:
        length = count_phrase(f"{size:,}", "byte")
        raise InvalidInput(f"offset: {offset} is beyond the end of the {whole}: {length}")
    return slice_text(text, offset=offset, most=most, tidy=tidy)


def section_in(text: str, name: str | None, *, whole: str) -> str:
    """Return the section under a heading; the whole text without a name.

    Raises:
        InvalidInput: There is no such heading.
    """
    section = text if name is None else section_of(text, name)
    if section is None:
        names = ", ".join(one.text for one in outline_of(text, most=30)) or "none"
        raise InvalidInput(
            f"section: the {whole} has no heading {name!r}; available headings: {names}"
        )
    return section
