"""Puts into words what speaks for and against a file, and what the file seems to be."""

import re
from collections.abc import Iterator

from sourcewright.domain.files import Excerpt
from sourcewright.logic.leafing import Leaf
from sourcewright.logic.spotting import ENOUGH_TEXT, Signs

_NO_TITLE = re.compile(
    r"microsoft word|untitled|\.(?:docx?|tex|dvi|indd|pdf|qxd|rtf)\b|^\W*$", re.IGNORECASE
)
_TITLE_SAYS = {
    "same": "the title stands {page}",
    "alike": "the title stands {page} ({alike})",
    "longer": "the title stands {page} and goes on",
    "shorter": "the title without its subtitle stands {page}",
    "begins": "the title is the beginning of another one {page}",
    "inside": "the title is mentioned {page}",
    "derived": "the heading {page} is that of a document about the work: {heading}",
}
_SHOWN = 200


def evidence_of(signs: Signs, excerpt: Excerpt) -> Iterator[str]:
    """One short sentence for each sign."""
    if excerpt.problem:
        yield excerpt.problem
    elif signs.amount < ENOUGH_TEXT:
        yield f"the first pages hold {signs.amount or 'no'} letters of text"
    yield from _id_evidence(signs)
    yield from _title_evidence(signs)
    if signs.author:
        yield f"the first author's name {signs.author[0]} is on page {signs.author[1]}"
    elif signs.coauthor:
        yield f"the author's name {signs.coauthor[0]} is on page {signs.coauthor[1]}"
    if signs.year:
        yield f"the year {signs.year[0]} is on page {signs.year[1]}"
    if signs.venue:
        yield f"the place of publication is named on page {signs.venue}"


def _id_evidence(signs: Signs) -> Iterator[str]:
    own, rival = signs.claims.own, signs.claims.rival
    if own:
        how = "stands" if own.standing else "is mentioned"
        yield f"the DOI {own.id} {how} {own.where}"
    if rival:
        yield f"another DOI, {rival.id}, stands {rival.where}"
    for stamp in signs.claims.stamps[:1]:
        version = signs.wanted.version
        asked = f", not version {version}" if version and stamp.version != version else ""
        yield f"the arXiv stamp says {stamp}{asked}"


def _title_evidence(signs: Signs) -> Iterator[str]:
    sight = signs.sight
    if sight.grade in _TITLE_SAYS:
        facts = {"page": f"on page {sight.page}", "alike": f"{sight.alike:.0f} % alike"}
        yield _TITLE_SAYS[sight.grade].format(**facts, heading=_shown(sight.heading))
    elif signs.amount and signs.title.letters:
        yield "the title is not on the first pages"
    if signs.is_notice:
        yield "the text is that of a notice about an article"


def found_instead(signs: Signs, excerpt: Excerpt, leaves: tuple[Leaf, ...]) -> str | None:
    """What the file calls itself, made safe to show."""
    if signs.sight.grade == "derived":
        return _shown(signs.sight.heading)
    stamps, rival = signs.claims.stamps, signs.claims.rival
    name = f"arXiv:{stamps[0]}" if stamps and not signs.stamped else rival.id if rival else None
    heading = _heading(excerpt, leaves)
    return f"{heading} ({name})" if name and heading else name or heading


def _heading(excerpt: Excerpt, leaves: tuple[Leaf, ...]) -> str | None:
    stated = excerpt.title or ""
    if len(stated.split()) > 1 and not _NO_TITLE.search(stated):
        return _shown(stated)
    lines = (line for leaf in leaves for line in leaf.lines[:12])
    return next((_shown(line) for line in lines if _is_heading(line)), None)


def _is_heading(line: str) -> bool:
    letters = sum(letter.isalpha() for letter in line)
    return letters >= 15 and letters > 0.6 * len(line) and "10." not in line and "://" not in line


def _shown(text: str) -> str:
    clean = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return clean if len(clean) <= _SHOWN else f"{clean[: _SHOWN - 1]}…"
