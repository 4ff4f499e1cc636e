"""Invented companies and their brand pages: a portal, a path, a script-rendered page, soft 404s."""

import json
from collections.abc import Callable

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import HTML, Request, Response, as_page, as_text

LUMENFJORD, SALTWICK, ECHO, QUIET, SCRIPTED = (
    "lumenfjord.example",
    "saltwick.example",
    "echo-everything.example",
    "quiet-mill.example",
    "harbourlight.example",
)
_SUBDOMAINS = ("brand", "brandbook", "identity", "style", "design")
HOSTS = tuple(
    host
    for domain in (LUMENFJORD, SALTWICK, ECHO, QUIET, SCRIPTED)
    for host in (domain, f"www.{domain}", *(f"{name}.{domain}" for name in _SUBDOMAINS))
)
_ABOUT_PAGE = (
    "<p>We have built lamps for harbours and long winters since the first ferry came through the"
    " ice, and every one of them is made to be repaired rather than replaced.</p>"
)
_COMPANY = {
    "@context": "https://schema.org",
    "@graph": [
        {
            "@type": ["Organization", "Corporation"],
            "name": "Lumenfjord",
            "url": "https://www.lumenfjord.example/",
            "slogan": "Light that stays",
            "description": "Lamps for harbours and long winters.",
            "industry": "Lighting",
            "foundingDate": "1987-04-02",
            "address": {
                "@type": "PostalAddress",
                "addressLocality": "Port Meridian",
                "addressCountry": {"@type": "Country", "name": "Norland"},
            },
            "logo": {
                "@type": "ImageObject",
                "url": "/files/lumenfjord.svg",
                "width": 320,
                "height": {"@type": "QuantitativeValue", "value": "80"},
            },
            "sameAs": [
                "https://www.linkedin.com/company/lumenfjord/",
                "https://github.com/lumenfjord",
            ],
        },
        {"@type": "WebSite", "name": "Lumenfjord", "url": "https://www.lumenfjord.example/"},
    ],
}


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    if request.host.endswith(ECHO):
        return as_page(
            "Welcome to Echo", f"<p>We echo everything, and brand nothing.</p>{_ABOUT_PAGE}"
        )
    page = _PAGES.get((request.host.removeprefix("www."), request.path))
    if page is None:
        return as_page("Not here", "<p>There is no such page.</p>", status=404)
    return page()


def _home() -> Response:
    head = (
        f'<script type="application/ld+json">{json.dumps(_COMPANY)}</script>'
        '<meta name="theme-color" content="#0B3C5D">'
        '<meta property="og:image" content="/files/share.png">'
        '<link rel="icon" href="/favicon.svg" type="image/svg+xml">'
        '<link rel="apple-touch-icon" sizes="180x180" href="/files/touch.png">'
        '<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Fjord+One&amp;'
        'family=Inter:wght@400;600&amp;display=swap">'
        '<meta name="twitter:site" content="@lumenfjord">'
    )
    links = (
        '<a href="https://www.youtube.com/@lumenfjord">Films</a>'
        '<a href="https://twitter.com/intent/tweet?text=x">Share</a>'
        '<a href="https://www.instagram.com/one_friend/">A friend</a>'
        '<a href="https://www.instagram.com/another/">Another friend</a>'
    )
    return as_page("Lumenfjord", f"{_ABOUT_PAGE}{links}", head=head)


def _portal() -> Response:
    text = (
        '<nav><a href="/colors">Colours</a> <a href="/type/">Typography</a>'
        ' <a href="https://elsewhere.example/logo">Partner logos</a></nav>'
        f"<p>Everything you need to show our brand as it is.</p>{_ABOUT_PAGE}"
        '<h2>Logos</h2><a href="/files/logo-lumenfjord.svg">Download the logo</a>'
        '<img src="/files/logo-reversed.png" alt="Logo on dark backgrounds" width="640" height="160">'
        "<h2>Tone of voice</h2><p>Calm, exact and never louder than the sea.</p>"
        "<ul><li>Calm</li><li>Exact</li></ul>"
        "<h3>Do</h3><ul><li>Name the lamp before the light</li></ul>"
        "<h3>Don\u2019t</h3><ul><li>Promise sunshine</li></ul>"
        "<h2>Misuse</h2><p>Never set the logo in #FF00FF.</p>"
    )
    return as_page("Lumenfjord brand portal", text)


def _colours() -> Response:
    text = (
        "<h2>Primary colours</h2>"
        "<div><span>Deep Fjord</span><span>#0B3C5D</span><span>RGB 11 60 93</span></div>"
        "<div><div>Signal</div><div>HEX #F2B134</div><div>CMYK 5 30 85 0</div></div>"
        "<h2>Secondary colours</h2><table><tr><th>Name</th><th>Code</th></tr>"
        "<tr><td>Mist</td><td>#E8EEF2</td></tr></table>"
        "<h2>Accent</h2><p>Ember: RGB(217, 72, 15)</p>"
        "<h2>Text colour</h2><p>Ink #1a1a1a</p>"
    )
    return as_page("Colours", f"{text}{_ABOUT_PAGE}")


def _type() -> Response:
    text = (
        "<h2>Our fonts</h2><p>Headlines: Fjord One</p><p>Body text: Inter Regular 400</p>"
        "<p>Code: Fjord Mono</p><p>H1 48px</p><p>Body 16px</p>"
    )
    return as_page("Typography", f"{text}{_ABOUT_PAGE}")


def _saltwick() -> Response:
    head = (
        '<meta property="og:site_name" content="Saltwick">'
        '<meta name="description" content="Salt from the north shore.">'
    )
    return as_page("Saltwick | Salt", _ABOUT_PAGE, head=head)


def _saltwick_guidelines() -> Response:
    text = (
        "<h2>Colours</h2><h3>Sea Grey</h3><p>#7a8b99</p><h3>Kelp</h3><p>#2f4f3a</p>"
        f"<h2>Press</h2><p>Photograph no. #123456 is free to use.</p>{_ABOUT_PAGE}"
    )
    return as_page("Saltwick brand guidelines", text)


def _scripted() -> Response:
    text = "<h1>Harbourlight brand</h1><h2>Primary colour</h2><p>Beacon #D7263D</p>" + _ABOUT_PAGE
    page = (
        '<!DOCTYPE html><html><head><meta charset="utf-8"><title>Harbourlight brand</title></head>'
        '<body><div id="app"></div><script>'
        f"document.getElementById('app').innerHTML = {json.dumps(text)};</script></body></html>"
    )
    return as_text(page, content_type=HTML)


_PAGES: dict[tuple[str, str], Callable[[], Response]] = {
    (LUMENFJORD, "/"): _home,
    (f"brand.{LUMENFJORD}", "/"): _portal,
    (f"brand.{LUMENFJORD}", "/colors"): _colours,
    (f"brand.{LUMENFJORD}", "/type/"): _type,
    (LUMENFJORD, "/press"): lambda: as_page("News", f"<p>What is new.</p>{_ABOUT_PAGE}"),
    (SALTWICK, "/"): _saltwick,
    (SALTWICK, "/press"): lambda: as_page("News from the shore", _ABOUT_PAGE),
    (SALTWICK, "/about-us/our-look"): _saltwick_guidelines,
    (QUIET, "/"): lambda: as_page("Quiet Mill", _ABOUT_PAGE),
    (SCRIPTED, "/"): lambda: as_page("Harbourlight", _ABOUT_PAGE),
    (f"brand.{SCRIPTED}", "/"): _scripted,
}
