"""Brand sites: the domain of a company, its homepage, and the usual addresses of brand pages."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from sourcewright.base.errors import InvalidInput
from sourcewright.base.spellings import clean_url, quoted_for_message
from sourcewright.base.text.words import fold_for_search
from sourcewright.base.urls.canonical import host_of
from sourcewright.base.urls.parts import canonical_host, ends_in_a_number
from sourcewright.base.urls.suffixes import registrable_domain
from sourcewright.domain.web.hits import WebHit

SUBDOMAINS = ("brand", "brandbook", "identity", "style", "design")
PATHS = (
    *("/brand", "/brand-guidelines", "/brand-guide", "/brandbook", "/brand-book"),
    *("/brand-identity", "/brand-portal", "/brand-center", "/brand-assets", "/brand-resources"),
    *("/brand-kit", "/branding", "/about/brand", "/company/brand", "/style-guide", "/styleguide"),
    *("/press-kit", "/media-kit", "/logos", "/identity", "/press"),
)
_AMBIGUOUS = frozenset({"identity", "style", "design", "/logos", "/identity", "/press"})
"""Addresses that sites also use for other things: the page itself must speak of the brand."""
_MAX_LENGTH = 2048
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_DOMAIN = re.compile(r"[^\s/@?#.]+(?:\.[^\s/@?#.]+)*\.[^\s/@?#.]{2,}")
_IP = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_COMPANY_ENDINGS_LIST = (
    "ab ag bv co company corp corporation gmbh group holding holdings inc incorporated kg kk limited"
    " llc llp ltd nv oy plc sa sarl sas se spa srl the"
)
_COMPANY_ENDINGS = frozenset(_COMPANY_ENDINGS_LIST.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandSite:
    """The site of a company."""

    domain: str
    origin: str
    """Scheme, host and port of the homepage."""

    @property
    def port(self) -> int | None:
        """The port, if it is not the usual one."""
        return urlsplit(self.origin).port

    @property
    def homepage(self) -> str:
        return f"{self.origin}/"

    @property
    def fallback_homepage(self) -> str | None:
        """The homepage under `www`, for sites that have no other."""
        host = host_of(self.origin)
        return (
            None if host.startswith("www.") else self.origin.replace(host, f"www.{host}", 1) + "/"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandAddress:
    """An address at which brand pages are common."""

    url: str
    ambiguous: bool
    """Whether sites also use such an address for other things."""
    is_host: bool = False
    """Whether it is a host of its own rather than a path."""


def looks_like_domain(text: str) -> bool:
    """Whether a text is a URL, a domain or an IP address rather than the name of a company."""
    stripped = text.strip()[:_MAX_LENGTH]
    host = stripped.partition("/")[0].partition(":")[0]
    return bool(_SCHEME.match(stripped) or _DOMAIN.fullmatch(host) or _IP.fullmatch(host))


def brand_site(text: str) -> BrandSite:
    """The site of a domain or URL, whatever its path.

    Raises:
        InvalidInput: It is neither.
    """
    url = clean_url(text)[:_MAX_LENGTH]
    url = url if _SCHEME.match(url) else f"https://{url}"
    try:
        parts = urlsplit(url)
        host, port = canonical_host(parts.hostname or ""), parts.port
    except ValueError as error:
        raise InvalidInput(
            f"{quoted_for_message(text)} is not a domain or URL: {error}"
        ) from error
    if parts.scheme not in ("http", "https"):
        raise InvalidInput(f"{quoted_for_message(text)} is not an http(s) URL")
    if parts.username or parts.password:
        raise InvalidInput("a URL with a user name or password is not accepted")
    bracketed = f"[{host}]" if ":" in host else host
    origin = f"{parts.scheme}://{bracketed}" + (f":{port}" if port else "")
    return BrandSite(domain=host.removeprefix("www."), origin=origin)


def require_domain_name(site: BrandSite) -> None:
    """Refuse an IP address or a bare host name: a brand has neither.

    Raises:
        InvalidInput: It is no domain name.
    """
    if ":" in site.domain or ends_in_a_number(site.domain) or "." not in site.domain:
        raise InvalidInput(f"{site.domain} is not a domain name such as example.com")


def brand_addresses(site: BrandSite) -> tuple[BrandAddress, ...]:
    """The 26 usual addresses of brand pages, the most likely first."""
    scheme = site.origin.partition("://")[0]
    hosts = [
        BrandAddress(
            url=f"{scheme}://{name}.{site.domain}/", ambiguous=name in _AMBIGUOUS, is_host=True
        )
        for name in SUBDOMAINS
    ]
    paths = [
        BrandAddress(url=f"{site.origin}{path}", ambiguous=path in _AMBIGUOUS) for path in PATHS
    ]
    return (*hosts, *paths)


def control_address(site: BrandSite) -> str:
    """An address that no site has: one that answers it answers everything (soft 404)."""
    mark = hashlib.sha256(site.domain.encode()).hexdigest()[:12]
    return f"{site.origin}/no-such-page-{mark}"


def control_host(site: BrandSite) -> str:
    """A host that no domain has, unless all its subdomains lead to one place (wildcard DNS)."""
    mark = hashlib.sha256(site.domain.encode()).hexdigest()[:12]
    scheme = site.origin.partition("://")[0]
    return f"{scheme}://no-such-host-{mark}.{site.domain}/"


def is_same_host(one: str, other: str) -> bool:
    """Whether two URLs are on one host, with or without `www`."""
    return host_of(one).removeprefix("www.") == host_of(other).removeprefix("www.")


def is_on_domain(url: str, domain: str) -> bool:
    """Whether a URL belongs to the owner of a domain."""
    return registrable_domain(host_of(url)) == registrable_domain(domain)


def company_domains(name: str, hits: Iterable[WebHit]) -> tuple[str, ...]:
    """The domains among search results that are spelled as the company, best first."""
    spellings = _spellings(name)
    domains = dict.fromkeys(registrable_domain(host_of(hit.url)) for hit in hits)
    return tuple(
        domain
        for domain in domains
        if "." in domain and domain.partition(".")[0].replace("-", "") in spellings
    )


def _spellings(name: str) -> frozenset[str]:
    """A company's name as one word, with and without endings such as `Inc`."""
    words = re.findall(r"[a-z0-9]+", fold_for_search(name[:200]))
    plain = [word for word in words if word not in _COMPANY_ENDINGS]
    return frozenset(filter(None, ("".join(words), "".join(plain))))
