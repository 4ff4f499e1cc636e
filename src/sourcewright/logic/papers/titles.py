"""Titles with their subtitles, which sources store separately: "Title: Subtitle"."""

import unicodedata

_END_PUNCTUATION = tuple(":?!.;-\u2013\u2014\u2026\uff1a\uff1f\u3002")
"""Punctuation after which a subtitle needs no colon."""


def full_title(title: str | None, subtitle: str | None) -> str | None:
    """The title as it is cited; a subtitle that the title already ends with is not repeated."""
    if not title or not subtitle:
        return title or subtitle
    if _folded_letters(title).endswith(_folded_letters(subtitle)):
        return title
    return f"{title} {subtitle}" if title.endswith(_END_PUNCTUATION) else f"{title}: {subtitle}"


def is_title_with_subtitle(short: str, full: str) -> bool:
    """Whether `full` is `short` followed by a subtitle."""
    head, rest = full[: len(short)], full[len(short) :].lstrip()
    return head == short and (
        rest.startswith(_END_PUNCTUATION) or (bool(rest) and short.endswith(_END_PUNCTUATION))
    )


def _folded_letters(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in folded if character.isalnum())
