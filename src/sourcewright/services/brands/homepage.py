"""Homepage of a company: identity, logos and social profiles from linked data and meta tags."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from sourcewright.base.text.plain import plain_text
from sourcewright.base.urls.canonical import host_of
from sourcewright.base.urls.suffixes import registrable_domain
from sourcewright.domain.records.brands import (
    BrandFacts,
    BrandIdentity,
    Colour,
    Logo,
    Logos,
    Typography,
)
from sourcewright.reading.html.linked_data import as_sequence, main_objects, type_names
from sourcewright.services.brands.markup import Markup, clean, http_url
from sourcewright.services.brands.palette import hex_of

Thing = Mapping[str, Any]

_ORGANISATIONS_LIST = (
    "airline brand collegeoruniversity corporation educationalorganization governmentorganization"
    " localbusiness medicalorganization newsmediaorganization ngo onlinebusiness onlinestore"
    " organization performinggroup restaurant sportsorganization store"
)
_ORGANISATIONS = frozenset(_ORGANISATIONS_LIST.split())
_MAX_TEXT = 1000
_MAX_VALUE = 10_000
_SIZES = re.compile(r"(\d{1,5})x(\d{1,5})", re.IGNORECASE)
_FORMATS = {"jpeg": "jpg", "svg+xml": "svg", "x-icon": "ico", "vnd.microsoft.icon": "ico"}
_KNOWN_FORMATS = frozenset(("avif", "eps", "gif", "ico", "jpg", "pdf", "png", "svg", "webp"))
_HANDLE = r"[\w.-]{1,100}"
_PROFILES = {
    "twitter": re.compile(rf"(?:twitter|x)\.com/@?(?P<account>{_HANDLE})"),
    "linkedin": re.compile(
        rf"(?:[a-z]{{2}}\.)?linkedin\.com/(?P<account>(?:company|school|showcase)/{_HANDLE})"
    ),
    "github": re.compile(rf"github\.com/(?P<account>{_HANDLE})"),
    "youtube": re.compile(
        rf"youtube\.com/(?P<account>@{_HANDLE}|(?:c|channel|user)/{_HANDLE}|{_HANDLE})"
    ),
    "facebook": re.compile(rf"facebook\.com/(?P<account>(?:pages/{_HANDLE}/)?{_HANDLE})"),
    "instagram": re.compile(rf"instagram\.com/(?P<account>{_HANDLE})"),
}
_NO_ACCOUNTS_LIST = (
    "about ads business channel company dialog embed explore features feed hashtag help home i"
    " intent legal login p playlist privacy policies r reel results search settings share sharer"
    " sharer.php shorts signup tos tr user watch"
)
_NO_ACCOUNTS = frozenset(_NO_ACCOUNTS_LIST.split())
"""First parts of paths that are functions of the networks."""


def homepage_facts(page: Markup, domain: str) -> BrandFacts:
    """What a homepage states in its linked data, meta tags and links."""
    company = _company(page, domain)
    theme = hex_of(page.meta("theme-color") or "")
    return BrandFacts(
        identity=_identity(page, company),
        palette=(Colour(hex=theme),) if theme else (),
        logos=_logos(page, company),
        typography=Typography(google_fonts_url=google_fonts_url(page)),
        social=social_profiles(page, company),
    )


def google_fonts_url(page: Markup) -> str | None:
    """The style sheet of Google Fonts that a page links."""
    hrefs = (one.get("href", "") for one in page.head_links if "stylesheet" in one.get("rel", ""))
    urls = (http_url(href, page.url) for href in hrefs)
    return next((url for url in urls if url and host_of(url) == "fonts.googleapis.com"), None)


def social_profiles(page: Markup, company: Thing) -> dict[str, str]:
    """The company's profile on each network.

    Of the links of a page, only those count that name one account of a network: a page may also
    link to the accounts of others.
    """
    links = [
        clean(text) for value in as_sequence(company.get("sameAs")) if (text := _plain(value))
    ]
    profiles = _single_accounts(links, first=True)
    handle = page.meta("twitter:site") or ""
    if re.fullmatch(r"@\w{1,50}", handle):
        profiles.setdefault("twitter", f"https://x.com/{handle[1:]}")
    linked = _single_accounts([link.url for link in page.links], first=False)
    return {
        name: profiles.get(name) or linked[name]
        for name in _PROFILES
        if name in {**linked, **profiles}
    }


def logo_of(url: str, media_type: str = "", sizes: str = "") -> Logo:
    """A logo with its format, by media type or file name, and its declared size."""
    kind = media_type.partition("/")[2].lower().partition(";")[0]
    ending = urlsplit(url).path.rpartition(".")[2].lower()
    known = [_FORMATS.get(one, one) for one in (kind, ending)]
    size = _SIZES.search(sizes)
    return Logo(
        url=url,
        format=next((one for one in known if one in _KNOWN_FORMATS), None),
        width=int(size[1]) if size else None,
        height=int(size[2]) if size else None,
    )


def _company(page: Markup, domain: str) -> Thing:
    """The organisation that the linked data describes, unless that is another site's."""
    things = [thing for block in page.json_ld for thing in main_objects(block)]
    nested = [one for thing in things if isinstance(one := thing.get("publisher"), dict)]
    companies = [one for one in (*things, *nested) if type_names(one) & _ORGANISATIONS]
    own = registrable_domain(domain)

    def is_own(one: Thing) -> bool:
        url = _plain(one.get("url"))
        return url is not None and registrable_domain(host_of(url)) == own

    unlocated = (one for one in companies if not host_of(_plain(one.get("url")) or ""))
    return next(filter(is_own, companies), None) or next(unlocated, {})


