"""Features of a block for the classifier: text, neighbours, position, page.

Features of the page come from its URL and its embedded metadata: they hint at its kind (forum,
product, documentation, …) and its subject.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import log1p
from typing import NamedTuple
from urllib.parse import urlsplit

from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.document import Node
from sourcewright.reading.html.position import StructuralFeatures, is_main, shapes_of
from sourcewright.reading.readings import EmbeddedMetadata

_WORD = re.compile(r"\w+")
_JSON_LD_TYPE = re.compile(r"\"@type\"\s*+:\s*+(?:\[\s*+)?\"(?:https?://schema.org/)?(\w{1,60})\"")
_PRODUCT_TYPES = frozenset({"Product", "ProductGroup"})
_JSON_LD_TYPES = (
    _PRODUCT_TYPES,
    frozenset({"ItemList", "CollectionPage", "OfferCatalog", "SearchResultsPage"}),
    frozenset({"Article", "NewsArticle", "BlogPosting", "ScholarlyArticle"}),
    frozenset({"DiscussionForumPosting", "QAPage", "Question", "Comment"}),
    frozenset({"TechArticle", "APIReference", "HowTo"}),
    frozenset({"Service", "LocalBusiness", "Organization", "SoftwareApplication"}),
)
_URL_PATTERNS = (
    "forum|thread|topic|discuss|showthread|/t/|question|community|comments",
    "docs?|documentation|guide|reference|api|manual|wiki|tutorial|learn",
    "product|/p/|item|/dp/|shop|store|buy",
    "collection|categor|/c/|/cat/|catalog|browse|/b/|/l/",
    "blog|news|article|post|story|stories|press",
    "service|solution|platform|pricing|features|about|consult",
    "list|search|best|top|tags?/|topics",
)
_URL_HINTS = tuple(map(re.compile, _URL_PATTERNS))
_MAX_CHARACTERS = 2000
_THREAD_TYPES = frozenset({"DiscussionForumPosting", "QAPage"})
_REMARK_TYPES = frozenset({"Question", "Comment"})
"""Types in threads; also of questions with answers, and of comments, on other pages."""
_DATED_PATH = re.compile(r"(?:^|[/_-])(?:19|20)\d\d[/_-]?(?:0?[1-9]|1[0-2])(?:[/_-]|\d\d(?!\d))")
"""Year and month in the path of a URL."""
_MIN_SLUG_HYPHENS = 4
_NUMBER = re.compile(r"\d{5,}(?:\.\w+)?")
"""The last part of a URL that is the number of an article, below one that is made from its title."""
_FINAL_MARKS = frozenset(".!?\u2026\u3002\uff01\uff1f\u061f\u06d4\u0964")
_CLOSING_MARKS = "\"')]\u00bb\u201c\u201d\u2019"


def ends_sentence(text: str) -> bool:
    """Whether the last character, but for quotation marks and brackets, ends a sentence."""
    return text.rstrip().rstrip(_CLOSING_MARKS)[-1:] in _FINAL_MARKS


class PageHints(NamedTuple):
    """Words of the page's titles and summary, and features that hint at its kind."""

    title: frozenset[str]
    summary: frozenset[str]
    kind: tuple[float, ...]
    declares_article: bool = False
    """Whether the metadata say that it is an article, or when it was published."""
    declares_other: bool = False
    """Whether the metadata say that it is a product or a thread, or its URL that of a forum."""
    has_article_url: bool = False
    """Whether the last part of the URL, or that before a number, is made from a title, or its path
    has a date."""
    has_dated_headline: bool = False
    """Whether the page says when it was published, with a date beside its headline."""
    has_one_product: bool = False
    """Whether its JSON-LD is of one product, and not of a list of them."""
    is_signed: bool = False
    """Whether the page says who wrote it, and when it was published."""


def page_hints(
    root: Node, embedded: EmbeddedMetadata | None, url: str, *, is_signed: bool = False
) -> PageHints:
    title = root.find(".//title")
    title_text = "" if title is None else title.text_content()
    graph = embedded.open_graph if embedded else {}
    names = _json_ld_types(embedded)
    types = set(names)
    metadata, address = _metadata_features(graph, types), _url_features(url)
    product, collection, article, *_, og_product, _, published = metadata
    is_thread = _is_forum_url(url) or _is_thread(types, is_article=bool(article))
    return PageHints(
        title=_words(f"{title_text[:_MAX_CHARACTERS]} {graph.get('og:title', '')}"),
        summary=_words(graph.get("og:description", "")),
        kind=(*metadata, *address),
        declares_article=bool(article or published),
        declares_other=bool(product or og_product or is_thread),
        has_article_url=_is_article_url(url),
        has_one_product=not collection and sum(name in _PRODUCT_TYPES for name in names) == 1,
        is_signed=is_signed,
    )


