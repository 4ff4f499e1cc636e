"""Titles with their subtitles, which sources store separately: "Title: Subtitle"."""

import re
import unicodedata

_END_PUNCTUATION = tuple(":?!.;-\u2013\u2014\u2026\uff1a\uff1f\u3002")
"""Punctuation after which a subtitle needs no colon."""
_WORD = re.compile(r"\w+\.?")
_RUNNING_WORDS = 3
"""A subtitle of fewer words may repeat one of the title by chance."""


def full_title(title: str | None, subtitle: str | None) -> str | None:
    """The title as it is cited; a subtitle that adds nothing to the title is left out.

    That is one that the title already ends with, or the running title of the pages, which Wiley
    registers as a subtitle.
    """
    if not title or not subtitle:
        return title or subtitle
    if _folded_letters(title).endswith(_folded_letters(subtitle)) or _shortens(subtitle, title):
        return title
    return f"{title} {subtitle}" if title.endswith(_END_PUNCTUATION) else f"{title}: {subtitle}"


def is_title_with_subtitle(short: str, full: str) -> bool:
    """Whether `full` is `short` followed by a subtitle."""
    head, rest = full[: len(short)], full[len(short) :].lstrip()
    return head == short and (
        rest.startswith(_END_PUNCTUATION) or (bool(rest) and short.endswith(_END_PUNCTUATION))
    )


def _shortens(short: str, full: str) -> bool:
    """Whether all words of a text stand in another one, in order, some of them abbreviated."""
    words = iter(_WORD.findall(full.casefold()))
    parts = _WORD.findall(short.casefold())
    return len(parts) >= _RUNNING_WORDS and all(
        any(_is_word(one, word) for word in words) for one in parts
    )


def _is_word(short: str, word: str) -> bool:
    is_cut = short.endswith(".")
    return word.startswith(short[:-1]) if is_cut else word.rstrip(".") == short


def _folded_letters(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in folded if character.isalnum())
