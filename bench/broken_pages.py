"""Pages of which text is missing, made from whole ones: cut off, walled, unfilled, loaded late."""

import re
from random import Random
from typing import Any

from lxml import etree
from lxml import html as markup

from late_parts import KNOWN_FORMS, OTHER_FORMS

KINDS = ("cut off", "paywall", "app shell", "loaded late", "loaded late, other forms")
WALLS = (
    (
        '<div class="paywall"><h2>Subscribe to continue reading</h2><p>This article is for subscribers '
        "only. Already a subscriber? Sign in.</p></div>"
    ),
    (
        '<div class="c-offer"><h3>Weiterlesen mit dem Abo</h3><p>Dieser Artikel ist nur für Abonnenten.'
        "</p></div>"
    ),
    (
        "<section><p>Il vous reste 78 % de cet article à lire. La suite est réservée aux abonnés.</p>"
        "</section>"
    ),
    "<div><p>To read the full story, create a free account or log in.</p></div>",
    "<div><p>Este contenido es exclusivo para suscriptores. Suscríbete para seguir leyendo.</p></div>",
    "<div><p>You have reached your limit of free articles. Unlock this story.</p></div>",
)
SHELL = (
    "<noscript>You need to enable JavaScript to run this app.</noscript>"
    '<div id="root"></div><script src="/app.js"></script>'
)
_PIECES = {
    "paywall": WALLS,
    "loaded late": KNOWN_FORMS,
    "loaded late, other forms": OTHER_FORMS,
}
_WORD = re.compile(r"\w+")
_KEPT_TAGS = frozenset(("header", "nav", "footer", "script", "link", "noscript"))
_TEXT_TAGS = ("p", "li", "h2", "h3", "h4", "pre", "blockquote", "td", "dd")


def broken(kind: str, page: str, truth: str, random: Random) -> str | None:
    """The page without 40 to 90 % of its text; None if it has too few paragraphs for that."""
    root = markup.document_fromstring(page.encode(), parser=markup.HTMLParser(encoding="utf-8"))
    paragraphs = _paragraphs(root, truth)
    lost = _lost(paragraphs, random.uniform(0.1, 0.6))
    if len(paragraphs) < 6 or len(lost) < 2:
        return None
    if kind == "cut off":
        return _cut(page, lost[0].text or "")
    if kind == "app shell":
        _empty(root.find("body"))
    else:
        _replace(lost, random.choice(_PIECES[kind]))
    return str(markup.tostring(root, encoding="unicode", doctype="<!DOCTYPE html>"))


def _paragraphs(root: Any, truth: str) -> list[Any]:
    """The elements whose text is known to be content."""
    known = " ".join(_WORD.findall(truth.lower()))
    found = []
    for element in root.iter(*_TEXT_TAGS):
        words = _WORD.findall(element.text_content().lower())
        if len(words) >= 5 and " ".join(words[:8]) in known:
            found.append(element)
    return found


def _lost(paragraphs: list[Any], kept_share: float) -> list[Any]:
    sizes = [len(one.text_content()) for one in paragraphs]
    kept = 0
    for at, size in enumerate(sizes, start=1):
        kept += size
        if kept >= kept_share * sum(sizes):
            return paragraphs[at:]
    return []


def _cut(page: str, text: str) -> str | None:
    """The page up to the middle of this text."""
    piece = max((part.strip() for part in re.split(r"[<>&\n]", text)), key=len)
    at = page.find(piece) if len(piece) > 20 else -1
    return page[: at + len(piece) // 2] if at >= 0 else None


def _empty(body: Any) -> None:
    for child in [*body]:
        if child.tag not in _KEPT_TAGS:
            body.remove(child)
    body.insert(0, markup.fragment_fromstring(SHELL, create_parent="div"))


def _replace(lost: list[Any], piece: str) -> None:
    """Put a piece of markup where the first of these elements is, and remove them all."""
    lost[0].addprevious(markup.fragment_fromstring(piece, create_parent="div"))
    for element in lost:
        if element.getparent() is not None:
            etree.strip_tags(element, etree.Comment)
            element.drop_tree()
