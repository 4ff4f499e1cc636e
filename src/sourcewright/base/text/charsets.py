"""Charset detection and decoding: by BOM, by declaration, by statistics.

Bytes that are not UTF-8 are matched against the most frequent letters of several languages.
Decoding never raises, and its result has no lone surrogate and no NUL.
"""

import codecs
import re
from collections.abc import Callable, Mapping

_SAMPLE_BYTES = 32 * 1024
"""Bytes that are examined, from the first one that is not ASCII."""
_MIN_HIGH_BYTES, _MIN_HIGH_BYTES_TO_OVERRIDE = 8, 60
"""Non-ASCII bytes needed for a guess; more where it would contradict a declared charset."""
_MIN_SCORE, _MIN_SCORE_IF_DECLARED = 0.5, 0.2
"""Scores from which a guess is taken, and a declared charset is confirmed."""
_MAX_ACCENT_RUN = 1.6
"""Mean length of runs of non-ASCII bytes up to which they are accents rather than words."""
_ASCII = bytes(range(128))
_HIGH_BYTES = re.compile(rb"[\x80-\xff]+")
_MAX_BROKEN_SHARE = 0.01
"""Share of undecodable characters from which a codec is ruled out."""

_KANA = re.compile("[\u3041-\u3094\u30a1-\u30fa\u30fc]")
_NON_ASCII = re.compile("[^\x00-\x7f]")


def _frequency_scorer(letters: str, share: float) -> Callable[[str, int], float]:
    """A score: how frequent these letters are, relative to their share in the language."""
    pattern = re.compile(f"[{letters}]")
    return lambda text, size: len(pattern.findall(text)) / size / share


def _kana_score(text: str, size: int) -> float:
    return len(_KANA.findall(text)) / size / 0.35


_CYRILLIC = _frequency_scorer("оеаинтсрвлкмдпу", 0.85)
_LANGUAGES: Mapping[str, Callable[[str, int], float]] = {
    "cp932": _kana_score,
    "euc_jp": _kana_score,
    "gb18030": _frequency_scorer(
        "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过"
        "发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心",
        0.3,
    ),
    "big5hkscs": _frequency_scorer(
        "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過"
        "發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心",
        0.3,
    ),
    "cp949": _frequency_scorer(
        "이다는의에가을고한를지로은하서도기사인대어리자시부아해나여수정보들", 0.45
    ),
    "cp1251": _CYRILLIC,
    "koi8-r": _CYRILLIC,
    "iso8859-5": _CYRILLIC,
    "cp866": _CYRILLIC,
    "cp1253": _frequency_scorer("αοιετνσςρηυκπμλ", 0.8),
    "cp1255": _frequency_scorer("יוהלאתרבשמנ", 0.85),
    "cp1256": _frequency_scorer("الينموترعدبسة", 0.8),
    "cp874": _frequency_scorer("านรอกเงวมยลทดส", 0.6),
}


def guess_codec(body: bytes, declared: str | None = None) -> str | None:
    """Python's codec for bytes that are not UTF-8, or None where no language fits them.

    A declared codec is returned unless the bytes clearly contradict it.
    """
    first = _HIGH_BYTES.search(body)
    sample = body[first.start() : first.start() + _SAMPLE_BYTES] if first else b""
    high = len(sample.translate(None, _ASCII))
    min_high_bytes = _MIN_HIGH_BYTES if declared is None else _MIN_HIGH_BYTES_TO_OVERRIDE
    if high < min_high_bytes or high < _MAX_ACCENT_RUN * len(_HIGH_BYTES.findall(sample)):
        return None
    scores = {codec: _score(sample, codec) for codec in _LANGUAGES}
    if declared is not None and scores.get(declared, 0.0) >= _MIN_SCORE_IF_DECLARED:
        return declared
    best = max(scores, key=lambda codec: scores[codec])
    return best if scores[best] >= _MIN_SCORE else None


def _score(sample: bytes, codec: str) -> float:
    text = sample.decode(codec, "replace")
    size = len(_NON_ASCII.findall(text))
    # The sample may end within a character.
    if not size or text.count("\ufffd") - 1 > _MAX_BROKEN_SHARE * size:
        return 0.0
    return _LANGUAGES[codec](text, size)


