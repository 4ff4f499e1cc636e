"""Redaction of secrets: by pattern, by label, by value.

A hash is not a secret, so 64 hex digits are masked only next to the word "key". Repetitions in
the patterns are bounded to keep matching linear.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

from sourcewright.base.text.text_cache import cached_if_short

MASK = "***"
_MIN_VALUE_LENGTH = 4
_MIN_KEY_LENGTH = 8
_ALWAYS_A_KEY_LENGTH = 20
_MAX_DEPTH = 6
_MAX_NUMBER = 2**63  # excludes infinity and NaN

_KNOWN_FORMATS = re.compile(
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

_LABEL_WORDS = (
    r"(?:api|access|secret|private|encryption|admin|subscription|consumer|account|els)[_-]?key"
    r"|apikey|token|secret|passw(?:or)?d|passphrase|pwd|credentials?|signature"
)
_LABEL_NAME = rf"[\w-]{{0,40}}(?:{_LABEL_WORDS})[\w-]{{0,20}}"
_PERSONAL_NAME = r"(?:[\w-]{1,40}[_-])?(?:e-?mail|mailto)"

_ASSIGNED = re.compile(
    # name=value, also where the URL is percent-encoded inside another one
    rf"(?<![\w-])({_LABEL_NAME}|{_PERSONAL_NAME}|key|sig|pass|auth|jwt)(=|%3D)([^&\s\"'#;,<>]+)",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    # "name": "value", as JSON and Python print it
    rf"([\"'](?:{_LABEL_NAME}|{_PERSONAL_NAME}|key|authorization|cookie)\\?[\"']\s{{0,4}}:\s{{0,4}}"
    r"b?\\?[\"'])((?:[^\"'\\]|\\[^\"'])*)",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"(?<![\w-])((?:proxy-)?authorization|(?:set-)?cookie|(?:x-)[\w-]{0,40}(?:key|token|secret))"
    r"(\s{0,4}:\s{0,4})[^\r\n\"']+",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    rf"(?<![\w-])({_LABEL_NAME})(\s{{0,4}}:\s{{0,4}})(?![\"'\s])"
    r"((?=[^\s,;]{0,200}\d)[^\s,;]{6,}|(?<=word:)\S+|(?<=word:\ )\S+)",
    re.IGNORECASE,
)
_HEX_KEY = re.compile(r"(\bkey\b[\"']?[\s:=]{0,4}(?:is\s)?[\"']?)[0-9a-f]{64}\b", re.IGNORECASE)

_WHOLE_LABEL = re.compile(
    rf"{_LABEL_NAME}|{_PERSONAL_NAME}|key|authorization|proxy-authorization|cookie|set-cookie",
    re.IGNORECASE,
)

_KEEP_LABEL = rf"\1\2{MASK}"
# Substrings that a text must contain for the pattern to be tried: most texts skip them all.
_RULES: tuple[tuple[tuple[str, ...], re.Pattern[str], str], ...] = (
    (
        (
            *("aiza", "sk-", "pk-", "rk-", "bsa", "tvly-", "akia", "asia", "xox", "hf_", "eyj"),
            *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "-----begin"),
        ),
        _KNOWN_FORMATS,
        MASK,
    ),
    (("authorization", "cookie", "x-"), _HEADER, _KEEP_LABEL),
    (("bearer", "basic"), _SCHEMES, rf"\1\2\3\4{MASK}"),
    (("@",), _USERINFO, MASK),
    (("key",), _HEX_KEY, rf"\1{MASK}"),
    (("=", "%3d"), _ASSIGNED, _KEEP_LABEL),
    ((":",), _QUOTED, rf"\1{MASK}"),
    ((":",), _LABELLED, _KEEP_LABEL),
)

_TRIGGER = re.compile(
    "|".join(sorted({re.escape(trigger) for triggers, *_ in _RULES for trigger in triggers}))
)


@cached_if_short
def _is_label(name: str) -> bool:
    """Whether a value with this name is a secret, whatever it looks like."""
    return _WHOLE_LABEL.fullmatch(name) is not None


class Masker:
    """Masks secrets in text: those that look like one, and the configured ones by value."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        secrets = tuple(values)
        self._known = _KnownValues(secrets)
        self._keys = _KnownValues(value for value in secrets if _is_distinctive(value))
        # Names of fields, tools and sources recur in every event that is logged.
        self._masked = cached_if_short(lambda text: mask_patterns(self._known.masked(text)))

    def __call__(self, text: str) -> str:
        return self._masked(text)

    def mask_secrets(self, text: str) -> str:
        """The text with the configured secrets masked, and nothing else."""
        return self._known.masked(text)

    def is_known_in(self, text: str) -> bool:
        """Whether the text, which may be JSON, contains a configured secret."""
        return self._known.is_in(text)

    def mask_secrets_in(self, value: Any) -> Any:
        """Applies `mask_secrets` to every string in a value of plain JSON types."""
        return _map_strings(self._known.masked, value)

    def keys(self, text: str) -> str:
        """Masks only those configured secrets that cannot occur in ordinary text.

        For texts of sources, where a password that is an ordinary word may occur by chance.
        """
        return self._keys.masked(text)

    def keys_in(self, value: Any) -> Any:
        """Applies `keys` to every string in a value of plain JSON types."""
        return _map_strings(self._keys.masked, value) if self._keys.is_any else value

    def deep(self, value: Any, *, depth: int = 0) -> Any:
        """The value as plain JSON types with every string masked, mapping keys included."""
        if isinstance(value, str):
            return self(value)
        if value is None or isinstance(value, int | float):
            return value if value is None or abs(value) < _MAX_NUMBER else MASK
        if depth == _MAX_DEPTH:
            return MASK
        if isinstance(value, list | tuple | set | frozenset):
            return [self.deep(member, depth=depth + 1) for member in value]
        if isinstance(value, dict | Mapping):
            return {self(str(k)): self._named(str(k), v, depth) for k, v in value.items()}
        return self(str(value))

    def _named(self, name: str, value: Any, depth: int) -> Any:
        if isinstance(value, str) and _is_label(name):
            return MASK
        return self.deep(value, depth=depth + 1)


