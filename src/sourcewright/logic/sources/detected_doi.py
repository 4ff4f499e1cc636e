"""The DOI that a scholarly page shows as its own: evidence, not proof."""

import re

from sourcewright.domain.errors import InvalidInput
from sourcewright.domain.identifiers import Doi, parse_reference
from sourcewright.domain.readings import Embedded, Reading
from sourcewright.logic.sources.classification import is_journal, kind_of_host, source_type

_FRONT_MATTER = 4096
_BLANKS = r"[^\S\n]*+"
_ITEM = rf"[0-9IVX]{{0,4}}[.)]?{_BLANKS}"
_OTHERS = re.compile(
    rf"^{_BLANKS}(?:#{{1,6}}[^\S\n]++|\*\*|__)?{_ITEM}(?:(?:notes and |cited )?references?(?: and notes| cited| list)?"
    r"|bibliography|works cited|literature(?: cited)?|literatur(?:verzeichnis)?|citations?"
    r"|r\u00e9f\u00e9rences|referencias|bibliograf\u00eda|cited by|citing articles"
    r"|(?:related|similar|recommended) (?:articles?|content|papers?|reading))"
    rf"{_BLANKS}(?:\([0-9]{{1,9}}\))?{_BLANKS}:?(?:\*\*|__)?{_BLANKS}$",
    re.IGNORECASE | re.MULTILINE,
)
"""Where a page begins to speak of other works."""

# A piece in angle brackets belongs to old DOIs; `](` ends the text of a link.
_DOI = re.compile(
    r"\b10\.[0-9]{4,9}(?:\.[0-9]+)*/(?:<[0-9]+:[^\s<>]{1,40}>|(?!\]\()[^\s<>\"|*`])+",
    re.IGNORECASE,
)


def detected_doi(url: str, reading: Reading) -> str | None:
    """The DOI that the page gives in its head, its address or its first lines; None without one.

    Only scholarly pages are asked: elsewhere a DOI is that of something else.
    """
    is_scholarly = (
        source_type(url, reading.embedded) == "peer_reviewed"
        or kind_of_host(url) == "preprints"
        or is_journal(url)
    )
    if not is_scholarly:
        return None
    tags = (reading.embedded or Embedded()).citation
    told = next((value for name, value in tags.items() if name.lower() == "citation_doi"), "")
    return _doi(told) or _doi(url) or _in_text(reading.content)


def _in_text(text: str) -> str | None:
    front = text[:_FRONT_MATTER]
    others = _OTHERS.search(front)
    own = front[: others.start()] if others else front
    found = _DOI.search(own)
    # What the end of the excerpt cuts off would be another DOI.
    if found is None or (found.end() == len(front) < len(text)):
        return None
    return _doi(found[0])


def _doi(text: str) -> str | None:
    try:
        named = parse_reference(text) if text else None
    except InvalidInput:
        return None
    return named.value if isinstance(named, Doi) else None
