"""Parts of a page that scripts load late: empty placeholders where its text should go on."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from sourcewright.reading.html.blocks import Block, tokens_of
from sourcewright.reading.html.document import LATE_ATTRIBUTES, AttributeIndex, Node

_SKELETON = "skeleton"
_LOADING_WORDS = (
    r"loading|please wait|wird geladen|lädt|chargement|cargando|carregando|caricamento|laden|laddar"
    r"|indlæser|laster|ladataan|wczytywanie|ładowanie|načítání|betöltés|yükleniyor|загрузка"
    r"|завантаження|φόρτωση|جار.? التحميل|加载中|正在加载|載入中|読み込み中|로딩|불러오는"
)
_LOADING = re.compile(rf"\W*(?:{_LOADING_WORDS})[\w\s]{{0,20}}[.\u2026\s]*", re.IGNORECASE)
_EXPRESSION = re.compile(r"\{\{[^{}]{2,60}\}\}")
"""A placeholder of a template that no script has replaced, and not a sentence about one."""
_CODE_TAGS = frozenset(("pre", "code", "kbd", "samp"))
_OUTER_TAGS = frozenset(
    (
        *("nav", "footer", "aside", "header", "form", "button", "dialog", "figure", "a"),
        *("noscript", "svg", "ul", "table"),
    )
)
_OUTER_LIST = (
    "comment comments reply related recommended recommendation recommendations sidebar widget "
    "widgets footer menu nav navigation header review reviews similar popup modal dialog cart search "
    "ad ads advert advertisement share social newsletter cookie carousel slider video player image "
    "img lazy captcha form upsell"
)
_OUTER_NAMES = frozenset(_OUTER_LIST.split())
"""Names of what is loaded late around a text: a part that is missing there is no loss."""
_MAX_TEXT, _MAX_LINE, _MAX_CANDIDATES = 30, 120, 200
_LEVELS, _NAMED_LEVELS, _TAG_LEVELS = 3, 6, 10
_MIN_SHARE, _MIN_BEFORE = 0.5, 0.2
"""Shares of the text: in an element close around the placeholder, and before it."""


def has_late_part(
    blocks: Sequence[Block], selected: Sequence[bool], index: AttributeIndex
) -> bool:
    """Whether a placeholder stands in the element that holds most of the text, not at its start."""
    candidates = [node for node in _candidates(blocks, index) if not _is_outer(node)]
    sizes: dict[Node, int] = {}
    for block, keep in zip(blocks, selected, strict=True):
        if keep:
            sizes[block.place.node] = sizes.get(block.place.node, 0) + len(block.text)
    total = sum(sizes.values())
    if not candidates or not total:
        return False
    before = _text_before(blocks[0].place.node, candidates, sizes)
    return any(
        before[node] >= _MIN_BEFORE * total and _share_around(node, sizes) >= _MIN_SHARE * total
        for node in candidates
    )


def _candidates(blocks: Sequence[Block], index: AttributeIndex) -> Iterator[Node]:
    skeletons = (
        node for _, node in index.where("class", lambda value: _SKELETON in value.lower())
    )
    busy = (node for _, node in index.where("aria-busy", "true".__eq__))
    templates = (node for name in LATE_ATTRIBUTES for _, node in index.where(name, lambda _: True))
    # A custom element with an address, such as `turbo-frame` and `include-fragment`; those of AMP
    # are images, videos and advertisements.
    frames = (
        node
        for _, node in index.where("src", bool)
        if "-" in str(node.tag) and not str(node.tag).startswith("amp-")
    )
    marked = islice(chain(skeletons, busy, templates, frames), _MAX_CANDIDATES)
    yield from (node for node in marked if len(node.text_content().strip()) < _MAX_TEXT)
    for block in blocks:
        if len(block.text) <= _MAX_LINE and _is_unfilled(block):
            yield block.place.node


def _is_unfilled(block: Block) -> bool:
    text, place = block.text, block.place.node
    if len(text) < _MAX_TEXT and _LOADING.fullmatch(text):
        return True
    return bool(_EXPRESSION.fullmatch(text)) and not _is_code(place)


def _is_code(place: Node) -> bool:
    """Whether an element is code, in code, or contains nothing but code."""
    around = chain([place], islice(place.iterancestors(), _LEVELS))
    return any(one.tag in _CODE_TAGS for one in around) or (
        next(place.iter(*_CODE_TAGS), None) is not None
    )


def _is_outer(node: Node) -> bool:
    """Whether a placeholder is outside the text: in a menu, a form, comments, other pages' cards."""
    tags = {place.tag for place in islice(node.iterancestors(), _TAG_LEVELS)}
    near = chain([node], islice(node.iterancestors(), _NAMED_LEVELS))
    return bool(tags & _OUTER_TAGS) or any(
        not _OUTER_NAMES.isdisjoint(tokens_of(place)) for place in near
    )


def _text_before(place: Node, nodes: Sequence[Node], sizes: dict[Node, int]) -> dict[Node, int]:
    """The characters of the text that precede each of these elements in the page of a place."""
    before = dict.fromkeys(nodes, 0)
    total = 0
    for node in place.getroottree().iter():
        if node in before:
            before[node] = total
        total += sizes.get(node, 0)
    return before


def _share_around(node: Node, sizes: dict[Node, int]) -> int:
    """The most characters of the text in one of the elements close around this one."""
    around = islice(node.iterancestors(), _LEVELS)
    return max((sum(sizes.get(one, 0) for one in place.iter()) for place in around), default=0)