class _KnownValues:
    """Secrets that are known by value, each in all its encodings."""

    def __init__(self, values: Iterable[str]) -> None:
        spellings = {spelling for value in values for spelling in _spellings(value)}
        self._spellings = sorted(spellings, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, self._spellings)))
        self.is_any = bool(spellings)

    def masked(self, text: str) -> str:
        # A substring test is far faster than the pattern, and most texts contain no secret.
        return self._pattern.sub(MASK, text) if self.is_in(text) else text

    def is_in(self, text: str) -> bool:
        return any(spelling in text for spelling in self._spellings)


def _map_strings(mask: Callable[[str], str], value: Any) -> Any:
    if isinstance(value, str):
        return mask(value)
    if value is None or isinstance(value, int | float):
        return value
    # Before mappings, because asking for those takes ten times as long.
    if isinstance(value, list | tuple):
        return [_map_strings(mask, member) for member in value]
    if isinstance(value, dict | Mapping):
        return {name: _map_strings(mask, member) for name, member in value.items()}
    return value


def _is_distinctive(value: str) -> bool:
    """Whether a value is too long, or too unlike words and numbers, to occur in text by chance."""
    parts = re.split(r"[-_ .']", value)
    words = all(part.islower() or part.isupper() or part.istitle() for part in parts if part)
    plain = "".join(parts)
    is_ordinary = plain.isdecimal() or (plain.isalpha() and words)
    return len(value) >= _ALWAYS_A_KEY_LENGTH or (
        len(value) >= _MIN_KEY_LENGTH and not is_ordinary
    )


def mask_patterns(text: str) -> str:
    """The text with everything masked that looks like a secret or is labelled as one."""
    folded = text.casefold()
    if not _TRIGGER.search(folded):
        return text
    for triggers, pattern, replacement in _RULES:
        if any(trigger in folded for trigger in triggers):
            text = pattern.sub(replacement, text)
    return text


def _spellings(value: str) -> set[str]:
    """The value in the forms in which it may appear: plain, URL-encoded, JSON-escaped."""
    if len(value) < _MIN_VALUE_LENGTH:
        return set()
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    # Environment bytes that are not UTF-8 arrive as lone surrogates, which a URL cannot contain.
    encoded = {quote(value, safe, errors="replace") for safe in ("", "/")}
    # DOIs are stored in lower case, and a secret may have been passed as one.
    lower_case = {value.lower()} if _is_distinctive(value) else set()
    return {value, escaped, quote_plus(value, errors="replace")} | encoded | lower_case
