"""Public suffixes: refuses a whole suffix where an operator lists hosts.

Which names are nobody's own: public suffixes, below which anyone may register.
"""

import re
from functools import cache

from publicsuffixlist import PublicSuffixList

from sourcewright.logic.urls.parts import canonical_host, ends_in_a_number


def is_public_suffix(host: str, *, private: bool) -> bool:
    """Whether a name is a suffix such as `co.uk`; `private` counts `github.io` and its like too."""
    return bool(_suffixes(private=private).is_public(host))


@cache
def _suffixes(*, private: bool) -> PublicSuffixList:
    """Reading the list takes a moment, which only those pay who have names to check."""
    return PublicSuffixList(only_icann=not private)


_LONGEST = 253
_PATH = re.compile(r"(?:/[A-Za-z0-9._~%+@,-]+)*/?")
"""Nothing that could end a `site:` operator, and no query."""


def site_of(text: object) -> str:
    """A host with or without a path, in one spelling.

    Raises:
        ValueError: It is none, or is a suffix below which anyone may register.
    """
    host, slash, path = _text(text).partition("/")
    if not _PATH.fullmatch(slash + path) or ".." in path:
        raise ValueError(f"{text!r} has a path with something else in it than names")
    return f"{_host(host, private=False)}{slash}{path}".rstrip("/")


def rated_host(text: object) -> str:
    """A host that one owner answers for, in one spelling.

    Raises:
        ValueError: It is none, or is a suffix below which anyone may put pages.
    """
    return _host(_text(text), private=True)


def _text(text: object) -> str:
    if not isinstance(text, str) or not 0 < len(text) <= _LONGEST:
        raise ValueError(f"{text!r:.80} is no host")
    return text


def _host(text: str, *, private: bool) -> str:
    if "%" in text or text.startswith("["):
        raise ValueError(f"{text!r} is no host name")
    try:
        host = canonical_host(text)
    except ValueError as error:
        raise ValueError(f"{text!r} is no host name: {error}") from error
    if ends_in_a_number(host) or any(x[:1] == "-" or x[-1:] == "-" for x in host.split(".")):
        raise ValueError(f"{text!r} is no host name")
    if is_public_suffix(host, private=private):
        raise ValueError(f"{text!r} is a public suffix, below which anyone may register")
    return host
