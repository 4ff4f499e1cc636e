"""Canonical URLs: normalises them so that duplicates are recognised; drops tracking parameters.

Hosts are read as browsers read them. What is no web address comes back as it is; nothing
here raises.

Which fields of a query only count visitors, and never choose the page.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import quote, unquote

from sourcewright.domain.spellings import web_spelling
from sourcewright.logic.urls.parts import canonical_host

_NAMES = re.compile(
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


def counts_visitors(name: str, value: str) -> bool:
    """Whether a field says how somebody came, or asks for the same page as AMP."""
    plain = name.lower()
    while plain.startswith("amp;"):
        plain = plain.removeprefix("amp;")
    return bool(_NAMES.fullmatch(plain)) or (plain, value.lower()) in _AMP


_ADDRESS = re.compile(
    r"(https?):/*([^/?#]+)([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.IGNORECASE | re.DOTALL
)
_AUTHORITY = re.compile(
    r"(?:.*@)?(\[[^\]]*\]|[^:\[\]]*)(?::(6553[0-5]|[0-9]{0,4}|[0-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]))?",
    re.DOTALL,
)
_LONGEST = 8192
_LONGEST_HOST = 1024
_REMEMBERED = 512
"""Addresses whose reading is kept: those of one answer are compared many times."""

DEFAULT_PORTS = {"http": 80, "https": 443}
_ROUTES = ("!", "/")
"""How fragments begin that choose the page, in sites that are one script."""

_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})|%|[^!$&'()*+,;=:@/?~\-._A-Za-z0-9]+")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

_AMP_CACHE = re.compile(r"/(?:c|v|wp)/(s/)?([^/]+\.[^/]+)(/.*)?")
_GOOGLE_AMP = re.compile(r"/amp/(s/)?([^/]+\.[^/]+)(/.*)?")
_ARTICLE = re.compile(r"-[^-]*-|[0-9]{4}|\.html?$")
"""A headline, a number or a file: behind it, `amp` is a form of the page and no word."""

_MOBILE_WIKI = re.compile(
    r"([a-z-]+)\.m\.(wik(?:ipedia|tionary|i(?:books|news|quote|source|versity|voyage))\.org)"
)
_VARIANT_HOST = re.compile(r"(?:m|mobile|amp)\.(.+\..+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A web address in its parts, each in its one spelling."""

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


def canonical(url: str) -> str:
    """The address without what only counts visitors, and of the page itself rather than its AMP.

    The parameters that are kept stay in their order. Names and passwords are left out: they
    say who asks, not for what.
    """
    place = _page(url)
    if place is None:
        return url
    query = f"?{place.query}" if place.query else ""
    return f"{place.scheme}://{place.site}{place.path}{query}{_tail(place)}"


def without_anchor(url: str) -> str:
    """The address without a fragment that only points into its page."""
    page, _, fragment = url.partition("#")
    return url if fragment.startswith(_ROUTES) else page


def identity(url: str) -> str:
    """A key that two addresses share when they lead to one page."""
    text = url.strip()
    return text if len(text) > _LONGEST else _identity(text)


@lru_cache(maxsize=_REMEMBERED)
def _identity(text: str) -> str:
    place = _page(text)
    if place is None:
        return text
    site = place.site.removeprefix("www.") if place.site.count(".") > 1 else place.site
    wiki = _MOBILE_WIKI.fullmatch(site)
    variant = _VARIANT_HOST.fullmatch(site)
    if wiki:
        site = f"{wiki[1]}.{wiki[2]}"
    elif variant and place.path != "/":
        # On another page than the first, one path on both hosts means one article.
        site = variant[1].removeprefix("www.")
    fields = sorted(place.query.split("&"), key=lambda field: field.partition("=")[0])
    query = "&".join(fields).replace("+", "%20")
    return f"{site}{place.path.rstrip('/')}{'?' if query else ''}{query}{_tail(place)}"


def host_of(url: str) -> str:
    """The host's name in lower case and ASCII; empty where there is none."""
    place = _place(url)
    return "" if place is None else place.host


def is_on(url: str, sites: Iterable[str]) -> bool:
    """Whether an address belongs to one of these hosts, and below its path where it has one.

    What the address says about other hosts, in a user name, a path or a query, counts for
    nothing.
    """
    place = _place(url)
    if place is None:
        return False
    return any(_belongs(place, *_site(site)) for site in sites)


