"""Redaction of secrets: by pattern, by label, by value.

A hash is no secret, so 64 hex digits are masked only where they are called a key.
Every repetition is bounded where it could otherwise be tried from many places.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

MASK = "***"
_SHORTEST_VALUE = 4
_SHORTEST_KEY = 8
_SURELY_A_KEY = 20
_DEEPEST = 6
_LARGEST = 2**63  # and so neither infinite nor undefined

_LOOKS = re.compile(
    r"""
      \bAIza[\w-]{30,}                                   # Google
    | \b(?:sk|pk|rk)-[\w-]{16,}                          # OpenAI, Anthropic, OpenRouter
    | \bBSA[\w-]{20,}                                    # Brave
    | \btvly-[\w-]{8,}                                   # Tavily
    | \bgh[pousr]_\w{16,} | \bgithub_pat_\w{16,}         # GitHub
    | \b(?:AKIA|ASIA)[0-9A-Z]{16}\b                      # AWS
    | \bxox[abeoprs]-[\w-]{10,} | \bhf_\w{20,}           # Slack, Hugging Face
    | \beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*){1,3}         # JSON Web Tokens
    | -----BEGIN\ [A-Z ]{0,30}PRIVATE\ KEY-----[^-]{0,20000}(?:-----END[A-Z ]{0,40}-----)?
    """,
    re.VERBOSE,
)

_SCHEMES = re.compile(
    # "basic research" is a phrase; encoded credentials hold a digit, padding or mixed case
    r"\b(?:(Bearer)(\s{1,4})[\w.~+/=-]{6,}|(Basic)(\s{1,4})"
    r"(?=[\w+/]{0,500}(?:[\d=]|(?-i:[a-z][A-Z])))[\w+/]{8,}={0,2})",
    re.IGNORECASE,
)

_USERINFO = re.compile(
    r"(?<=://)[^/\s@\"'<>]{1,500}(?=@)|\b[\w.+-]{1,100}:[^\s@/:\"']{1,200}(?=@\w)"
)

_WORDS = (
    r"(?:api|access|secret|private|encryption|admin|subscription|consumer|account|els)[_-]?key"
    r"|apikey|token|secret|passw(?:or)?d|passphrase|pwd|credentials?|signature"
)
_NAME = rf"[\w-]{{0,40}}(?:{_WORDS})[\w-]{{0,20}}"
_PERSONAL = r"(?:[\w-]{1,40}[_-])?(?:e-?mail|mailto)"

_ASSIGNED = re.compile(
    # name=value, also where the address itself is percent-encoded inside another one
    rf"(?<![\w-])({_NAME}|{_PERSONAL}|key|sig|pass|auth|jwt)(=|%3D)([^&\s\"'#;,<>]+)",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    # "name": "value", as JSON and Python print it
    rf"([\"'](?:{_NAME}|{_PERSONAL}|key|authorization|cookie)\\?[\"']\s{{0,4}}:\s{{0,4}}"
    r"b?\\?[\"'])((?:[^\"'\\]|\\[^\"'])*)",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"(?<![\w-])((?:proxy-)?authorization|(?:set-)?cookie|(?:x-)[\w-]{0,40}(?:key|token|secret))"
    r"(\s{0,4}:\s{0,4})[^\r\n\"']+",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    rf"(?<![\w-])({_NAME})(\s{{0,4}}:\s{{0,4}})(?![\"'\s])"
    r"((?=[^\s,;]{0,200}\d)[^\s,;]{6,}|(?<=word:)\S+|(?<=word:\ )\S+)",
    re.IGNORECASE,
)
_HEX_KEY = re.compile(r"(\bkey\b[\"']?[\s:=]{0,4}(?:is\s)?[\"']?)[0-9a-f]{64}\b", re.IGNORECASE)

_LABEL = re.compile(
    rf"{_NAME}|{_PERSONAL}|key|authorization|proxy-authorization|cookie|set-cookie",
    re.IGNORECASE,
)

_LABEL_STAYS = rf"\1\2{MASK}"
# What must be in a text for its pattern to be worth trying: most texts are masked in no time.
_RULES: tuple[tuple[tuple[str, ...], re.Pattern[str], str], ...] = (
    (
        (
            *("aiza", "sk-", "pk-", "rk-", "bsa", "tvly-", "akia", "asia", "xox", "hf_", "eyj"),
            *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "-----begin"),
        ),
        _LOOKS,
        MASK,
    ),
    (("authorization", "cookie", "x-"), _HEADER, _LABEL_STAYS),
    (("bearer", "basic"), _SCHEMES, rf"\1\2\3\4{MASK}"),
    (("@",), _USERINFO, MASK),
    (("key",), _HEX_KEY, rf"\1{MASK}"),
    (("=", "%3d"), _ASSIGNED, _LABEL_STAYS),
    ((":",), _QUOTED, rf"\1{MASK}"),
    ((":",), _LABELLED, _LABEL_STAYS),
)

_SIGN = re.compile("|".join(sorted({re.escape(sign) for signs, *_ in _RULES for sign in signs})))


class Masker:
    """Takes secrets out of text; it also knows the configured ones by value."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        given = tuple(values)
        self._known = _Values(given)
        self._keys = _Values(value for value in given if _is_distinctive(value))

    def __call__(self, text: str) -> str:
        return mask_patterns(self.known(text))

    def known(self, text: str) -> str:
        """The text without the configured secrets; whatever else it says stays."""
        return self._known.masked(text)

    def known_in(self, value: Any) -> Any:
        """The same for every text in a value of plain JSON types."""
        return _in_texts(self._known.masked, value)

    def keys(self, text: str) -> str:
        """The text without those secrets that are no words, so that no other text is changed.

        For what sources said: a password that is a word may well stand in it.
        """
        return self._keys.masked(text)

    def keys_in(self, value: Any) -> Any:
        """The same for every text in a value of plain JSON types."""
        return _in_texts(self._keys.masked, value) if self._keys.is_any else value

    def deep(self, value: Any, *, depth: int = 0) -> Any:
        """The value with every text in it masked, names included, as plain JSON types."""
        if isinstance(value, str):
            return self(value)
        if value is None or isinstance(value, int | float):
            return value if value is None or abs(value) < _LARGEST else MASK
        if depth == _DEEPEST:
            return MASK
        if isinstance(value, Mapping):
            return {self(str(k)): self._named(str(k), v, depth) for k, v in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            return [self.deep(one, depth=depth + 1) for one in value]
        return self(str(value))

    def _named(self, name: str, value: Any, depth: int) -> Any:
        if isinstance(value, str) and _LABEL.fullmatch(name):
            return MASK
        return self.deep(value, depth=depth + 1)


class _Values:
    """Secrets that are known by value, in each of their spellings."""

    def __init__(self, values: Iterable[str]) -> None:
        spellings = {spelling for value in values for spelling in _spellings(value)}
        self._spellings = sorted(spellings, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, self._spellings)))
        self.is_any = bool(spellings)

    def masked(self, text: str) -> str:
        # Looking for a text is far quicker than a pattern, and most texts hold no secret.
        if any(spelling in text for spelling in self._spellings):
            return self._pattern.sub(MASK, text)
        return text


