"""Charset detection and decoding: by BOM, by declaration, by statistics.

Never raises, and no lone half of a character and no NUL comes out.

Guesses the encoding of bytes that are not UTF-8, by the letters that their language uses most.
"""

import codecs
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


_HEAD = 4096
_PIECE = 64 * 1024
_SAMPLE, _WIDE, _LEGIBLE = 512, 0.4, 0.95
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LABELS = {
    "utf-8": "utf-8 utf8 unicode-1-1-utf-8 x-unicode20utf8",
    "utf-16-le": "utf-16 utf-16le unicode ucs-2 iso-10646-ucs-2 csunicode unicodefeff",
    "utf-16-be": "utf-16be unicodefffe",
    "cp1252": "windows-1252 cp1252 x-cp1252 iso-8859-1 iso8859-1 iso_8859-1 iso88591 latin1 latin-1"
    " l1 ascii us-ascii ansi_x3.4-1968 cp819 ibm819",
    "cp1250": "windows-1250 cp1250 x-cp1250",
    "cp1251": "windows-1251 cp1251 x-cp1251",
    "cp1253": "windows-1253 cp1253 x-cp1253",
    "cp1254": "windows-1254 cp1254 x-cp1254 iso-8859-9 iso8859-9 iso_8859-9 latin5 l5",
    "cp1255": "windows-1255 cp1255 x-cp1255",
    "cp1256": "windows-1256 cp1256 x-cp1256",
    "cp1257": "windows-1257 cp1257 x-cp1257",
    "cp1258": "windows-1258 cp1258 x-cp1258",
    "cp874": "windows-874 dos-874 iso-8859-11 iso8859-11 tis-620",
    "cp866": "ibm866 866 cp866 csibm866",
    "iso8859-2": "iso-8859-2 iso8859-2 iso_8859-2 latin2 l2",
    "iso8859-3": "iso-8859-3 iso8859-3 latin3 l3",
    "iso8859-4": "iso-8859-4 iso8859-4 latin4 l4",
    "iso8859-5": "iso-8859-5 iso8859-5 cyrillic",
    "iso8859-6": "iso-8859-6 iso8859-6 arabic iso-8859-6-e iso-8859-6-i",
    "iso8859-7": "iso-8859-7 iso8859-7 greek greek8",
    "iso8859-8": "iso-8859-8 iso8859-8 hebrew visual iso-8859-8-i iso-8859-8-e logical",
    "iso8859-10": "iso-8859-10 iso8859-10 latin6 l6",
    "iso8859-13": "iso-8859-13 iso8859-13",
    "iso8859-14": "iso-8859-14 iso8859-14",
    "iso8859-15": "iso-8859-15 iso8859-15 latin9 latin-9 l9",
    "iso8859-16": "iso-8859-16 iso8859-16",
    "koi8-r": "koi8-r koi koi8 koi8_r",
    "koi8-u": "koi8-u koi8-ru",
    "mac-roman": "macintosh mac x-mac-roman",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "gb18030": "gb18030 gb2312 gbk x-gbk chinese gb_2312-80 gb_2312 euc-cn cp936 ms936",
    "big5hkscs": "big5 big5-hkscs cn-big5 x-x-big5 csbig5",
    "euc_jp": "euc-jp x-euc-jp",
    "iso2022_jp": "iso-2022-jp csiso2022jp",
    "cp932": "shift_jis shift-jis sjis x-sjis ms_kanji windows-31j ms932 csshiftjis cp932",
    "cp949": "euc-kr euckr korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949 cp949",
}
"""Python's codec for what servers and pages say, as the Encoding Standard reads it."""
_CODECS = {label: codec for codec, labels in _LABELS.items() for label in labels.split()}
_LANGUAGES_BY_CODEC = {
    "cp1251": "ru uk be bg mk sr ky kk tg tt",
    "cp1250": "cs sk pl hu hr sl ro bs",
    "iso8859-7": "el",
    "cp1254": "tr az",
    "cp1255": "he",
    "cp1256": "ar fa ur",
    "cp1257": "et lt lv",
    "cp1258": "vi",
    "cp874": "th",
    "cp932": "ja",
    "cp949": "ko",
    "gb18030": "zh zh-cn zh-hans",
    "big5hkscs": "zh-tw zh-hk zh-hant",
}
_BY_LANGUAGE = {tag: codec for codec, tags in _LANGUAGES_BY_CODEC.items() for tag in tags.split()}

