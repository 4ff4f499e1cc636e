"""Public suffixes, below which anyone may register names.

Validates the hosts that operators list: a whole public suffix is rejected.
"""

import re
from functools import cache

from publicsuffixlist import PublicSuffixList

from sourcewright.base.urls.parts import canonical_host, ends_in_a_number


def is_public_suffix(host: str, *, private: bool) -> bool:
    """Whether a name is a suffix such as `co.uk`; `private` includes ones like `github.io`."""
    return bool(_suffix_list(private=private).is_public(host))


def is_listed_suffix(name: str) -> bool:
    """Whether the list of public suffixes has this one, such as `edu`; not any single label."""
    suffix = _suffix_list(private=False).publicsuffix(name, accept_unknown=False)
    return bool(suffix == name)


def registrable_domain(host: str) -> str:
    """The part of a host name that its owner registered; the host itself if there is none."""
    return _suffix_list(private=True).privatesuffix(host) or host


@cache
def _suffix_list(*, private: bool) -> PublicSuffixList:
    """The suffix list, loaded on first use because that takes a moment."""
    return PublicSuffixList(only_icann=not private)


_MAX_LENGTH = 253
_PATH = re.compile(r"(?:/[A-Za-z0-9._~%+@,-]+)*/?")
"""No query, and no character that could end a `site:` operator."""


def site_of(text: object) -> str:
    """A host with an optional path, in canonical form.

    Raises:
        ValueError: It is not a host, or it is a suffix below which anyone may register.
    """
    host, slash, path = _checked_text(text).partition("/")
    if not _PATH.fullmatch(slash + path) or ".." in path:
        raise ValueError(f"{text!r} has an invalid path")
    return f"{_checked_host(host, private=False)}{slash}{path}".rstrip("/")


def single_owner_host(text: object) -> str:
    """A host that belongs to one owner, in canonical form.

    Raises:
        ValueError: It is not a host, or it is a suffix below which anyone may publish pages.
    """
    return _checked_host(_checked_text(text), private=True)


def _checked_text(text: object) -> str:
    if not isinstance(text, str) or not 0 < len(text) <= _MAX_LENGTH:
        raise ValueError(f"{text!r:.80} is not a host")
    return text


def _checked_host(text: str, *, private: bool) -> str:
    if "%" in text or text.startswith("["):
        raise ValueError(f"{text!r} is not a host name")
    try:
        host = canonical_host(text)
    except ValueError as error:
        raise ValueError(f"{text!r} is not a host name: {error}") from error
    if ends_in_a_number(host) or any(
        label[:1] == "-" or label[-1:] == "-" for label in host.split(".")
    ):
        raise ValueError(f"{text!r} is not a host name")
    if is_public_suffix(host, private=private):
        raise ValueError(f"{text!r} is a public suffix, under which anyone can register names")
    return host
