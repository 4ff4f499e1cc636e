"""Plain text from markup, entities and irregular white space.

Meaning is kept where plain text can express it: a superscript number stays one (10⁶ is not
106), a subscript becomes ordinary characters (H2O), MathML becomes its symbols. A space that a
source lost around its markup is not restored, since that would be a guess.
"""

import html
import re
import unicodedata

_INLINE = (
    "a abbr acronym b bdi bdo big bold cite code del dfn em email ext-link fixed-case fn font i "
    "img inline-formula inline-graphic ins institution italic kbd mark monospace named-content "
    "overline ovl roman samp sans-serif sc scp small span strike strong styled-content sub sup tt "
    "u underline uri var xref"
)
_BLOCK = (
    "abstract alternatives article article-title blockquote body br break caption center dd "
    "def-list disp-formula disp-quote div dl dt fig footer graphic h1 h2 h3 h4 h5 h6 header hr "
    "label li list list-item ol p pre sec section table tbody td tex-math th thead title tr "
    "trans-abstract ul"
)
_MATH = (
    "annotation annotation-xml maction math menclose merror mfenced mfrac mi mmultiscripts mn mo "
    "mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable "
    "mtd mtext mtr munder munderover semantics"
)
# Quantities are bounded so that no hostile text makes matching slow.
_ATTRIBUTES = (
    r"""(?:\s{1,99}+[\w:.-]{1,99}+\s?+=\s?+"""
    r"""(?:"[^"<>]{0,999}+"|'[^'<>]{0,999}+'|[^\s"'<>=]{1,999}+))*+"""
)


def _tag(names: str) -> re.Pattern[str]:
    known = "|".join(re.escape(name) for name in sorted(names.split(), key=len, reverse=True))
    return re.compile(
        rf"</?(?:[a-z]\w{{0,9}}:)?(?:{known}){_ATTRIBUTES}\s{{0,99}}+/?>", re.IGNORECASE
    )


_INLINE_TAG = _tag(f"{_INLINE} {_MATH}")
_BLOCK_TAG = _tag(_BLOCK)
# A namespace prefix means XML: any name after one is markup and not a comparison.
_PREFIXED_TAG = re.compile(
    rf"</?[a-z]\w{{0,9}}:[a-z][\w-]{{0,39}}{_ATTRIBUTES}\s{{0,99}}+/?>", re.IGNORECASE
)
_COMMENT = re.compile(
    r"<!--(?:[^<-]++|-(?!->)|<(?!!--))*+-->|<\?[a-z][^<>]{0,200}\?>", re.IGNORECASE
)
# Pretty-printing puts a line break between a closing tag and the full stop after it.
_BREAK_BEFORE_STOP = re.compile(r"(?<=>)[^\S\n]{0,99}\n\s{0,99}(?=[.,;:)\]])")

_PREFIX = r"(?:\w{1,10}:)?"


def _element(names: str, followed_by: str = "") -> re.Pattern[str]:
    """Matches an element with its content, unless an element of the same name is nested in it."""
    content = rf"(?:[^<]++|<(?!/?{_PREFIX}(?:{names})\b))*+"
    opening, closing = rf"<{_PREFIX}(?:{names})\b[^<>]{{0,999}}>", rf"</{_PREFIX}(?:{names})>"
    return re.compile(opening + content + closing + followed_by, re.IGNORECASE)


