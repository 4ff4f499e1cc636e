"""Labels of dates in bylines: published, modified, or of something else than the page."""

import re

from sourcewright.base.text.prose_dates import find_date
from sourcewright.reading.html.document import Node

_MODIFIED_WORDS = (
    r"updat|modif|revised?\b|revision|\breviewed|last review|edited|accessed|aktualisiert|geändert"
    r"|mis à jour|modifié|actualiz|atualiz|aggiornat|bijgewerkt|uppdater|oppdater|opdater"
    r"|päivitetty|zaktualiz|aktualizov|frissítve|güncelle|обновл|измен|оновл|ενημέρωσ|تحديث|به.?روز"
    r"|แก้ไข|cập nhật|更新|修改|修訂|최종|수정"
)
_MODIFIED = re.compile(_MODIFIED_WORDS, re.IGNORECASE)
_PUBLISHED = re.compile(
    r"publish|posted|veröffentlicht|erschienen|publi[ée]|publicad|pubblicat|gepubliceerd|publicerad"
    r"|publisert|julkaistu|opublikowan|publikov|yay\u0131n|опубл|δημοσ|نشر|เผยแพร่|đăng|发布|發布|公開|投稿|掲載"
    r"|입력|등록|게시",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\bjoined|registered|member since|copyright|©|\bexpire|deadline|\buntil\b|\bbegins?\b|\bstarts?\b"
    r"|\bends?\b|\bborn\b|\bsince\b|\best\.|\bfounded|\bversion\b|(?<!press )(?<!news )\brelease\b|\bdue\b"
    r"|\bsale\b|\boffers?\b|\bevents?\b|\bvalid\b",
    re.IGNORECASE,
)
_LABEL = re.compile(
    f"(?P<published>{_PUBLISHED.pattern})|(?P<modified>{_MODIFIED_WORDS})", re.IGNORECASE
)
_VERSION_CLASS = re.compile(r"(?<![\w-])version(?![\w-])", re.IGNORECASE)
_PUBLISHED_CLASS = re.compile(r"(?<![a-z])(?:dt-)?published(?![a-z])", re.IGNORECASE)


def is_other_date(text: str, node: Node) -> bool:
    """Whether the date in a text is that of a change, or of something else than the page."""
    is_version = bool(_VERSION_CLASS.search(node.get("class") or ""))
    is_other = bool(_MODIFIED.search(text) or _OTHER.search(text))
    return is_version or is_other or _is_modified_class(node)


def _is_modified_class(node: Node) -> bool:
    """Whether names say "modified", and not "published" too, as for a post never changed."""
    parent = node.getparent()
    own, around = (
        (node.get("class") or ""),
        (parent.get("class") or "" if parent is not None else ""),
    )
    if _PUBLISHED_CLASS.search(own):
        return False
    return bool(_MODIFIED.search(f"{own} {around}"))


def is_published_date(text: str) -> bool:
    """Whether a text says itself that its date is that of publication."""
    return bool(_PUBLISHED.search(text)) and bool(find_date(text))


def published_part(text: str) -> str:
    """The part of a line with two dates that is about publication; else the line.

    `Published 9 March 2020 | Updated 10 May 2021` has the date of publication first, and
    `9 March 2020, updated 10 May 2021` has it before the only label.
    """
    labels = [*_LABEL.finditer(text)]
    starts = [label.start() for label in labels]
    parts = [
        (label.lastgroup, text[start:end])
        for label, start, end in zip(labels, starts, [*starts, len(text)][1:], strict=True)
    ]
    if not any(kind == "modified" and find_date(part) for kind, part in parts):
        return text
    published = [part for kind, part in parts if kind == "published" and find_date(part)]
    first = text[: starts[0]]
    return published[0] if published else (first if find_date(first) else text)