def _is_thread(types: Collection[str], *, is_article: bool) -> bool:
    """Whether the types of JSON-LD are those of a thread, and not of an article with remarks."""
    if not _THREAD_TYPES.isdisjoint(types):
        return True
    return not (is_article or "FAQPage" in types or _REMARK_TYPES.isdisjoint(types))


def _is_article_url(url: str) -> bool:
    _, path = _host_and_path(url)
    *_, directory, slug = ["", *path.rstrip("/").split("/")]
    slugs = (slug, directory) if _NUMBER.fullmatch(slug) else (slug,)
    return any(_hyphens(one) >= _MIN_SLUG_HYPHENS for one in slugs) or bool(
        _DATED_PATH.search(path)
    )


def _is_forum_url(url: str) -> bool:
    """Whether the words of a forum are in the URL, and not only in the title at its end."""
    host, path = _host_and_path(url)
    directory, _, slug = path.rstrip("/").rpartition("/")
    path = f"{directory}/" if _hyphens(slug) >= _MIN_SLUG_HYPHENS else path
    return bool(_URL_HINTS[0].search(f"{host.split('.')[0]} {path}".lower()))


def _host_and_path(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url[:_MAX_CHARACTERS])
        host = parts.hostname or ""
    except ValueError:
        return "", ""
    return host, parts.path


def _hyphens(segment: str) -> int:
    return sum(character in "-_" for character in segment)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text[:_MAX_CHARACTERS].lower()))


def _json_ld_types(embedded: EmbeddedMetadata | None) -> list[str]:
    blocks = embedded.json_ld if embedded else ()
    return [name for block in blocks for name in _JSON_LD_TYPE.findall(block)]


def _metadata_features(graph: Mapping[str, str], types: Collection[str]) -> list[float]:
    kind = graph.get("og:type", "").lower()
    return [
        *[float(not group.isdisjoint(types)) for group in _JSON_LD_TYPES],
        float("article" in kind),
        float("product" in kind),
        float(not kind),
        float("article:published_time" in graph),
    ]


def _url_features(url: str) -> list[float]:
    """URL features: path depth, hyphens, digits, query, and words that hint at the page's kind."""
    try:
        parts = urlsplit(url[:_MAX_CHARACTERS])
        host = parts.hostname or ""
    except ValueError:
        return _url_features("")
    path = parts.path.strip("/")
    segments = [segment for segment in path.split("/") if segment]
    url_text = f"{host.split('.')[0]} {parts.path}".lower()
    return [
        float(len(segments)),
        float(_hyphens(segments[-1])) if segments else 0.0,
        float(sum(character.isdigit() for character in path)),
        float(bool(parts.query)),
        *[float(bool(hint.search(url_text))) for hint in _URL_HINTS],
    ]


_SENTENCE = re.compile(r"[.!?。\uff01\uff1f]['\")\]\u201d\u2019]?(?=\s|$)")
PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:€|£|kr|zł|USD|EUR)\b")
_DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b|\bago\b",
    re.IGNORECASE,
)
_CAPITAL = re.compile("[A-Z\u00c0-\u00de\u0391-\u03a9\u0410-\u042f]")
_COMMON_WORD_LIST = (
    "the of and to in a is that for it as was with be by on not he this are or his from at which "
    "but have an had they you were their one all we can has there been if more when will would so "
    "der die das und ist in den von zu mit le la les de et un une des est que el los las y en "
    "del se por con para il di che per non"
)
_COMMON_WORDS = frozenset(_COMMON_WORD_LIST.split())
_TAG_LIST = "p li h1 h2 h3 h4 td div table pre blockquote button dd dt figcaption span"
_TAGS = _TAG_LIST.split()
_TAG_ROWS = {tag: [float(tag == one) for one in _TAGS] for tag in [*_TAGS, ""]}
HEADINGS = {f"h{level}": level for level in range(1, 7)}
_COUNTED_TAGS = ("p", "li", "h2", "h3", "article", "td", "pre")
_MIN_PROSE = 80
_MAX_START = 400