def _in_texts(mask: Callable[[str], str], value: Any) -> Any:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, Mapping):
        return {name: _in_texts(mask, one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_in_texts(mask, one) for one in value]
    return value


def _is_distinctive(value: str) -> bool:
    """Whether no text holds the value by chance: it is long, or neither words nor a number."""
    parts = re.split(r"[-_ .']", value)
    words = all(part.islower() or part.isupper() or part.istitle() for part in parts if part)
    plain = "".join(parts)
    by_chance = plain.isdecimal() or (plain.isalpha() and words)
    return len(value) >= _SURELY_A_KEY or (len(value) >= _SHORTEST_KEY and not by_chance)


def mask_patterns(text: str) -> str:
    """The text without what looks like a secret or is labelled as one."""
    folded = text.casefold()
    if not _SIGN.search(folded):
        return text
    for signs, pattern, masked in _RULES:
        if any(sign in folded for sign in signs):
            text = pattern.sub(masked, text)
    return text


def _spellings(value: str) -> set[str]:
    """The value as it may appear: plain, in an address, and inside JSON."""
    if len(value) < _SHORTEST_VALUE:
        return set()
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    # Bytes of the environment that are no UTF-8 arrive as surrogates, which no address can hold.
    encoded = {quote(value, safe, errors="replace") for safe in ("", "/")}
    # A DOI is kept in small letters, whatever was given for one.
    small = {value.lower()} if _is_distinctive(value) else set()
    return {value, escaped, quote_plus(value, errors="replace")} | encoded | small
