"""Search operators as most engines parse them: phrases, exclusions and `site:` within a query."""

import re
from dataclasses import dataclass

from sourcewright.world.corpus import web
from sourcewright.world.corpus.web import Item, Kind

_PART = re.compile(r'"([^"]*)"|(-?)site:([^\s()]+)|(?<!\S)-(\S+)|(\bOR\b|[()])')


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedQuery:
    """A parsed query."""

    words: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()


def read(text: str) -> ParsedQuery:
    phrases, excluded, sites = [], [], []
    for phrase, minus, site, word, _ in _PART.findall(text):
        if phrase:
            phrases.append(phrase)
        if site and not minus:
            sites.append(site)
        if word:
            excluded.append(word)
    words = _PART.sub(lambda part: f" {part[1]} " if part[1] else " ", text)
    return ParsedQuery(
        words=" ".join(words.split()),
        phrases=tuple(phrases),
        excluded=tuple(excluded),
        sites=tuple(sites),
    )


def search(kind: Kind, text: str, *, newest_hours: float | None = None) -> list[Item]:
    """The results of an engine that supports the operators."""
    query = read(text)
    hits = web.search(kind, query.words, sites=query.sites, newest_hours=newest_hours)
    return [item for item in hits if _fits(item, query)]


def _fits(item: Item, query: ParsedQuery) -> bool:
    text = f"{item.title} {item.text}".lower()
    return all(phrase.lower() in text for phrase in query.phrases) and not any(
        re.search(rf"\b{re.escape(word.lower())}\b", text) for word in query.excluded
    )
