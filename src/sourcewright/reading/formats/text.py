"""Plain text and Markdown, kept but for relative links, with their title and front matter."""

import re

from sourcewright.base.formats.media_types import sniff_kind
from sourcewright.base.text.charsets import decode
from sourcewright.reading.html.structure.hidden_text import without_hidden_text
from sourcewright.reading.markdown.links import absolute_links, base_of_url
from sourcewright.reading.markdown.sections import outline_of
from sourcewright.reading.readings import Reading

KINDS = ("markdown", "text")
_SAMPLE = 20_000
_LONGEST_TITLE = 150
_FRONT_MATTER = re.compile(r"---[ \t]*\n(.{0,8000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
_FIELD = re.compile(r"^(title|author|date|lang):[ \t]*+(\S.{0,511}+)$", re.MULTILINE)
_QUOTES = "\"'"
_UNDERLINED = re.compile(r"^[ \t]*(\S.{0,149})\n[ \t]*(={3,}|-{3,})[ \t]*$", re.MULTILINE)


def read(body: bytes, *, url: str, content_type: str) -> Reading:
    """Return the text with normalised line ends.

    In Markdown hidden text is removed, and links are made absolute.
    """
    kind = sniff_kind(body, content_type=content_type, url=url)
    text = decode(body, content_type=content_type).replace("\r\n", "\n").replace("\r", "\n")
    if kind == "markdown":
        text = without_hidden_text(text)
        if url.startswith(("http://", "https://")):
            text = absolute_links(text, base_of_url(url))
    front_matter = _front_matter(text)
    return Reading(
        content=text.strip("\n"),
        kind=kind if kind in KINDS else "text",
        title=front_matter.get("title") or _title_of(text[:_SAMPLE].lstrip(), kind),
        author=front_matter.get("author"),
        published=front_matter.get("date"),
        language=front_matter.get("lang"),
    )


def _front_matter(text: str) -> dict[str, str]:
    """Fields of the YAML front matter that static site generators use."""
    block = _FRONT_MATTER.match(text)
    return {name: _plain(value) for name, value in _FIELD.findall(block[1])} if block else {}


def _plain(value: str) -> str:
    """A value without quotes, or the values of a bracketed list."""
    value = value.rstrip(" \t")
    value = value[value[0] in _QUOTES :]
    value = value[: -1 if value[-1:] and value[-1] in _QUOTES else None]
    if not (value.startswith("[") and value.endswith("]")):
        return value.strip()
    return "; ".join(one.strip(" \t\"'") for one in value[1:-1].split(","))


def _title_of(text: str, kind: str) -> str | None:
    """The first heading, or a separate first line; in plain text `#` may begin a comment."""
    headings = outline_of(text)
    first, _, rest = text.partition("\n")
    first_line_is_separate = not rest.strip() or rest.startswith("\n")
    if headings and (kind == "markdown" or (first_line_is_separate and not headings[0].offset)):
        return headings[0].text
    underlined = _UNDERLINED.match(text) if kind == "text" else _UNDERLINED.search(text)
    if underlined and underlined[1].strip("-= \t"):
        return underlined[1].strip()
    is_title_line = rest.startswith("\n") and len(first) <= _LONGEST_TITLE
    return first.strip() or None if is_title_line and not first.endswith((".", ",", ";")) else None