def _identity(page: Markup, company: Thing) -> BrandIdentity:
    return BrandIdentity(
        name=_text(company, "name") or page.meta("og:site_name", "application-name"),
        tagline=_text(company, "slogan"),
        description=_text(company, "description")
        or page.meta("description", "og:description", "twitter:description"),
        industry=_text(company, "industry"),
        founded=_text(company, "foundingDate"),
        location=_place(company.get("address")) or _place(company.get("location")),
    )


def _plain(value: Any) -> str | None:
    """A value of linked data as text; None for an object, which pages put anywhere."""
    is_text = isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))
    return (plain_text(str(value)[:_MAX_VALUE]) or None) if is_text else None


def _text(thing: Thing, name: str) -> str | None:
    text = _plain(next(iter(as_sequence(thing.get(name))), None))
    return (clean(text, _MAX_TEXT) or None) if text else None


def _place(value: Any) -> str | None:
    """An address in one line: its town, region and country, or as it is written."""
    first = next(iter(as_sequence(value)), None)
    if not isinstance(first, dict):
        text = _plain(first)
        return clean(text, _MAX_TEXT) if text else None
    inner = first.get("address")
    if isinstance(inner, dict | str):
        return _place(inner)
    country = first.get("addressCountry")
    parts = (
        _text(first, "addressLocality"),
        _text(first, "addressRegion"),
        _text(country, "name") if isinstance(country, dict) else _text(first, "addressCountry"),
    )
    return ", ".join(filter(None, parts)) or None


def _logos(page: Markup, company: Thing) -> Logos:
    icons = [one for one in page.head_links if "icon" in one.get("rel", "").lower().split()]
    touch = [one for one in page.head_links if "apple-touch-icon" in one.get("rel", "").lower()]
    og_image = page.meta("og:image:secure_url", "og:image", "og:image:url")
    return Logos(
        primary=_stated_logo(company.get("logo"), page.url),
        icon=next(_linked_logos(touch, page.url), None),
        favicon=next((one.url for one in _linked_logos(icons, page.url)), None),
        og_image=http_url(og_image, page.url) if og_image else None,
    )


def _linked_logos(links: Iterable[Mapping[str, str]], base: str) -> Iterator[Logo]:
    for one in links:
        url = http_url(one["href"], base) if one.get("href") else None
        if url:
            yield logo_of(url, one.get("type", ""), one.get("sizes", ""))


def _stated_logo(value: Any, base: str) -> Logo | None:
    """The logo of an organisation: a URL, or an image with its size."""
    first = next(iter(as_sequence(value)), None)
    image = first if isinstance(first, dict) else {"url": first}
    address = _plain(image.get("contentUrl")) or _plain(image.get("url"))
    url = http_url(address, base) if address else None
    if url is None:
        return None
    sizes = f"{_pixels(image.get('width'))}x{_pixels(image.get('height'))}"
    return logo_of(url, _plain(image.get("encodingFormat")) or "", sizes)


def _pixels(value: Any) -> str:
    number = value.get("value") if isinstance(value, dict) else value
    digits = re.match(r"\d{1,5}", _plain(number) or "")
    return digits[0] if digits else ""


def _single_accounts(urls: Iterable[str], *, first: bool) -> dict[str, str]:
    """The account on each network; without `first`, only where the URLs name a single one."""
    accounts: dict[str, dict[str, str]] = {}
    for url in urls:
        for network, account in _accounts(url):
            accounts.setdefault(network, {}).setdefault(account, url)
    return {
        network: next(iter(names.values()))
        for network, names in accounts.items()
        if first or len(names) == 1
    }


def _accounts(url: str) -> Iterator[tuple[str, str]]:
    address = url.partition("://")[2].partition("?")[0].partition("#")[0].rstrip("/")
    address = address.removeprefix("www.")
    for network, pattern in _PROFILES.items():
        match = pattern.fullmatch(address) if len(address) < 300 else None
        account = match["account"].lower() if match else ""
        if account and account not in _NO_ACCOUNTS:
            yield network, account
