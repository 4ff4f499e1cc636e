"""RTF tokens: control words, braces and text, which is decoded by code page and font."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

_TOKEN = re.compile(
    r"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|[\r\n\x00]+|([^\\{}\r\n\x00]+)|\\",
    re.DOTALL,
)
_CODE_PAGES = {
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    134: "gbk",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
}
"""Encodings by the number of a font's character set."""
_CHARACTERS = {
    "emdash": "\u2014",
    "endash": "\u2013",
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
    "bullet": "\u2022",
    **dict.fromkeys(("emspace", "enspace", "qmspace"), " "),
}
_SYMBOLS = {"~": "\u00a0", "_": "-", "-": "", "\n": "\n", "\r": "\n"}
_MAX_SCOPES = 2000
_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)


class Token(NamedTuple):
    """A token: `{`, `}` or `*`, a control word with its number, or `text`."""

    name: str
    value: str = ""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class _Scope:
    """What a group inherits from the one around it."""

    encoding: str = ""
    """That of the font; empty for that of the document."""
    fallback: int = 1
    """How many characters follow a Unicode character for programs that cannot show it."""


class TokenScanner:
    """Splits a document into tokens."""

    def __init__(self, body: bytes) -> None:
        self._text = body.decode("latin-1")
        self._position = 0
        self._page = "cp1252"
        self._fonts: dict[int, str] = {}
        self._font = 0
        self._scopes = [_Scope()]
        self._bytes = bytearray()
        self._skip = 0
        self._high = 0

    def __iter__(self) -> Iterator[Token]:
        while (match := _TOKEN.match(self._text, self._position)) is not None:
            self._position = match.end()
            yield from self._tokens(match)
        yield from self._flush()

    def _tokens(self, match: re.Match[str]) -> Iterator[Token]:
        word, digits, code, symbol, brace, plain = match.groups()
        if code is not None or plain is not None:
            self._add_bytes(bytes.fromhex(code) if code else (plain or "").encode("latin-1"))
            return
        yield from self._flush()
        if word is not None:
            yield from self._word(word, int(digits) if digits else None)
        elif brace is not None:
            self._nest(brace)
            yield Token(brace)
        elif symbol is not None:
            yield Token("*") if symbol == "*" else Token("text", _SYMBOLS.get(symbol, symbol))

    def _add_bytes(self, data: bytes) -> None:
        self._bytes += data[self._skip :]
        self._skip = max(0, self._skip - len(data))

    def _flush(self) -> Iterator[Token]:
        """The text since the last other token."""
        if self._bytes:
            data, self._bytes = bytes(self._bytes), bytearray()
            yield Token("text", data.decode(self._scopes[-1].encoding or self._page, "replace"))

    def _word(self, word: str, number: int | None) -> Iterator[Token]:
        self._skip = 0
        if word in _CHARACTERS:
            yield Token("text", _CHARACTERS[word])
        elif number is None:
            yield Token(word)
        elif word == "u":
            self._skip = self._scopes[-1].fallback
            yield Token("text", self._character(number % 65_536))
        elif word == "bin":
            self._position += max(0, number)
        else:
            self._scopes[-1] = self._changed(word, number)
            yield Token(word, "", number)

    def _character(self, code: int) -> str:
        """A character; those outside the basic plane come as two surrogates."""
        if code in _HIGH:
            self._high = code
            return ""
        if code in _LOW:
            high, self._high = self._high, 0
            return chr(0x10000 + ((high - 0xD800) << 10) + code - 0xDC00) if high else ""
        return chr(code)

    def _nest(self, brace: str) -> None:
        self._skip = 0
        if brace == "{" and len(self._scopes) < _MAX_SCOPES:
            self._scopes.append(self._scopes[-1])
        elif brace == "}" and len(self._scopes) > 1:
            self._scopes.pop()

    def _changed(self, word: str, number: int) -> _Scope:
        """The scope after a control word about encodings."""
        scope = self._scopes[-1]
        if word == "ansicpg":
            self._page = _known_encoding(f"cp{number}") or self._page
        elif word == "uc":
            return replace(scope, fallback=min(max(number, 0), 10))
        elif word == "f":
            self._font = number
            return replace(scope, encoding=self._fonts.get(number, ""))
        elif word == "fcharset":
            self._fonts[self._font] = _CODE_PAGES.get(number, "")
        return scope


def _known_encoding(name: str) -> str | None:
    try:
        codecs.lookup(name)
    except LookupError:
        return None
    return name
