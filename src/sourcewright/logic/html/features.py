"""Features of a block for the classifier: text, neighbours, position, page.

Measures what a page's address and its own description tell of its kind and its subject.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log1p
from typing import NamedTuple
from urllib.parse import urlsplit

from sourcewright.domain.readings import Embedded
from sourcewright.logic.html.blocks import Block, Place
from sourcewright.logic.html.document import Node
from sourcewright.logic.html.position import Standing, is_main, shape_of

_WORD = re.compile(r"\w+")
_TYPE = re.compile(r"\"@type\"\s*+:\s*+(?:\[\s*+)?\"(?:https?://schema.org/)?(\w{1,60})\"")
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


_SENTENCE = re.compile(r"[.!?。\uff01\uff1f]['\")\]\u201d\u2019]?(?=\s|$)")
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:€|£|kr|zł|USD|EUR)\b")
_DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b|\bago\b",
    re.IGNORECASE,
)
_CAPITAL = re.compile("[A-Z\u00c0-\u00de\u0391-\u03a9\u0410-\u042f]")
_COMMON_NAMES = (
    "the of and to in a is that for it as was with be by on not he this are or his from at which "
    "but have an had they you were their one all we can has there been if more when will would so "
    "der die das und ist in den von zu mit le la les de et un une des est que el los las y en "
    "del se por con para il di che per non"
)
_COMMON = frozenset(_COMMON_NAMES.split())
_TAGS_NAMES = "p li h1 h2 h3 h4 td div table pre blockquote button dd dt figcaption span"
_TAGS = _TAGS_NAMES.split()
_TAG_ROWS = {tag: [float(tag == one) for one in _TAGS] for tag in [*_TAGS, ""]}
HEADINGS = {f"h{level}": level for level in range(1, 7)}
_COUNTED = ("p", "li", "h2", "h3", "article", "td", "pre")
_PROSE = 80


class Page:
    """What the measures of a page's blocks share."""

    def __init__(self, blocks: Sequence[Block], places: Sequence[Place], said: Said) -> None:
        self.blocks = blocks
        self.said = said
        self.lengths = [len(block.text) for block in blocks]
        self.total = sum(self.lengths) or 1
        self.linked = sum(block.linked for block in blocks)
        self.copies = Counter(block.text for block in blocks)
        self.shaped = [shape_of(block) for block in blocks]
        self.shapes = Counter(self.shaped)
        self.tags = Counter(place.tag for place in places)
        self.sentences = [len(_SENTENCE.findall(block.text)) for block in blocks]
        self.prices = [bool(_PRICE.search(block.text)) for block in blocks]
        self.h1 = next((at for at, block in enumerate(blocks) if block.place.tag == "h1"), -1)
        self.prose = [
            size if many and size > _PROSE and 3 * block.linked < size else 0
            for size, many, block in zip(self.lengths, self.sentences, blocks, strict=True)
        ]
        self.first, self.last = _ends(self.prose)
        self.main = max((place.characters for place in places if is_main(place)), default=0)
        self.standing = Standing(blocks, places, self.prose, self.total)


def _ends(prose: Sequence[int]) -> tuple[int, int]:
    found = [at for at, size in enumerate(prose) if size]
    return (found[0], found[-1]) if found else (-1, -1)


def page_measures(page: Page) -> list[float]:
    count = len(page.blocks) or 1
    told = sum(size for size, many in zip(page.lengths, page.sentences, strict=True) if many)
    return [
        log1p(page.total),
        page.linked / page.total,
        log1p(count),
        sum(page.sentences) / count,
        sum(page.prices) / count,
        page.main / page.total,
        told / page.total,
        log1p(max(page.shapes.values(), default=0)),
        log1p(page.tags["article"]),
        *[page.tags[tag] / count for tag in _COUNTED],
        *page.said.kind,
    ]


def measures_of(page: Page) -> Iterator[list[float]]:
    """One row of numbers for each block."""
    whole = page_measures(page)
    before, seen = 0, Counter[str]()
    heading, under = (0, 0), -1
    for at, block in enumerate(page.blocks):
        words = _WORD.findall(block.text[:400].lower())
        yield [
            *_own(page, at, words),
            float(seen[block.text]),
            *_around(page, at, before),
            float(at - under),
            *map(float, heading),
            *page.standing.measures(block.place),
            *whole,
        ]
        before += page.lengths[at]
        seen[block.text] += 1
        if block.place.tag in HEADINGS:
            heading, under = (HEADINGS[block.place.tag], len(words)), at


def _own(page: Page, at: int, words: Sequence[str]) -> list[float]:
    block = page.blocks[at]
    text, size = block.text, page.lengths[at] or 1
    many = len(words) or 1
    start = text[:200]
    return [
        log1p(size),
        block.linked / size,
        float(page.sentences[at]),
        float(text[-1:] in ".!?。:"),
        len([word for word in words if word in _COMMON]) / many,
        len([word for word in words if word.isdigit()]) / many,
        len(_CAPITAL.findall(start)) / min(size, 200),
        float(page.prices[at]),
        float(bool(_DATE.search(start))),
        text.count(",") / size,
        len("".join(words)) / many,
        float(page.copies[text]),
        log1p(page.shapes[page.shaped[at]]),
        float(block.image),
        float(page.prose[at] > 0),
        float("|" in text or "\u203a" in text or "»" in text),
        float("\xa9" in text),
        log1p(many),
        *_told(page.said, frozenset(words)),
        *_TAG_ROWS.get(block.form or block.place.tag, _TAG_ROWS[""]),
    ]


def _told(said: Said, words: frozenset[str]) -> list[float]:
    """How much of the words the page's titles and its summary hold, and how much of the titles."""
    shared = len(words & said.title)
    return [
        shared / (len(words) or 1),
        shared / (len(said.title) or 1),
        len(words & said.summary) / (len(words) or 1) if said.summary else -1.0,
    ]


def _around(page: Page, at: int, before: int) -> list[float]:
    """The place in the page, and its neighbours."""
    near: list[float] = []
    for other in (at - 1, at + 1):
        if 0 <= other < len(page.blocks):
            size = page.lengths[other] or 1
            near += [log1p(size), page.blocks[other].linked / size, float(page.sentences[other])]
        else:
            near += [0.0, -1.0, -1.0]
    return [
        before / page.total,
        float(at),
        float(len(page.blocks) - at),
        float(at - page.h1) if page.h1 >= 0 else -999.0,
        float(at - page.first),
        float(at - page.last),
        *near,
    ]