def _belongs(place: _Place, name: str, below: str) -> bool:
    # A site that is named with its `www.` is that host and the bare one, not all its neighbours.
    hosts = (name, name.removeprefix("www."))
    if not name or not (place.host in hosts or place.host.endswith(f".{name}")):
        return False
    path = place.path.lower()
    return not below or path == below or path.startswith(f"{below}/")


@lru_cache(maxsize=1024)
def _site(text: str) -> tuple[str, str]:
    """A host and the path below which pages count, in the spelling of addresses."""
    place = _place(f"https://{text.strip()}")
    if place is None:
        return "", ""
    return place.host, place.path.lower().rstrip("/")


def _page(url: str) -> _Place | None:
    """The page that an address stands for; AMP caches name it in the path."""
    place = _place(url)
    while place is not None and (inner := _cached(place)) is not None:
        place = inner
    if place is None:
        return None
    return replace(place, path=_without_amp(place.path), query=_kept(place.query))


def _place(url: str) -> _Place | None:
    text = url.strip()
    return None if len(text) > _LONGEST else _read(text)


@lru_cache(maxsize=_REMEMBERED)
def _read(text: str) -> _Place | None:
    found = _ADDRESS.fullmatch(web_spelling(text))
    if found is None:
        return None
    site = _AUTHORITY.fullmatch(found[2])
    if site is None or len(site[1]) > _LONGEST_HOST:
        return None
    try:
        host = canonical_host(site[1])
    except ValueError:
        return None
    scheme, fragment = found[1].lower(), found[5] or ""
    port = int(site[2]) if site[2] else None
    return _Place(
        scheme=scheme,
        host=host,
        port=None if port == DEFAULT_PORTS[scheme] else port,
        path=_without_dots(_spelled(found[3])),
        query=_spelled(found[4] or ""),
        fragment=_spelled(fragment) if fragment.startswith(_ROUTES) else "",
    )


def _cached(place: _Place) -> _Place | None:
    """The address inside that of an AMP cache; None for any other address."""
    shape = None
    if place.host.endswith(".cdn.ampproject.org"):
        shape = _AMP_CACHE
    elif place.host in ("www.google.com", "google.com"):
        shape = _GOOGLE_AMP
    named = shape.fullmatch(place.path) if shape else None
    if named is None:
        return None
    inner = _place(f"{'https' if named[1] else 'http'}://{named[2]}{named[3] or '/'}")
    return inner and replace(inner, query=place.query, fragment=place.fragment)


def _spelled(text: str) -> str:
    """Escaped where it must be and nowhere else, with capital digits."""
    return _ESCAPE.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    code = found[1]
    if code is None:
        return quote(found[0].encode("utf-8", "surrogatepass"), safe="")
    value = int(code, 16)
    return chr(value) if value in _UNRESERVED else f"%{code.upper()}"


def _without_dots(path: str) -> str:
    """Steps down and up again lead nowhere."""
    steps: list[str] = []
    *way, last = path.split("/")[1:] or [""]
    for step in (*way, last):
        if step == "..":
            del steps[-1:]
        elif step != ".":
            steps.append(step)
    if last in (".", ".."):
        steps.append("")
    return "/" + "/".join(steps)


def _without_amp(path: str) -> str:
    """The path of the page itself: `/a-long-headline/amp` and `/story.amp.html` are forms of it."""
    stem, dot, kind = path.rpartition(".")
    if kind in ("html", "htm"):
        while stem.endswith(".amp"):
            stem = stem.removesuffix(".amp")
        return stem + dot + kind
    above, _, last = path.removesuffix("/").rpartition("/")
    if last == "amp" and _ARTICLE.search(above.rpartition("/")[2]):
        return _without_amp(above)
    return path


def _kept(query: str) -> str:
    """The fields that choose the page, in their own order and spelling."""
    fields = (field.partition("=") for field in query.split("&"))
    return "&".join(
        name + joint + value
        for name, joint, value in fields
        if (name or joint) and not counts_visitors(unquote(name), unquote(value))
    )


def _tail(place: _Place) -> str:
    return f"#{place.fragment}" if place.fragment else ""
