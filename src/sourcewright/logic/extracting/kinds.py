"""Measures what a page's address and its own description tell of its kind and its subject."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from sourcewright.domain.readings import Embedded
from sourcewright.logic.extracting.parsing import Node

_WORD = re.compile(r"\w+")
_TYPE = re.compile(r"\"@type\"\s*:\s*\[?\s*\"(?:https?://schema.org/)?(\w{1,60})\"")
_TYPES = (
    frozenset({"Product", "ProductGroup"}),
    frozenset({"ItemList", "CollectionPage", "OfferCatalog", "SearchResultsPage"}),
    frozenset({"Article", "NewsArticle", "BlogPosting", "ScholarlyArticle"}),
    frozenset({"DiscussionForumPosting", "QAPage", "Question", "Comment"}),
    frozenset({"TechArticle", "APIReference", "HowTo"}),
    frozenset({"Service", "LocalBusiness", "Organization", "SoftwareApplication"}),
)
_ADDRESSES = (
    "forum|thread|topic|discuss|showthread|/t/|question|community|comments",
    "docs?|documentation|guide|reference|api|manual|wiki|tutorial|learn",
    "product|/p/|item|/dp/|shop|store|buy",
    "collection|categor|/c/|/cat/|catalog|browse|/b/|/l/",
    "blog|news|article|post|story|stories|press",
    "service|solution|platform|pricing|features|about|consult",
    "list|search|best|top|tags?/|topics",
)
_HINTS = tuple(map(re.compile, _ADDRESSES))
_LONGEST = 2000


class Said(NamedTuple):
    """Words of the page's titles and of its summary, and measures that tell of its kind."""

    title: frozenset[str]
    summary: frozenset[str]
    kind: tuple[float, ...]


def said_by(root: Node, embedded: Embedded | None, url: str) -> Said:
    head = root.find(".//title")
    named = "" if head is None else head.text_content()
    graph = embedded.open_graph if embedded else {}
    return Said(
        title=_words(f"{named[:_LONGEST]} {graph.get('og:title', '')}"),
        summary=_words(graph.get("og:description", "")),
        kind=(*_described(embedded), *_addressed(url)),
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text[:_LONGEST].lower()))


def _described(embedded: Embedded | None) -> list[float]:
    graph = embedded.open_graph if embedded else {}
    types = {
        name for block in (embedded.json_ld if embedded else ()) for name in _TYPE.findall(block)
    }
    kind = graph.get("og:type", "").lower()
    return [
        *[float(not types.isdisjoint(some)) for some in _TYPES],
        float("article" in kind),
        float("product" in kind),
        float(not kind),
        float("article:published_time" in graph),
    ]


def _addressed(url: str) -> list[float]:
    """The shape of the address: how deep, how wordy, how numbered, and what it speaks of."""
    try:
        parts = urlsplit(url[:_LONGEST])
        host = parts.hostname or ""
    except ValueError:
        return _addressed("")
    path = parts.path.strip("/")
    steps = [step for step in path.split("/") if step]
    spoken = f"{host.split('.')[0]} {parts.path}".lower()
    return [
        float(len(steps)),
        float(sum(sign in "-_" for sign in steps[-1])) if steps else 0.0,
        float(sum(sign.isdigit() for sign in path)),
        float(bool(parts.query)),
        *[float(bool(hint.search(spoken))) for hint in _HINTS],
    ]
