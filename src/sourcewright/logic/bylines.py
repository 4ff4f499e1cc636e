"""Who wrote a page: the people or bodies that its byline, its head or its linked data name."""

import re
from collections.abc import Iterable, Iterator

from sourcewright.domain.readings import Embedded, Reading
from sourcewright.logic.cleaning import plain_text
from sourcewright.logic.linking import nodes_in, several
from sourcewright.logic.references.names import Name, name_of

_MOST = 100
_LONGEST_LINE = 5_000
_LONGEST_NAME = 200
_INTRODUCED = re.compile(
    r"^(?:written |posted |reported )?(?:by|von|par|por)[:\s]\s*", re.IGNORECASE
)
_TITLE = re.compile(
    r"(?:,?\s+(?:ph\.?\s?d|m\.?d|md|d\.?phil|m\.?sc|mph|mba|r\.?n|esq|facc|pharmd)\.?)+(?=\s*(?:,|;|$))",
    re.IGNORECASE,
)
_JOINT = re.compile(r",?\s+(?:and|und|et|&)\s+|\s*[|\u2022]\s*|\s+/\s+", re.IGNORECASE)
_ADDRESS = re.compile(r"https?:|www\.|\S@\S+\.\S", re.IGNORECASE)


def authors_of(reading: Reading) -> tuple[Name, ...]:
    """The authors in their order, each once; none where the page names nobody."""
    said = reading.embedded or Embedded()
    tags = {name.lower(): value for name, value in said.citation.items()}
    listed = tags.get("citation_author") or tags.get("citation_authors") or ""
    if ";" in listed or "," in listed:
        names = [name_of(one) for one in map(_clean, listed.split(";")) if one]
    else:
        names = [*_in_byline(listed)]
    names = names or [*_in_byline(reading.author or "")] or [*_linked(said.json_ld)]
    bodies = {plain_text(reading.site or "").casefold()}
    whole = (
        Name(whole=text) if (text := _whole(one)).casefold() in bodies else one for one in names
    )
    return tuple(dict.fromkeys(whole))[:_MOST]


def _in_byline(line: str) -> Iterator[Name]:
    """The names in one line. What cannot be told apart for sure stays whole."""
    text = _TITLE.sub("", _INTRODUCED.sub("", plain_text(line[:_LONGEST_LINE])))
    if ";" in text:
        yield from map(name_of, filter(None, map(_clean, text.split(";"))))
        return
    parts = [part for part in _JOINT.split(text) if part]
    people = [person for part in parts for person in _people(part)]
    names = [name_of(one) for one in map(_clean, people) if one]
    # `Centers for Disease Control and Prevention` is one body, and so is a part of it none.
    if len(names) > 1 and any(name.family is None for name in names):
        names = [Name(whole=body)] if (body := _clean(text)) else []
    yield from names


def _people(part: str) -> list[str]:
    """Several people where each piece between commas is a whole name; else one."""
    pieces = [piece.strip() for piece in part.split(",") if piece.strip()]
    return pieces if all(" " in piece for piece in pieces) else [part]


def _linked(blocks: Iterable[str]) -> Iterator[Name]:
    """The authors that linked data names, of the first thing that has any."""
    for node in (node for block in blocks for node in nodes_in(block)):
        found = [_thing(author) for author in several(node.get("author"))]
        if names := [name for name in found if name]:
            yield from names
            return


def _thing(author: object) -> Name | None:
    if isinstance(author, str):
        return name_of(text) if (text := _clean(author)) else None
    if not isinstance(author, dict) or not isinstance(author.get("name"), str):
        return None
    text = _clean(author["name"])
    is_body = "Organization" in several(author.get("@type"))
    return (Name(whole=text) if is_body else name_of(text)) if text else None


def _clean(text: str) -> str:
    """A name, or nothing where it is an address or far too long for one."""
    plain = plain_text(text).strip(" ,;")
    return "" if len(plain) > _LONGEST_NAME or _ADDRESS.search(plain) else plain


def _whole(name: Name) -> str:
    return name.whole or " ".join(filter(None, (name.given, name.family, name.suffix)))
