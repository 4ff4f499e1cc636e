"""Ligatures that a font does not name: known by the words that they complete.

Fonts of text such as Linux Libertine have them at codes of their own choice, so that only common
words tell which code is which.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from sourcewright.reading.formats.pdf.spans import Span
from sourcewright.reading.layout.words import MATH

_CODE = re.compile("[\x0b\x0c\x0e\x0f\x1b-\x1f]")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_LONGEST = 60
_WORDS: Mapping[str, re.Pattern[str]] = {
    "fi": re.compile(
        r"first|find|field|file|final|defin|specif|signifi|figure|fixed|finit|config|benefi|identifi"
        r"|classifi|scientifi|verifi|modifi|profil|artifi|confirm|confid|grafi|fichier|\bfin"
    ),
    "ff": re.compile(
        r"differ|effect|effort|\boff\b|offer|affect|afford|staff|buffer|suffer|offen|hoff|treff"
        r"|schaff|stoff|diff\u00e9r|effet|betreff"
    ),
    "fl": re.compile(
        r"flow|influ|reflect|flat|fluid|flexi|float|conflict|floor|\bflux|inflat|flie|pflicht"
        r"|fl\u00e4che|r\u00e9fl|flag|flight"
    ),
    "ffi": re.compile(r"offic|effici|difficult|coeffici|suffici|suffix|affili|traffic|offizi"),
    "ffl": re.compile(r"shuffl|baffl|offlin|waffl|affluent|raffl"),
}
"""Parts of common words in English, German and French, by the ligature that they have."""


class Ligatures:
    """The ligatures of the fonts of one document, as far as its words tell them."""

    def __init__(self) -> None:
        self._votes: dict[tuple[int, str], Counter[str]] = {}

    def restored(self, spans: Sequence[Span]) -> Sequence[Span]:
        """Spans with the letters of the ligatures that are known so far."""
        places = [at for at, span in enumerate(spans) if _CODE.search(span.text)]
        if not places:
            return spans
        for at in places:
            self._vote(spans[at])
        restored = list(spans)
        for at in places:
            restored[at] = self._restored_span(spans[at])
        return restored

    def _vote(self, span: Span) -> None:
        codes = set(_CODE.findall(span.text[:_LONGEST]))
        if len(codes) != 1 or span.run.style & MATH:
            return
        code = codes.pop()
        word = span.text[:_LONGEST].casefold()
        for ligature, pattern in _WORDS.items():
            if pattern.search(word.replace(code, ligature)) and not pattern.search(word):
                self._votes.setdefault((span.run.font, code), Counter())[ligature] += 1

    def _restored_span(self, span: Span) -> Span:
        if span.run.style & MATH or not _LETTERS.search(span.text):
            return span
        return span._replace(
            text=_CODE.sub(lambda match: self._meaning(span.run.font, match[0]), span.text)
        )

    def _meaning(self, font: int, code: str) -> str:
        """The ligature that most words need at a code; the code if no word tells."""
        votes = self._votes.get((font, code)) or sum(
            (one for (_, other), one in self._votes.items() if other == code), Counter()
        )
        return votes.most_common(1)[0][0] if votes else code