_PARAMETER = re.compile(r"""charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})""", re.IGNORECASE)
_META = re.compile(
    r"""<meta\b[^<>]{0,400}?\bcharset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})""", re.IGNORECASE
)
_DECLARED = re.compile(
    r"""<\?xml\b[^<>]{0,200}?\bencoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})""", re.IGNORECASE
)
_LANGUAGE = re.compile(
    r"""<html\b[^<>]{0,400}?\blang\s{0,9}=\s{0,9}["']?([a-z]{2,3}(?:-[a-z]{2,4})?)""",
    re.IGNORECASE,
)
_OF_EVERYTHING = ("utf-8", "cp1252")
_TOLERATED = 20
"""One broken sequence among so many sound ones is an accident in UTF-8, and no other encoding."""


def decode(body: bytes, *, content_type: str = "") -> str:
    """The text, by what the bytes are rather than by what is said of them where the two differ."""
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return _clean(_text(body[len(mark) :], codec))
    head = body[:_HEAD].decode("latin-1")
    said = _said(head, content_type)
    wide = wide_codec(body, said or "")
    if wide is not None:
        return _clean(_text(body, wide))
    if said == "iso2022_jp" or b"\x1b$B" in body[:_PIECE]:
        return _clean(_text(body, "iso2022_jp"))
    try:
        return _clean(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        # Some pages say it far behind their scripts; browsers start again then.
        said = said or _declared(body[:_PIECE].decode("latin-1"))
        codec = "utf-8" if _is_sound(body, error.start) else _other_than_utf8(said, head, body)
    return _clean(_text(body, codec))


def wide_codec(body: bytes, said: str = "") -> str | None:
    """Which UTF-16 the bytes are, by the zeros beside plain letters where no mark says it.

    Where a page is said to be UTF-16 it need not have plain letters.
    """
    sample = body[:_SAMPLE]
    if b"\x00" not in sample and not (said.startswith("utf-16") and b"\x00" in body[:_HEAD]):
        return None
    first, second = (sample[at::2].count(0) * 2 / len(sample) for at in (0, 1))
    likely = "utf-16-le" if second > first else "utf-16-be"
    if max(first, second) >= _WIDE and min(first, second) * 10 < max(first, second):
        text = sample[: len(sample) // 2 * 2].decode(likely, "replace")
        if sum(sign.isprintable() or sign.isspace() for sign in text) > _LEGIBLE * len(text):
            return likely
    return said if said.startswith("utf-16") else None


def charset_in(content_type: str) -> str | None:
    """Python's codec for the charset that a Content-Type names."""
    found = _PARAMETER.search(content_type[:500])
    return _CODECS.get(found[1].lower()) if found else None


def _said(head: str, content_type: str) -> str | None:
    """The header comes first; then what the document says, which UTF-16 could not say at all."""
    named = charset_in(content_type)
    if named is not None:
        return named
    return _declared(head)


def _declared(head: str) -> str | None:
    for pattern in (_META, _DECLARED):
        found = pattern.search(head)
        codec = _CODECS.get(found[1].lower()) if found else None
        if codec is not None:
            return "utf-8" if codec.startswith("utf-16") else codec
    return None


def _text(body: bytes, codec: str) -> str:
    """The text with a sign for what is broken, made in pieces so that other work goes on."""
    decoder = codecs.getincrementaldecoder(codec)("replace")
    pieces = [decoder.decode(body[at : at + _PIECE]) for at in range(0, len(body), _PIECE)]
    return "".join([*pieces, decoder.decode(b"", final=True)])


def _is_sound(body: bytes, at: int) -> bool:
    """Whether this is UTF-8, but for an accident or an end that was cut off.

    All is sound before `at`; what follows is judged by its beginning.
    """
    piece = body[at : at + _PIECE]
    text = piece.decode("utf-8", "replace")
    broken = text.count("\ufffd") - piece.count(b"\xef\xbf\xbd")
    cut = text.endswith("\ufffd") and not piece.endswith(b"\xef\xbf\xbd")
    sound = _beyond_ascii(body[:at].decode()) + _beyond_ascii(text) - broken
    return (broken - cut) * _TOLERATED < sound


def _beyond_ascii(text: str) -> int:
    return len(text) - len(text.encode("ascii", "ignore"))


def _other_than_utf8(said: str | None, head: str, body: bytes) -> str:
    """What is said, else what the bytes are most like, else what the page's language uses.

    Some servers say one thing of everything, which counts for less than the bytes.
    """
    guessed = guess(body, None if said in _OF_EVERYTHING else said)
    if guessed is not None:
        return guessed
    if said is not None and said != "utf-8":
        return said
    found = _LANGUAGE.search(head)
    if found is None:
        return "cp1252"
    tag = found[1].lower()
    return _BY_LANGUAGE.get(tag) or _BY_LANGUAGE.get(tag.partition("-")[0], "cp1252")


def _clean(text: str) -> str:
    return text.replace("\x00", "").removeprefix("\ufeff")
