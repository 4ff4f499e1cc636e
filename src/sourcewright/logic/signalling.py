"""The sentence of a short text that is closest to a claim: a signal where to look, no verdict."""

import re

from sourcewright.logic.seeking import UNSPACED, folded

_CLOSERS = "\"'\u201d\u2019\u00bb\u300d\u300f\uff09)\\]"
_END = re.compile(
    # Latin, Greek, Cyrillic, Arabic, Hebrew; each run of marks is looked at once, from its start.
    rf"(?<![.\u2026])(?P<stop>[.\u2026]++)[{_CLOSERS}]*+(?=\s)"
    rf"|(?<![!?\u2026\u061f\u06d4.])[!?\u2026\u061f\u06d4.]++[{_CLOSERS}]*+(?=\s)"
    # Scripts whose full stops end a sentence without a blank: CJK, Indic, Armenian, Ethiopic,
    # Burmese, Khmer, Tibetan
    rf"|[\u3002\uff01\uff1f\uff0e\uff61\u0964\u0965\u0589\u1362\u104b\u17d4\u0f0d]+[{_CLOSERS}]*"
    r"|\n+"
)
_ABBREVIATED = re.compile(
    r"(?:^|[\s(\[])(?:[^\W\d_]|al|approx|art|bzw|ca|cf|ch|co|corp|dept|dr|ed|eds|eq|esp|etc|ex|fig"
    r"|figs|inc|jr|ltd|max|min|mr|mrs|ms|mt|no|nos|nr|op|p|pp|prof|ref|refs|sec|sr|st|tab|vgl|viz"
    r"|vol|vs|[^\W\d_]\.[^\W\d_])\.$",
    re.IGNORECASE,
)
_TERM = re.compile(rf"\d+(?:[.,]\d+)*|[{UNSPACED}]+|(?:(?![{UNSPACED}])[^\W\d_])+")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_ENDINGS = ("ing", "ed", "es", "s")
_NUMBER_WORTH = 2.5
"""A number that recurs says more than a word that does."""
_LEAST_LETTERS = 3
_LONGEST_LOOK_BACK = 12

# Words that any sentence may have, of some languages that are written with blanks.
_COMMON = """
about after all also and any are been but can could did does for from had has have how into
its may more most not our over such than that the their them then there these they this those
was were what when which who will with would you your
aber als auch auf aus bei dass dem den der des durch ein eine einem einen einer eines für hat
ist mit nach nicht noch oder sich sind über und von vor wie wird zum zur
aux avec ces cette dans elle elles est être les leur mais nous par pas plus pour que qui sont
sur une vous
como con del ella ellos entre era esta este las los más muy para pero por según sin sus también
una uno
che come dei del della delle gli nel nella non per più sono
ao com das dos ele ela em mais mas na nas nos não pela pelo quando são seu sua um uma
aan bij dan dat een het naar niet ook voor werd worden zijn
без был была были для или как который они при так что это
"""
_STOP_WORDS = frozenset(folded(_COMMON).split())


def signal_in(text: str, claim: str) -> str:
    """The sentence that shares most with the claim; empty when none shares anything."""
    wanted = terms_in(claim)
    scored = [(_score(terms_in(sentence), wanted), sentence) for sentence in sentences_of(text)]
    best, sentence = max(scored, key=lambda one: one[0], default=(0.0, ""))
    return sentence if best > 0 else ""


def sentences_of(text: str) -> list[str]:
    """The sentences of a text as they stand in it, in any script that marks their ends."""
    sentences: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if end["stop"] and _goes_on(text, start, end):
            continue
        sentences.append(text[start : end.end()].strip())
        start = end.end()
    return [one for one in (*sentences, text[start:].strip()) if one]


def _goes_on(text: str, start: int, stop: re.Match[str]) -> bool:
    """Whether a stop ends no more than an abbreviation, or a small letter follows."""
    before = text[max(start, stop.start() - _LONGEST_LOOK_BACK) : stop.end("stop")]
    following = text[stop.end() : stop.end() + 2].strip()
    return bool(_ABBREVIATED.search(before)) or following[:1].islower()


def _score(found: set[str], wanted: set[str]) -> float:
    shared = found & wanted
    return sum(_NUMBER_WORTH if term[0].isdigit() else 1.0 for term in shared)


def terms_in(text: str) -> set[str]:
    """What is compared: word stems, numbers whole, and pairs where words are not spaced."""
    terms: set[str] = set()
    for word in _TERM.findall(folded(text)):
        if word[0].isdigit():
            terms.add(_number(word))
        elif _UNSPACED.match(word):
            terms |= {word[at : at + 2] for at in range(max(1, len(word) - 1))}
        elif len(word) >= _LEAST_LETTERS and word not in _STOP_WORDS:
            terms.add(_stem(word))
    return terms


def _number(word: str) -> str:
    """In one spelling: `1,200` is 1200, and `3,5` is 3.5, in the digits of any script."""
    plain = "".join(str(int(sign)) if sign.isdecimal() else sign for sign in word)
    return plain.replace(",", "" if _GROUPED.fullmatch(plain) else ".")


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_LETTERS:
            return word.removesuffix(ending)
    return word
