"""Debris of a page: dialogs, cookie consent, text for screen readers, data for scripts, unrendered shortcodes."""

import re
from collections.abc import Iterable, Sequence
from itertools import compress, islice

from sourcewright.base.text.consent import consent_ideas
from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.document import Node
from sourcewright.reading.html.position import is_in, self_and_ancestors
from sourcewright.reading.html.selection.body import Selection

_SCREEN_READER_CLASSES = frozenset(
    (
        *(
            "visually-hidden",
            "visuallyhidden",
            "sr-only",
            "screen-reader-text",
            "show-for-sr",
        ),
        *("screen-reader-only", "screenreader-only", "a11y-hidden", "assistive-text"),
    )
)
"""Class names, common to many frameworks, of text that is not displayed."""
_HIDDEN_CLASSES = frozenset(("hidden", "hide", "is-hidden", "d-none", "js-hidden"))
_RESPONSIVE = re.compile(r"(?:^|\s)(?:\w+:|d-(?:sm|md|lg|xl|xxl)-|(?:sm|md|lg|xl)-)")
"""A class that displays an element on some screens."""
_DIALOG_ROLES = frozenset(("dialog", "alertdialog"))
_MAX_SHARE = 0.25
"""What has more of the text is the text itself, displayed by a script."""
_MAX_IDEA_TEXT = {True: 350, False: 150}
"""Characters for each idea of a notice that is beside the whole page, and of others: it says
nothing else."""
_MAX_NOTICE, _MAX_NOTICE_TEXTS, _MAX_NOTICE_SHARE = 4000, 400, 0.5
_TEXT_TAGS = frozenset(("article", "main", "body"))
_IMAGE_URL = re.compile(
    r"(?:https?:)?//\S+\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]\S*)?", re.IGNORECASE
)
_MIN_IMAGE_URLS = 5
_MARKUP = re.compile(r"</?[a-zA-Z][^<>]{0,5000}>")


def debris_in(page: Selection, *, is_article: bool) -> set[int]:
    """Positions of kept blocks that are not displayed, or are not meant for a reader."""
    places = [at for at, keep in enumerate(page.kept) if keep]
    dropped = {at for at in places if is_data(page.blocks[at])} | _missing_images(page)
    hidden: dict[Container, bool] = {}
    positions: dict[Container, list[int]] = {}
    for at in places:
        for place in self_and_ancestors(page.blocks[at].place):
            if place not in hidden:
                hidden[place] = _is_hidden(place, is_article=is_article)
            if hidden[place]:
                positions.setdefault(place, []).append(at)
    dropped |= _consent_notice(page)
    for inside in positions.values():
        if page.size(inside) <= _MAX_SHARE * page.characters:
            dropped.update(inside)
    return dropped


def _is_hidden(place: Container, *, is_article: bool) -> bool:
    """Whether role or class names say that it is not displayed with the page."""
    node = place.node
    if is_dialog(node):
        return True
    names = node.get("class") or ""
    classes = names.split()
    if not _SCREEN_READER_CLASSES.isdisjoint(classes):
        return True
    # On other pages such elements are often panels that a reader opens.
    return (
        is_article
        and not _HIDDEN_CLASSES.isdisjoint(classes)
        and _RESPONSIVE.search(names) is None
    )


def _consent_notice(page: Selection) -> set[int]:
    """Positions in elements that ask for consent to cookies, beside other paragraphs."""
    asks: dict[Container, bool] = {}
    mentions = [block for block in compress(page.blocks, page.kept) if "ookie" in block.text]
    around = [places for block in mentions if (places := _notices_around(block, asks))]
    if not around:
        return set()
    for notices in ({places[-1] for places in around}, {places[0] for places in around}):
        nodes = {place.node for place in notices}
        inside = {
            at for at, keep in enumerate(page.kept) if keep and is_in(page.blocks[at].place, nodes)
        }
        # Only what is beside the whole page is surely not its text.
        most = 1.0 if all(place.depth == 1 for place in notices) else _MAX_NOTICE_SHARE
        if any(at not in inside for at in page.paragraphs) and page.at_most(inside, most):
            return inside
    return set()


