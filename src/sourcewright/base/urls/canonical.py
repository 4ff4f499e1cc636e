"""Canonical URLs: normalises them so that duplicates are recognised; drops tracking parameters.

Hosts are parsed as browsers do. Anything that is not a web URL is returned unchanged; nothing
here raises.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import quote, unquote

from sourcewright.base.spellings import clean_url
from sourcewright.base.urls.parts import canonical_host

_TRACKING_NAMES = re.compile(
    r"""
    utm_[a-z_]+                                         # Google Analytics, and most others
    | (?:pk|mtm|matomo|piwik)_(?:campaign|kwd|keyword|source|medium|content|cid|group|placement)
    | hsa_[a-z]{2,4} | _hsenc | _hsmi | _hsfp | __hstc | __hssc | hsctatracking     # HubSpot
    | _ga | _gl | gclid | gclsrc | gbraid | wbraid | dclid | srsltid                # Google
    | fbclid | fb_action_(?:ids|types) | fb_source | igshid | igsh                  # Meta
    | msclkid | yclid | ysclid | _openstat | twclid | ttclid | li_fat_id | epik     # advertisers
    | mc_[ce]id | mkt_tok | vero_(?:id|conv) | oly_(?:anon|enc)_id | wickedid       # mailings
    | _branch_match_id | rb_clickid | s_cid | wt[._]mc(?:_id)? | xtor
    | at_(?:medium|campaign|custom[0-9]|link_[a-z]+)
    | ns_(?:mchannel|campaign|source|linkname|fee)
    | guccounter | guce_referrer(?:_sig)? | soc_(?:src|trk)
    | ref_src | __twitter_impression
    """,
    re.IGNORECASE | re.VERBOSE,
)
_AMP = frozenset({("amp", "1"), ("amp", ""), ("amp", "true"), ("outputtype", "amp")})


def is_tracking_parameter(name: str, value: str) -> bool:
    """Whether a query parameter is for tracking, or requests the AMP version of the page."""
    return _is_for_tracking(name, value) or (_plain_name(name), value.lower()) in _AMP


def _is_for_tracking(name: str, _value: str) -> bool:
    return bool(_TRACKING_NAMES.fullmatch(_plain_name(name)))


def _plain_name(name: str) -> str:
    """The name in lower case, without what an ampersand that was escaped for HTML leaves."""
    lower = name.lower()
    while lower.startswith("amp;"):
        lower = lower.removeprefix("amp;")
    return lower


_WEB_URL = re.compile(
    r"(https?):/*([^/?#]+)([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.IGNORECASE | re.DOTALL
)
_AUTHORITY = re.compile(
    r"(?:.*@)?(\[[^\]]*\]|[^:\[\]]*)(?::(6553[0-5]|[0-9]{0,4}|[0-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]))?",
    re.DOTALL,
)
_MAX_LENGTH = 8192
_MAX_HOST_LENGTH = 1024
_CACHE_SIZE = 512
"""URLs whose parsed form is cached: those of one answer are compared many times."""

DEFAULT_PORTS = {"http": 80, "https": 443}
_ROUTES = ("!", "/")
"""Prefixes of fragments that select the page, in single-page applications."""

_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})|%|[^!$&'()*+,;=:@/?~\-._A-Za-z0-9]+")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

_AMP_CACHE = re.compile(r"/(?:c|v|wp)/(s/)?([^/]+\.[^/]+)(/.*)?")
_GOOGLE_AMP = re.compile(r"/amp/(s/)?([^/]+\.[^/]+)(/.*)?")
_ARTICLE = re.compile(r"-[^-]*-|[0-9]{4}|\.html?$")
"""A headline, a number or a file name: after it, `amp` means a version of the page."""

_MOBILE_WIKI = re.compile(
    r"([a-z-]+)\.m\.(wik(?:ipedia|tionary|i(?:books|news|quote|source|versity|voyage))\.org)"
)
_VARIANT_HOST = re.compile(r"(?:m|mobile|amp)\.(.+\..+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """A web URL in its parts, each in canonical form."""

    scheme: str
    host: str
    port: int | None
    path: str
    query: str
    fragment: str

    @property
    def site(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port is None else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        query = f"?{self.query}" if self.query else ""
        return f"{self.scheme}://{self.site}{self.path}{query}{_fragment_suffix(self)}"


def canonical_url(url: str) -> str:
    """The URL without tracking parameters, and of the page itself rather than its AMP version.

    The other parameters keep their order. Credentials are removed: they identify the user, not
    the page.
    """
    parts = _page_parts(url)
    return url if parts is None else parts.url


def resource_url(url: str) -> str:
    """A key that two spellings of one URL share: the same request, but for tracking parameters.

    Unlike those of one page, such as its AMP version, their responses are the same.
    """
    parts = _parse(url)
    if parts is None:
        return strip_anchor(url)
    return replace(parts, query=_without(parts.query, _is_for_tracking)).url


def strip_anchor(url: str) -> str:
    """The URL without a fragment that only points into the page."""
    page, _, fragment = url.partition("#")
    return url if fragment.startswith(_ROUTES) else page


def dedup_key(url: str) -> str:
    """A key that two URLs share when they lead to the same page."""
    text = url.strip()
    return text if len(text) > _MAX_LENGTH else _dedup_key(text)


@lru_cache(maxsize=_CACHE_SIZE)
def _dedup_key(text: str) -> str:
    parts = _page_parts(text)
    if parts is None:
        return text
    site = parts.site.removeprefix("www.") if parts.site.count(".") > 1 else parts.site
    wiki = _MOBILE_WIKI.fullmatch(site)
    variant = _VARIANT_HOST.fullmatch(site)
    if wiki:
        site = f"{wiki[1]}.{wiki[2]}"
    elif variant and parts.path != "/":
        # Except for the front page, the same path on both hosts is the same article.
        site = variant[1].removeprefix("www.")
    fields = sorted(parts.query.split("&"), key=lambda field: field.partition("=")[0])
    query = "&".join(fields).replace("+", "%20")
    return f"{site}{parts.path.rstrip('/')}{'?' if query else ''}{query}{_fragment_suffix(parts)}"


def host_of(url: str) -> str:
    """The host name in lower-case ASCII; empty if there is none."""
    parts = _parse(url)
    return "" if parts is None else parts.host


def is_on_site(url: str, sites: Iterable[str]) -> bool:
    """Whether a URL is on one of these hosts, and below its path where a path is given.

    Other hosts that occur in the user name, the path or the query are irrelevant.
    """
    parts = _parse(url)
    if parts is None:
        return False
    return any(_is_within(parts, *_parse_site(site)) for site in sites)


def _is_within(parts: _Parts, name: str, path_prefix: str) -> bool:
    # A site that is given with `www.` matches that host and the bare one, not other subdomains.
    hosts = (name, name.removeprefix("www."))
    if not name or not (parts.host in hosts or parts.host.endswith(f".{name}")):
        return False
    path = parts.path.lower()
    return not path_prefix or path == path_prefix or path.startswith(f"{path_prefix}/")


@lru_cache(maxsize=1024)
def _parse_site(text: str) -> tuple[str, str]:
    """A host and the path prefix below which pages count, in canonical form."""
    parts = _parse(f"https://{text.strip()}")
    if parts is None:
        return "", ""
    return parts.host, parts.path.lower().rstrip("/")


def _page_parts(url: str) -> _Parts | None:
    """The URL of the page itself; AMP caches have it in their path."""
    parts = _parse(url)
    while parts is not None and (inner := _amp_cache_target(parts)) is not None:
        parts = inner
    if parts is None:
        return None
    return replace(
        parts, path=_strip_amp(parts.path), query=_without(parts.query, is_tracking_parameter)
    )


def _parse(url: str) -> _Parts | None:
    text = url.strip()
    return None if len(text) > _MAX_LENGTH else _parse_cached(text)


@lru_cache(maxsize=_CACHE_SIZE)
def _parse_cached(text: str) -> _Parts | None:
    match = _WEB_URL.fullmatch(clean_url(text))
    if match is None:
        return None
    authority = _AUTHORITY.fullmatch(match[2])
    if authority is None or len(authority[1]) > _MAX_HOST_LENGTH:
        return None
    try:
        host = canonical_host(authority[1])
    except ValueError:
        return None
    scheme, fragment = match[1].lower(), match[5] or ""
    port = int(authority[2]) if authority[2] else None
    return _Parts(
        scheme=scheme,
        host=host,
        port=None if port == DEFAULT_PORTS[scheme] else port,
        path=_resolve_dots(_normalise_escapes(match[3])),
        query=_normalise_escapes(match[4] or ""),
        fragment=_normalise_escapes(fragment) if fragment.startswith(_ROUTES) else "",
    )


def _amp_cache_target(parts: _Parts) -> _Parts | None:
    """The URL inside that of an AMP cache; None for any other URL."""
    pattern = None
    if parts.host.endswith(".cdn.ampproject.org"):
        pattern = _AMP_CACHE
    elif parts.host in ("www.google.com", "google.com"):
        pattern = _GOOGLE_AMP
    match = pattern.fullmatch(parts.path) if pattern else None
    if match is None:
        return None
    inner = _parse(f"{'https' if match[1] else 'http'}://{match[2]}{match[3] or '/'}")
    return inner and replace(inner, query=parts.query, fragment=parts.fragment)


def _normalise_escapes(text: str) -> str:
    """The text percent-encoded only where necessary, with upper-case hex digits."""
    return _ESCAPE.sub(_normalise_escape, text)


def _normalise_escape(match: re.Match[str]) -> str:
    code = match[1]
    if code is None:
        return quote(match[0].encode("utf-8", "surrogatepass"), safe="")
    value = int(code, 16)
    return chr(value) if value in _UNRESERVED else f"%{code.upper()}"


def _resolve_dots(path: str) -> str:
    """The path with `.` and `..` resolved."""
    segments: list[str] = []
    *leading, last = path.split("/")[1:] or [""]
    for segment in (*leading, last):
        if segment == "..":
            del segments[-1:]
        elif segment != ".":
            segments.append(segment)
    if last in (".", ".."):
        segments.append("")
    return "/" + "/".join(segments)


def _strip_amp(path: str) -> str:
    """The path of the page itself, without `/amp` after an article or `.amp` before `.html`."""
    stem, dot, kind = path.rpartition(".")
    if kind in ("html", "htm"):
        while stem.endswith(".amp"):
            stem = stem.removesuffix(".amp")
        return stem + dot + kind
    above, _, last = path.removesuffix("/").rpartition("/")
    if last == "amp" and _ARTICLE.search(above.rpartition("/")[2]):
        return _strip_amp(above)
    return path


def _without(query: str, is_dropped: Callable[[str, str], bool]) -> str:
    """The query without such parameters; the others keep their order and encoding."""
    fields = (field.partition("=") for field in query.split("&"))
    return "&".join(
        name + equals + value
        for name, equals, value in fields
        if (name or equals) and not is_dropped(unquote(name), unquote(value))
    )


def _fragment_suffix(parts: _Parts) -> str:
    return f"#{parts.fragment}" if parts.fragment else ""
