"""Measures each block of a page: its text, its place, its neighbours and the page around it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log1p

from sourcewright.logic.extracting.blocks import Block, Place

_SENTENCE = re.compile(r"[.!?。\uff01\uff1f]['\")\]\u201d\u2019]?(?=\s|$)")
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:€|£|kr|zł|USD|EUR)\b")
_DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b|\bago\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_COMMON_NAMES = (
    "the of and to in a is that for it as was with be by on not he this are or his from at which "
    "but have an had they you were their one all we can has there been if more when will would so "
    "der die das und ist in den von zu mit le la les de et un une des est que el los las y en "
    "del se por con para il di che per non"
)
_COMMON = frozenset(_COMMON_NAMES.split())
TAGS = (
    "p",
    "li",
    "h1",
    "h2",
    "h3",
    "h4",
    "td",
    "div",
    "table",
    "pre",
    "blockquote",
    "button",
    "dd",
    "dt",
    "figcaption",
    "span",
)
ABOVE = (
    "main",
    "article",
    "section",
    "header",
    "footer",
    "nav",
    "aside",
    "form",
    "ul",
    "table",
    "noscript",
    "figure",
    "button",
    "details",
)
_LEVELS = (1, 2, 3, 5)
_SHARES = (0.4, 0.6, 0.8)
_PROSE = 80


class Page:
    """What the measures of a page's blocks share."""

    def __init__(self, blocks: Sequence[Block], places: Sequence[Place]) -> None:
        self.blocks = blocks
        self.total = sum(len(block.text) for block in blocks) or 1
        self.linked = sum(block.linked for block in blocks)
        self.copies = Counter(block.text for block in blocks)
        self.shapes = Counter(shape_of(block) for block in blocks)
        self.tags = Counter(place.tag for place in places)
        self.sentences = [len(_SENTENCE.findall(block.text)) for block in blocks]
        self.lengths = [len(block.text) for block in blocks]
        self.prices = [bool(_PRICE.search(block.text)) for block in blocks]
        self.h1 = next((at for at, block in enumerate(blocks) if block.place.tag == "h1"), -1)
        self.prose = [
            size if many and size > _PROSE and 3 * block.linked < size else 0
            for size, many, block in zip(self.lengths, self.sentences, blocks, strict=True)
        ]
        self.weights = _summed(blocks, self.prose)
        self.read = sum(self.prose) or 1
        self.cores = [_core(places, self.weights, self.read * share) for share in _SHARES]
        self.first, self.last = _ends(self.prose)
        self.main = max((place.characters for place in places if _is_main(place)), default=0)


def _summed(blocks: Sequence[Block], sizes: Sequence[int]) -> dict[Place, int]:
    """How much of it each place holds."""
    sums: dict[Place, int] = {}
    for block, size in zip(blocks, sizes, strict=True):
        if size:
            for place in lineage(block.place):
                sums[place] = sums.get(place, 0) + size
    return sums


def _core(places: Sequence[Place], weights: dict[Place, int], least: float) -> set[Place]:
    """The deepest place that holds at least so much of the prose, with all above it."""
    inside = [place for place in weights if weights[place] >= least]
    deepest = max(inside, key=lambda place: place.depth, default=places[0])
    return set(lineage(deepest))


def _ends(prose: Sequence[int]) -> tuple[int, int]:
    found = [at for at, size in enumerate(prose) if size]
    return (found[0], found[-1]) if found else (-1, -1)


def _is_main(place: Place) -> bool:
    return place.tag == "main" or "main" in place.tokens


def shape_of(block: Block) -> tuple[object, ...]:
    place = block.place
    above = place.parent
    return (
        place.tag,
        place.tokens,
        above and above.tag,
        above and above.tokens,
        bool(block.linked),
    )


def lineage(place: Place) -> Iterator[Place]:
    here: Place | None = place
    while here is not None:
        yield here
        here = here.parent


def page_measures(page: Page) -> list[float]:
    count = len(page.blocks) or 1
    shares = [page.tags[tag] / count for tag in ("p", "li", "h2", "h3", "article", "td", "pre")]
    return [
        log1p(page.total),
        page.linked / page.total,
        log1p(count),
        sum(page.sentences) / count,
        sum(page.prices) / count,
        page.main / page.total,
        sum(size for size, many in zip(page.lengths, page.sentences, strict=True) if many)
        / page.total,
        log1p(max(page.shapes.values(), default=0)),
        log1p(page.tags["article"]),
        *shares,
    ]


def measures_of(page: Page) -> Iterator[list[float]]:
    """One row of numbers for each block."""
    whole = page_measures(page)
    before = 0
    for at, block in enumerate(page.blocks):
        yield [*_own(page, at), *_around(page, at, before), *_above(page, block), *whole]
        before += page.lengths[at]


def _own(page: Page, at: int) -> list[float]:
    block = page.blocks[at]
    text, size = block.text, len(block.text) or 1
    words = _WORD.findall(text[:400].lower())
    many = len(words) or 1
    return [
        log1p(size),
        block.linked / size,
        float(page.sentences[at]),
        float(text[-1:] in ".!?。:"),
        sum(word in _COMMON for word in words) / many,
        sum(word.isdigit() for word in words) / many,
        sum(char.isupper() for char in text[:200]) / min(size, 200),
        float(page.prices[at]),
        float(bool(_DATE.search(text[:200]))),
        text.count(",") / size,
        sum(map(len, words)) / many,
        float(page.copies[text]),
        log1p(page.shapes[shape_of(block)]),
        float(block.image),
        float(page.prose[at] > 0),
        float("|" in text or "\u203a" in text or "»" in text),
        float("\xa9" in text),
        *[float((block.form or block.place.tag) == tag) for tag in TAGS],
    ]


def _around(page: Page, at: int, before: int) -> list[float]:
    """The place in the page, and its neighbours."""
    near: list[float] = []
    for step in (-3, -2, -1, 1, 2, 3):
        other = at + step
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


def _above(page: Page, block: Block) -> list[float]:
    """What stands above, and how much text and links it holds."""
    line = list(lineage(block.place))
    tags = {place.tag for place in line}
    levels: list[float] = []
    for level in _LEVELS:
        place = line[min(level, len(line) - 1)]
        size = place.characters or 1
        levels += [
            size / page.total,
            place.linked / size,
            log1p(place.blocks),
            log1p(place.children),
            page.weights.get(place, 0) / page.read,
            page.weights.get(place, 0) / size,
        ]
    own = line[0].characters or 1
    return [
        float(len(line)),
        *[float(tag in tags) for tag in ABOVE],
        float(any(_is_main(place) for place in line)),
        own / page.total,
        line[0].linked / own,
        *[_distance(line, core) for core in page.cores],
        *levels,
    ]


def _distance(line: Sequence[Place], core: set[Place]) -> float:
    """Steps up to a place that also stands above the core of the page."""
    return float(next((at for at, place in enumerate(line) if place in core), len(line)))