_HEAD_BYTES = 4096
_CHUNK_BYTES = 64 * 1024
_WIDE_SAMPLE, _MIN_ZERO_SHARE, _MIN_PRINTABLE_SHARE = 512, 0.4, 0.95
"""Bytes examined for UTF-16, and the shares of zero bytes and of printable characters needed."""
_BOMS = (
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
"""Charset labels that map to each of Python's codecs, as in the WHATWG Encoding Standard."""
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
_CODEC_OF_LANGUAGE = {
    tag: codec for codec, tags in _LANGUAGES_BY_CODEC.items() for tag in tags.split()
}

_PARAMETER = re.compile(r"""charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})""", re.IGNORECASE)
_META = re.compile(
    r"""<meta\b[^<>]{0,400}?\bcharset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})""", re.IGNORECASE
)
_XML_DECLARATION = re.compile(
    r"""<\?xml\b[^<>]{0,200}?\bencoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})""", re.IGNORECASE
)
_LANGUAGE = re.compile(
    r"""<html\b[^<>]{0,400}?\blang\s{0,9}=\s{0,9}["']?([a-z]{2,3}(?:-[a-z]{2,4})?)""",
    re.IGNORECASE,
)
_CATCH_ALL_CODECS = ("utf-8", "cp1252")
"""Codecs that some servers declare for all their pages, whatever the encoding."""
_VALID_PER_BROKEN = 20
"""Valid sequences per broken one from which the bytes are damaged UTF-8 and no other encoding."""


def decode(body: bytes, *, content_type: str = "") -> str:
    """The decoded text; the bytes outweigh a declared charset that contradicts them."""
    bom, codec = encoding_of(body, content_type=content_type)
    return _clean(_decode_in_chunks(body[len(bom) :], codec))


def encoding_of(body: bytes, *, content_type: str = "") -> tuple[bytes, str]:
    """The BOM, which is often empty, and Python's codec for the bytes after it."""
    for bom, codec in _BOMS:
        if body.startswith(bom):
            return bom, codec
    head = body[:_HEAD_BYTES].decode("latin-1")
    declared = _declared_codec(head, content_type)
    wide = wide_codec(body, declared or "")
    if wide is not None:
        return b"", wide
    if declared == "iso2022_jp" or b"\x1b$B" in body[:_CHUNK_BYTES]:
        return b"", "iso2022_jp"
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        # Some pages declare it after long scripts; browsers then restart decoding.
        declared = declared or _codec_in_document(body[:_CHUNK_BYTES].decode("latin-1"))
        if not _is_damaged_utf8(body, error.start):
            return b"", _legacy_codec(declared, head, body)
    return b"", "utf-8"


def wide_codec(body: bytes, declared: str = "") -> str | None:
    """Which UTF-16 codec the bytes use, or None; detected without a BOM by zero bytes.

    Every second byte of ASCII text is zero in UTF-16. A page that is declared as UTF-16 need
    not have ASCII text.
    """
    sample = body[:_WIDE_SAMPLE]
    if b"\x00" not in sample and not (
        declared.startswith("utf-16") and b"\x00" in body[:_HEAD_BYTES]
    ):
        return None
    first, second = (sample[at::2].count(0) * 2 / len(sample) for at in (0, 1))
    likely = "utf-16-le" if second > first else "utf-16-be"
    if max(first, second) >= _MIN_ZERO_SHARE and min(first, second) * 10 < max(first, second):
        text = sample[: len(sample) // 2 * 2].decode(likely, "replace")
        if sum(char.isprintable() or char.isspace() for char in text) > _MIN_PRINTABLE_SHARE * len(
            text
        ):
            return likely
    return declared if declared.startswith("utf-16") else None


def charset_in(content_type: str) -> str | None:
    """Python's codec for the charset parameter of a Content-Type header."""
    match = _PARAMETER.search(content_type[:500])
    return _CODECS.get(match[1].lower()) if match else None


def _declared_codec(head: str, content_type: str) -> str | None:
    """The declared codec: that of the header first, then that of the document."""
    from_header = charset_in(content_type)
    if from_header is not None:
        return from_header
    return _codec_in_document(head)


def _codec_in_document(head: str) -> str | None:
    """The codec that a `<meta>` tag or the XML declaration names.

    A declaration that can be read byte by byte is not UTF-16, so that label means UTF-8.
    """
    for pattern in (_META, _XML_DECLARATION):
        match = pattern.search(head)
        codec = _CODECS.get(match[1].lower()) if match else None
        if codec is not None:
            return "utf-8" if codec.startswith("utf-16") else codec
    return None


def _decode_in_chunks(body: bytes, codec: str) -> str:
    """The text with U+FFFD for invalid bytes, decoded in chunks so that other threads can run."""
    decoder = codecs.getincrementaldecoder(codec)("replace")
    chunks = [
        decoder.decode(body[at : at + _CHUNK_BYTES]) for at in range(0, len(body), _CHUNK_BYTES)
    ]
    return "".join([*chunks, decoder.decode(b"", final=True)])


def _is_damaged_utf8(body: bytes, at: int) -> bool:
    """Whether the bytes are UTF-8 with a few broken sequences or a truncated end.

    Everything before `at` is valid; the rest is judged by its first chunk.
    """
    chunk = body[at : at + _CHUNK_BYTES]
    text = chunk.decode("utf-8", "replace")
    broken = text.count("\ufffd") - chunk.count(b"\xef\xbf\xbd")
    cut = text.endswith("\ufffd") and not chunk.endswith(b"\xef\xbf\xbd")
    valid = _count_non_ascii(body[:at].decode()) + _count_non_ascii(text) - broken
    return (broken - cut) * _VALID_PER_BROKEN < valid


def _count_non_ascii(text: str) -> int:
    return len(text) - len(text.encode("ascii", "ignore"))


def _legacy_codec(declared: str | None, head: str, body: bytes) -> str:
    """The declared codec, else the one that the letters suggest, else that of the page's language.

    A codec that some servers declare for everything does not outweigh the bytes.
    """
    guessed_codec = guess_codec(body, None if declared in _CATCH_ALL_CODECS else declared)
    if guessed_codec is not None:
        return guessed_codec
    if declared is not None and declared != "utf-8":
        return declared
    match = _LANGUAGE.search(head)
    if match is None:
        return "cp1252"
    tag = match[1].lower()
    return _CODEC_OF_LANGUAGE.get(tag) or _CODEC_OF_LANGUAGE.get(tag.partition("-")[0], "cp1252")


def _clean(text: str) -> str:
    return text.replace("\x00", "").removeprefix("\ufeff")