def words_at_start(text: str) -> list[str]:
    """The words in the first characters of a text, in lower case."""
    return _WORD.findall(text[:_MAX_START].lower())


class PageContext:
    """Values of a page that the features of all its blocks share."""

    def __init__(
        self, blocks: Sequence[Block], places: Sequence[Container], hints: PageHints
    ) -> None:
        self.blocks = blocks
        self.hints = hints
        self.words = [words_at_start(block.text) for block in blocks]
        self.lengths = [len(block.text) for block in blocks]
        self.total = sum(self.lengths) or 1
        self.linked = sum(block.linked for block in blocks)
        self.copies = Counter(block.text for block in blocks)
        self.shaped = shapes_of(blocks)
        self.shapes = Counter(self.shaped)
        self.tags = Counter(place.tag for place in places)
        self.sentences = [len(_SENTENCE.findall(block.text)) for block in blocks]
        self.prices = [bool(PRICE.search(block.text)) for block in blocks]
        self.h1 = next((at for at, block in enumerate(blocks) if block.place.tag == "h1"), -1)
        self.prose = [
            size if many and size > _MIN_PROSE and 3 * block.linked < size else 0
            for size, many, block in zip(self.lengths, self.sentences, blocks, strict=True)
        ]
        self.first, self.last = _first_and_last(self.prose)
        self.main = max((place.characters for place in places if is_main(place)), default=0)
        self.standing = StructuralFeatures(blocks, places, self.prose, self.total)


def _first_and_last(prose: Sequence[int]) -> tuple[int, int]:
    prose_blocks = [at for at, size in enumerate(prose) if size]
    return (prose_blocks[0], prose_blocks[-1]) if prose_blocks else (-1, -1)


def page_features(page: PageContext) -> list[float]:
    count = len(page.blocks) or 1
    in_sentences = sum(
        size for size, many in zip(page.lengths, page.sentences, strict=True) if many
    )
    return [
        log1p(page.total),
        page.linked / page.total,
        log1p(count),
        sum(page.sentences) / count,
        sum(page.prices) / count,
        page.main / page.total,
        in_sentences / page.total,
        log1p(max(page.shapes.values(), default=0)),
        log1p(page.tags["article"]),
        *[page.tags[tag] / count for tag in _COUNTED_TAGS],
        *page.hints.kind,
    ]


def block_features(page: PageContext) -> Iterator[list[float]]:
    """Yield one row of features for each block."""
    page_row = page_features(page)
    before, seen = 0, Counter[str]()
    heading, under = (0, 0), -1
    for at, block in enumerate(page.blocks):
        words = page.words[at]
        yield [
            *_text_features(page, at, words),
            float(seen[block.text]),
            *_position_features(page, at, before),
            float(at - under),
            *map(float, heading),
            *page.standing.measures(block.place),
            *page_row,
        ]
        before += page.lengths[at]
        seen[block.text] += 1
        if block.place.tag in HEADINGS:
            heading, under = (HEADINGS[block.place.tag], len(words)), at


def _text_features(page: PageContext, at: int, words: Sequence[str]) -> list[float]:
    block = page.blocks[at]
    text, size = block.text, page.lengths[at] or 1
    many = len(words) or 1
    start = text[:200]
    return [
        log1p(size),
        block.linked / size,
        float(page.sentences[at]),
        float(text[-1:] in ".!?。:"),
        sum(map(_COMMON_WORDS.__contains__, words)) / many,
        sum(map(str.isdigit, words)) / many,
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
        *_overlap_features(page.hints, frozenset(words)),
        *_TAG_ROWS.get(block.form or block.place.tag, _TAG_ROWS[""]),
    ]


def _overlap_features(hints: PageHints, words: frozenset[str]) -> list[float]:
    """Overlap of a block's words with the page's titles and with its summary."""
    shared = len(words & hints.title)
    return [
        shared / (len(words) or 1),
        shared / (len(hints.title) or 1),
        len(words & hints.summary) / (len(words) or 1) if hints.summary else -1.0,
    ]


def _position_features(page: PageContext, at: int, before: int) -> list[float]:
    """The position on the page, and features of the two adjacent blocks."""
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