def _notices_around(block: Block, asks: dict[Container, bool]) -> list[Container]:
    """The elements around it that ask for consent, the nearest first."""
    places = list[Container]()
    for place in self_and_ancestors(block.place):
        if place.characters > _MAX_NOTICE or place.tag in _TEXT_TAGS:
            break
        if place not in asks:
            asks[place] = _asks_for_consent(place)
        if asks[place]:
            places.append(place)
    return places


def _asks_for_consent(place: Container) -> bool:
    """Whether its text does, and it has a button or is a child of the page's body."""
    is_apart = place.depth == 1
    if not is_apart and next(place.node.iter("button"), None) is None:
        return False
    texts = islice(place.node.itertext(), _MAX_NOTICE_TEXTS)
    ideas = consent_ideas(" ".join(text[:_MAX_NOTICE] for text in texts))
    return 0 < place.characters < _MAX_IDEA_TEXT[is_apart] * ideas


def is_dialog(node: Node) -> bool:
    """Whether ARIA says that it is a dialog."""
    return node.get("role") in _DIALOG_ROLES or node.get("aria-modal") == "true"


def is_data(block: Block) -> bool:
    """Whether it is JSON for a script, or markup that was escaped inside `noscript`."""
    text = block.text
    if block.form or not text:
        return False
    if text[0] in "{[" and text[-1] in "}]":
        return '":' in text and "".join(text.split()).startswith(('{"', '[{"', '["'))
    return (
        text[0] == "<"
        and any(place.tag == "noscript" for place in self_and_ancestors(block.place))
        and bool(_MARKUP.match(text))
    )


def _missing_images(page: Selection) -> set[int]:
    """Positions of images that a script has yet to load: there is no address of them.

    Where the alternative text is that of a block which is not kept, it stands for that block.
    """
    missing = {
        at: alternative
        for at, block in enumerate(page.blocks)
        if page.kept[at] and block.image and (alternative := _alternative_text(block)) is not None
    }
    if not missing:
        return set()
    left_out = {block.text for block, keep in zip(page.blocks, page.kept, strict=True) if not keep}
    return {at for at, alternative in missing.items() if alternative not in left_out}


def _alternative_text(block: Block) -> str | None:
    """The alternative text of images without an address; None if one has an address."""
    images = [run for run in block.runs if run.style == "img"]
    if any(run.href and not run.href.startswith("data:") for run in images):
        return None
    return " ".join(run.text for run in images)


def image_urls(page: Selection) -> set[int]:
    """Positions of kept URLs of images, as in a list of fields for scripts, and of their names."""
    urls = {
        at
        for at, block in enumerate(page.blocks)
        if page.kept[at] and not (block.linked or block.form) and _IMAGE_URL.fullmatch(block.text)
    }
    if len(urls) < _MIN_IMAGE_URLS:
        return set()
    tags = [block.place.tag for block in page.blocks]
    return urls | {at - 1 for at in urls if at and (tags[at - 1], tags[at]) == ("dt", "dd")}


_CLOSING = re.compile(r"\[/([a-z][a-z0-9]{0,30}(?:[_-][a-z0-9]{1,30}){0,8})\]")
_ATTRIBUTES = re.compile(
    r"\[([a-z][a-z0-9]{0,30}(?:[_-][a-z0-9]{1,30}){0,8}) [\w-]{1,40}=[\"'\u201c\u201d\u2033]"
)


def strip_shortcodes(blocks: Sequence[Block]) -> None:
    """Remove the shortcodes of a content management system that were left in the text.

    A name counts if it is closed somewhere on the page and has several parts, or has attributes
    somewhere. Code is left as it is.
    """
    names = _shortcode_names(block.text for block in blocks if not block.form)
    if not names:
        return
    shortcode = re.compile(rf"\[/?(?:{'|'.join(sorted(map(re.escape, names)))})(?: [^\[\]]*)?/?\]")
    for block in blocks:
        if "[" in block.text and not block.form:
            for run in block.runs:
                if run.style != "c":
                    run.text = shortcode.sub("", run.text)
            words = (run.text for run in block.runs if run.style != "img")
            block.text = " ".join("".join(words).split())


def _shortcode_names(texts: Iterable[str]) -> set[str]:
    closed, attributed = set[str](), set[str]()
    for text in texts:
        if "[" in text:
            closed.update(_CLOSING.findall(text))
            attributed.update(_ATTRIBUTES.findall(text))
    return attributed | {name for name in closed if "_" in name or "-" in name}
