"""Titles with their subtitles, which sources keep apart: "Title: Subtitle"."""

import unicodedata

_ENDS = tuple(":?!.;-\u2013\u2014\u2026\uff1a\uff1f\u3002")
"""Marks after which a subtitle needs no colon."""


def full_title(title: str | None, subtitle: str | None) -> str | None:
    """The title as it is cited; a subtitle that the title ends with already is not repeated."""
    if not title or not subtitle:
        return title or subtitle
    if _letters(title).endswith(_letters(subtitle)):
        return title
    return f"{title} {subtitle}" if title.endswith(_ENDS) else f"{title}: {subtitle}"


def is_completed(short: str, full: str) -> bool:
    """Whether one title is the other one with a subtitle after it."""
    head, rest = full[: len(short)], full[len(short) :].lstrip()
    return head == short and (rest.startswith(_ENDS) or (bool(rest) and short.endswith(_ENDS)))


def _letters(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in folded if character.isalnum())