_FORMULA = _element("math")
_ANNOTATION = _element("annotation|annotation-xml")
_TEX_BEFORE_MATHML = _element("tex-math", followed_by=rf"(?=\s{{0,99}}<{_PREFIX}math\b)")
_MATHML_POWER = re.compile(
    rf"<{_PREFIX}msup>\s*<{_PREFIX}(mi|mn)>([^<>]{{1,99}})</{_PREFIX}\1>"
    rf"\s*<{_PREFIX}(mi|mn)>([^<>]{{1,99}})</{_PREFIX}\3>\s*</{_PREFIX}msup>",
    re.IGNORECASE,
)
_SUPERSCRIPT = re.compile(
    rf"<{_PREFIX}sup>(?:\s*<{_PREFIX}(?:i|b|italic|bold)>)?\s*([0-9+\-\u2212=()n]{{1,20}})"
    rf"\s*(?:</{_PREFIX}(?:i|b|italic|bold)>\s*)?</{_PREFIX}sup>",
    re.IGNORECASE,
)
_SUPERSCRIPTS = str.maketrans(
    "0123456789+-\u2212=()n",
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
    "\u207a\u207b\u207b\u207c\u207d\u207e\u207f",
)
_SUBSCRIPTS = str.maketrans(
    "0123456789", "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089"
)
_SUPERSCRIPT_CHARS = re.compile(r"(?=[^0-9n]*+[0-9n])[0-9+\-\u2212=()n, ]++")

# Only with a semicolon: `&copy=2` in a URL is not an entity.
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)
_AMPERSANDS = re.compile(r"&(?:(?:amp|#0{0,9}38|#x0{0,9}26);)+", re.IGNORECASE)
_MAX_DECODING_ROUNDS = 4
"""How often nested encoding is decoded; two levels are the most that was observed."""

# Soft hyphen, zero-width space, word joiner, byte-order mark, bidirectional overrides and tags:
# invisible, and used to hide words from readers. Joiners stay: some scripts need them.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
    "|[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_ABSTRACT_HEADING = re.compile(
    rf"^\s*<{_PREFIX}(title|p)>\s*abstract[.:]?\s*</{_PREFIX}\1>(?=\s*<)", re.IGNORECASE
)


def plain_text(text: str) -> str:
    """The text without markup and entities, NFC-normalised, on one line."""
    if not text:
        return text
    for _ in range(_MAX_DECODING_ROUNDS):
        before = text
        text = _without_entities(_without_tags(text))
        if text == before:
            break
    return unicodedata.normalize("NFC", " ".join(strip_invisible(text).split()))


def strip_invisible(text: str) -> str:
    """The text without invisible characters; lone surrogates become U+FFFD. Line breaks stay."""
    if text.isascii() and text.isprintable():
        return text
    return _SURROGATE.sub("\ufffd", _INVISIBLE.sub("", text))


def superscript_of(text: str) -> str | None:
    """A superscript number in Unicode superscript characters; None where these do not suffice."""
    chars = text.strip()
    if len(chars) > 20 or not chars or not _SUPERSCRIPT_CHARS.fullmatch(chars):
        return None
    return chars.translate(_SUPERSCRIPTS)


def subscript_of(digits: str) -> str:
    """Digits as Unicode subscript characters."""
    return digits.translate(_SUBSCRIPTS)


def plain_abstract(text: str) -> str:
    """An abstract as plain text, without a leading heading "Abstract"."""
    return plain_text(_ABSTRACT_HEADING.sub("", text))


def _without_tags(text: str) -> str:
    if "<" not in text:
        return text
    text = _COMMENT.sub("", text)
    text = _FORMULA.sub(_symbols, _TEX_BEFORE_MATHML.sub("", text))
    text = _SUPERSCRIPT.sub(lambda match: match[1].translate(_SUPERSCRIPTS), text)
    text = _BREAK_BEFORE_STOP.sub("", text)
    return _PREFIXED_TAG.sub("", _BLOCK_TAG.sub(" ", _INLINE_TAG.sub("", text)))


def _symbols(formula: re.Match[str]) -> str:
    inner = _MATHML_POWER.sub(r"\2<sup>\4</sup>", _ANNOTATION.sub("", formula[0]))
    inner = _SUPERSCRIPT.sub(lambda match: match[1].translate(_SUPERSCRIPTS), inner)
    return "".join(_PREFIXED_TAG.sub("", _INLINE_TAG.sub("", inner)).split())


def _without_entities(text: str) -> str:
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), _AMPERSANDS.sub("&", text))
