"""Guesses the encoding of bytes that are not UTF-8, by the letters that their language uses most.

Western European text is not guessed at: its letters stand alone among ASCII ones, and what is
usual there is the answer anyway.
"""

import re
from collections.abc import Callable, Mapping

_LOOK = 32 * 1024
"""Bytes that are looked at, from the first one that is not ASCII."""
_FEWEST, _FEWEST_AGAINST = 8, 60
_CERTAIN, _LIKELY = 0.5, 0.2
_ALONE = 1.6
"""Mean length of stretches beyond ASCII up to which they are accents rather than words."""
_ASCII = bytes(range(128))
_HIGH = re.compile(rb"[\x80-\xff]+")
_BROKEN = 0.01

_KANA = re.compile("[\u3041-\u3094\u30a1-\u30fa\u30fc]")
_BEYOND = re.compile("[^\x00-\x7f]")


def _often(letters: str, share: float) -> Callable[[str, int], float]:
    """How far the letters that make up such a share of the language's text do so here."""
    pattern = re.compile(f"[{letters}]")
    return lambda text, size: len(pattern.findall(text)) / size / share


def _japanese(text: str, size: int) -> float:
    return len(_KANA.findall(text)) / size / 0.35


_CYRILLIC = _often("оеаинтсрвлкмдпу", 0.85)
_LANGUAGES: Mapping[str, Callable[[str, int], float]] = {
    "cp932": _japanese,
    "euc_jp": _japanese,
    "gb18030": _often(
        "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过"
        "发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心",
        0.3,
    ),
    "big5hkscs": _often(
        "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過"
        "發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心",
        0.3,
    ),
    "cp949": _often("이다는의에가을고한를지로은하서도기사인대어리자시부아해나여수정보들", 0.45),
    "cp1251": _CYRILLIC,
    "koi8-r": _CYRILLIC,
    "iso8859-5": _CYRILLIC,
    "cp866": _CYRILLIC,
    "cp1253": _often("αοιετνσςρηυκπμλ", 0.8),
    "cp1255": _often("יוהלאתרבשמנ", 0.85),
    "cp1256": _often("الينموترعدبسة", 0.8),
    "cp874": _often("านรอกเงวมยลทดส", 0.6),
}


def guess(body: bytes, said: str | None = None) -> str | None:
    """Python's codec for the bytes, or None where no other than the usual one is likely.

    What is said of them stands unless they are clearly something else.
    """
    first = _HIGH.search(body)
    sample = body[first.start() : first.start() + _LOOK] if first else b""
    high = len(sample.translate(None, _ASCII))
    fewest = _FEWEST if said is None else _FEWEST_AGAINST
    if high < fewest or high < _ALONE * len(_HIGH.findall(sample)):
        return None
    scores = {codec: _score(sample, codec) for codec in _LANGUAGES}
    if said is not None and scores.get(said, 0.0) >= _LIKELY:
        return said
    best = max(scores, key=lambda codec: scores[codec])
    return best if scores[best] >= _CERTAIN else None


def _score(sample: bytes, codec: str) -> float:
    text = sample.decode(codec, "replace")
    size = len(_BEYOND.findall(text))
    # The sample may end within a letter.
    if not size or text.count("\ufffd") - 1 > _BROKEN * size:
        return 0.0
    return _LANGUAGES[codec](text, size)
