"""Signs that text of a page is missing: it breaks off, ends at a paywall, has placeholders.

Nothing that was measured tells a whole page from one of which the extraction itself left out a
part, so that only what the page itself shows counts.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from sourcewright.base.text.words import count_words
from sourcewright.reading.html.blocks import Block
from sourcewright.reading.html.document import MAX_CHARACTERS, AttributeIndex, Node
from sourcewright.reading.html.features import PageHints, ends_sentence
from sourcewright.reading.html.structure.late_parts import has_late_part
from sourcewright.reading.readings import EmbeddedMetadata, Quality

_END = 3000
_CLOSED_TAGS = ("div", "article", "section", "main", "table")
"""Elements whose end tags may not be omitted."""
_WALL_LIST = (
    # English
    (
        r"(?:subscribe|sign[ -]?(?:in|up)|log ?in|register|join|become a (?:member|subscriber)"
        r"|create an? (?:free )?account)[^.!?]{0,40}\bto (?:continue reading|keep reading|read (?:on|more|the|this)|unlock)\b"
        r"|(?<!scroll )\bto (?:continue|keep|finish) reading\b|\bcontinue reading (?:this|the|with|for)\b"
        r"|\bto read the (?:full|rest|whole|entire)(?: of)?(?: the| this)? (?:article|story)\b|\bunlock (?:this|the|full) (?:article|story|post)"
        r"|(?:article|story|content|post|page) is (?:only |exclusively )?(?:for|available to|reserved for"
        r"|exclusive to) [^.!?]{0,30}(?:subscriber|member)|\bsubscribers?[ -]only\b"
        r"|your (?:monthly )?(?:limit of )?free (?:article|stor)|free articles? (?:left|remaining)"
        r"|already a(?: paid)? (?:subscriber|member)\?"
    ),
    # German
    (
        r"(?:nur|exklusiv) für (?:\w{1,20} )?(?:abonnent|mitglied)|weiterlesen mit|um weiterzulesen"
        r"|(?:bereits|schon) (?:abonnent|abonniert)|mit (?:dem |einem )?(?:digital-?|plus-?)?abo (?:weiter|lesen)"
    ),
    # French
    (
        r"réservée?s? (?:aux|à nos) (?:abonné|membre)|il vous reste [\d,\s]{1,6}%|pour lire la suite"
        r"|déjà abonné|abonnez-vous pour"
    ),
    # Spanish, Portuguese, Italian
    (
        r"(?:exclusivo|solo|reservado|disponible) para (?:\w{1,12} )?(?:suscriptor|abonad|socio|assinante)"
        r"|(?:suscr[ií]b\w{1,6}|reg[ií]str\w{1,6}|assine|cadastre-se) para (?:seguir|continuar|leer|ler)"
        r"|para (?:seguir|continuar) (?:leyendo|lendo)|ya eres suscriptor|já é assinante"
        r"|riservat[oi] agli abbonati|abbonati per|per continuare a leggere|sei già abbonato"
    ),
    # Dutch, Nordic, Russian, Japanese, Chinese, Korean
    (
        r"alleen voor abonnees|om verder te lezen|al abonnee\?|för prenumeranter|for abonnenter"
        r"|только для подписчиков|чтобы (?:про)?читать (?:дальше|полностью)"
        r"|会員限定|有料会員|続きを読むには|订阅后|付费阅读|登录后(?:阅读|查看)|會員專屬|구독자 전용"
    ),
)
_WALL = re.compile("|".join(_WALL_LIST), re.IGNORECASE)
_WALL_STEMS = (
    *("continue reading", "keep reading", "finish reading", "to read ", "unlock", "subscriber"),
    *("member", "free article", "free stor", "abonn", "mitglied", "weiterlesen mit"),
    *("um weiterzulesen", "abo weiter", "abo lesen", "réserv", "il vous reste"),
    *("pour lire la suite", "suscriptor", "abonad", "socio", "assin", "para seguir"),
    *("para continuar", "para leer", "para ler", "abbonat", "per continuare a leggere"),
    *("om verder te lezen", "prenumerant", "для подписчиков", "читать", "会員限定", "有料会員"),
    *("続きを読むには", "订阅后", "付费阅读", "登录后", "會員專屬", "구독자"),
)
"""Parts of texts in lower case, of which every text that the pattern matches has one."""
_MAX_WALL_LINE = 400
_WALL_DISTANCE = 6
"""Blocks after the text in which a paywall is looked for."""
_NOT_FREE = re.compile(
    r"\"isAccessibleForFree\"\s{0,9}:\s{0,9}\"?(?:https?://schema.org/)?false", re.IGNORECASE
)
_TEASER_WORDS = 250
_PLACEHOLDER = re.compile(
    r"(?<![a-z])(?:skeleton|shimmer|placeholder-glow|content-placeholder|lazy-content)",
    re.IGNORECASE,
)
_PENDING = (("aria-busy", "true"), ("hx-trigger", "revealed"), ("hx-trigger", "load"))
_PLACEHOLDER_TEXT, _MAX_PLACEHOLDERS = 30, 200
_MIN_PARAGRAPH = 15
_NEAR = 2
"""Levels between a paragraph or a placeholder and what contains both."""
_MOUNTS = frozenset(
    ("root", "app", "__next", "__nuxt", "main-app", "app-root", "q-app", "svelte", "___gatsby")
)
_SHELL_CHARACTERS = 2000


def quality_of(
    markup: str,
    blocks: Sequence[Block],
    selected: Sequence[bool],
    index: AttributeIndex,
    embedded: EmbeddedMetadata | None,
    hints: PageHints,
) -> Quality:
    """Partial if the page shows that text is missing."""
    selection = [block for block, keep in zip(blocks, selected, strict=True) if keep]
    is_partial = (
        _breaks_off(markup)
        or _has_wall(blocks, selected)
        or _is_teaser(selection, embedded)
        or (_has_late_text(blocks, selected, index) and _may_go_on(selection, hints))
        or _is_app_shell(selection, index)
    )
    return "partial" if is_partial else "complete"


def _breaks_off(markup: str) -> bool:
    """Whether the markup ends in the middle of a text, with elements open."""
    end = markup[-_END:].rstrip().lower()
    if len(markup) > MAX_CHARACTERS or end.endswith(">") or "</body" in end or "</html" in end:
        return False
    lower = markup.lower()
    return any(lower.count(f"<{tag}") > lower.count(f"</{tag}") for tag in _CLOSED_TAGS)


def _has_wall(blocks: Sequence[Block], selected: Sequence[bool]) -> bool:
    """Whether a request to subscribe or to sign in to read on interrupts or follows the text."""
    places = [at for at, keep in enumerate(selected) if keep]
    around = blocks[places[0] + 1 : places[-1] + 1 + _WALL_DISTANCE] if places else ()
    return asks_to_subscribe(block.text for block in around)


def asks_to_subscribe(texts: Iterable[str]) -> bool:
    """Whether one of these texts, if it is short, asks to subscribe or to sign in to read on."""
    lines = [text for text in texts if len(text) <= _MAX_WALL_LINE]
    page = "\n".join(lines).lower()
    # The pattern takes longer than all other signs together, and most pages have no such text.
    stems = [stem for stem in _WALL_STEMS if stem in page]
    return bool(stems) and any(
        _WALL.search(line) for line in lines if any(stem in line.lower() for stem in stems)
    )


def _is_teaser(selection: Sequence[Block], embedded: EmbeddedMetadata | None) -> bool:
    """Whether a page that is not free shows little of its text."""
    is_free = not any(_NOT_FREE.search(block) for block in (embedded.json_ld if embedded else ()))
    return not is_free and sum(count_words(block.text) for block in selection) < _TEASER_WORDS


def _may_go_on(selection: Sequence[Block], hints: PageHints) -> bool:
    """Whether it is prose, and no product or thread: what lists load late is seldom their text."""
    if hints.declares_other:
        return False
    sentences = (block for block in _paragraphs(selection) if ends_sentence(block.text))
    return 2 * _characters(sentences) >= _characters(selection)


def _characters(blocks: Iterable[Block]) -> int:
    return sum(len(block.text) for block in blocks)


def _paragraphs(selection: Sequence[Block]) -> list[Block]:
    return [block for block in selection if count_words(block.text) >= _MIN_PARAGRAPH]


def _has_late_text(
    blocks: Sequence[Block], selected: Sequence[bool], index: AttributeIndex
) -> bool:
    """Whether a part of the text is loaded late."""
    selection = [block for block, keep in zip(blocks, selected, strict=True) if keep]
    return _has_placeholder(selection, index) or has_late_part(blocks, selected, index)


def _has_placeholder(selection: Sequence[Block], index: AttributeIndex) -> bool:
    """Whether an empty placeholder stands beside the paragraphs."""
    paragraphs = _paragraphs(selection)
    if not paragraphs:
        return False
    places = {place for block in paragraphs for place in _enclosing(block.place.node)}
    classed = (node for _, node in index.where("class", _PLACEHOLDER.search))
    pending = (node for name, value in _PENDING for _, node in index.where(name, value.__eq__))
    return any(
        len(node.text_content().strip()) < _PLACEHOLDER_TEXT
        and not places.isdisjoint(_enclosing(node))
        for node in islice(chain(classed, pending), _MAX_PLACEHOLDERS)
    )


def _enclosing(node: Node) -> Iterator[Node]:
    return islice(node.iterancestors(), _NEAR)


def _is_app_shell(selection: Sequence[Block], index: AttributeIndex) -> bool:
    """Whether there is little text and the element that scripts fill is empty."""
    if sum(len(block.text) for block in selection) > _SHELL_CHARACTERS:
        return False
    mounts = index.where("id", _MOUNTS.__contains__)
    return any(not node.text_content().strip() for _, node in mounts)
