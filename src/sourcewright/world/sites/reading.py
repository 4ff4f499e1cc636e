"""Invented pages for scrape_page: articles, documents, bot challenges, script-rendered pages, unusual bodies."""

import gzip
import json
from collections.abc import Callable, Mapping

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import (
    HTML,
    Request,
    Response,
    as_page,
    as_redirect,
    as_text,
)

HOSTS = (
    *("pages.meridian.example", "journal.meridian.example", "consent.meridian.example"),
    "www.nature.com",
)
MARKDOWN = "text/markdown; charset=utf-8"
DOI = "10.5555/retracted-paper"
_SENTENCE = (
    "The harbour at Meridian was built for the spring tides, and its keepers write down each of"
    " them with the hour, the height and the wind that came with it. "
)
_NOTES = "".join(
    f"## Year {year}\n\n{_SENTENCE}In {year} the highest water stood at {year - 1800} cm. \u2014 caf\u00e9\n\n"
    for year in range(1900, 2000)
)


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    page = _PAGES.get(request.path)
    if page is None:
        return as_page("Not here", "<p>There is no such page.</p>", status=404)
    return page(request)


def _article(request: Request) -> Response:
    head = (
        '<meta name="author" content="Ada Quill"><meta property="og:title" content="The harbour">'
        '<meta property="og:site_name" content="Meridian Pages">'
        '<meta property="article:published_time" content="2024-03-09">'
        f'<script type="application/ld+json">{json.dumps({"@type": "NewsArticle"})}</script>'
    )
    text = "".join(f"<h2>Part {n}</h2><p>{_SENTENCE * 3}</p>" for n in (1, 2, 3))
    if "text/markdown" in request.headers.get("accept", "") and request.path == "/negotiated":
        return as_text(f"# The harbour\n\n{_SENTENCE * 3}", content_type=MARKDOWN)
    return as_page("The harbour", f"<article>{text}</article>", head=head)


def _paper(request: Request) -> Response:
    doi_tag = f'<meta name="citation_doi" content="{DOI}">' if request.path == "/paper" else ""
    head = f'<meta name="citation_journal_title" content="Tides">{doi_tag}'
    return as_page("A fine paper", f"<article><p>{_SENTENCE * 5}</p></article>", head=head)


def _compressed(_: Request) -> Response:
    return Response(
        body=gzip.compress(f"# Packed\n\n{_SENTENCE * 3}".encode()),
        content_type=MARKDOWN,
        headers=(("Content-Encoding", "gzip"),),
    )


def _latin(_: Request) -> Response:
    text = f"<html><body><article><p>Caf\u00e9. {_SENTENCE * 4}</p></article></body></html>"
    return Response(body=text.encode("latin-1"), content_type="text/html; charset=iso-8859-1")


def _shell(_: Request) -> Response:
    script = f"<script>{'var x = 1;' * 4000}</script>"
    text = f"<div id='app'><p>Loading the tide tables of the harbour, a moment.</p></div>{script}"
    return as_page("Tides", text)


def _picky(request: Request) -> Response:
    """Admits clients with a user agent of their own, and refuses browsers."""
    if "Mozilla" in request.headers.get("user-agent", ""):
        return as_page("No", "<p>No browsers.</p>", status=403)
    return _article(request)


def _challenge(request: Request) -> Response:
    """A bot challenge: a script, with the header that marks it as one."""
    script = "<script>window._cf_chl_opt = {cZone: 'pages.meridian.example'};</script>"
    status = int(request.path.rpartition("/")[2])
    headers = (("cf-mitigated", "challenge"),) if status != 200 else ()
    body = f"<html><body><div></div>{script}</body></html>".encode()
    return Response(status=status, body=body, content_type=HTML, headers=headers)


_WALL = "<p>Just a moment...</p><p>Checking your browser before you proceed.</p>"
_LOGIN = "<form><p>Please log in to go on.</p><input type=password></form>"
_ON = '<meta http-equiv="refresh" content="{}">'
_PAGES: Mapping[str, Callable[[Request], Response]] = {
    "/article": _article,
    "/negotiated": _article,
    "/picky": _picky,
    "/paper": _paper,
    f"/doi/full/{DOI}": _paper,
    "/articles/unnamed": _paper,
    "/notes.md": lambda _: as_text(f"# Tide notes\n\n{_NOTES}", content_type=MARKDOWN),
    "/packed": _compressed,
    "/latin": _latin,
    "/shell": _shell,
    "/wall": lambda _: as_page("Just a moment...", _WALL),
    **{f"/challenge/{status}": _challenge for status in (200, 202, 403, 405, 429, 503)},
    "/signpost": lambda _: as_page("Gone on", "", head=_ON.format("0; url=article#part")),
    "/late": lambda _: as_page("Later", "<p>News.</p>", head=_ON.format("300; url=/article")),
    "/spinning": lambda _: as_page("On", "", head=_ON.format("0; url=/turning")),
    "/turning": lambda _: as_page("On", "", head=_ON.format("0;url='/spinning'")),
    "/astray": lambda _: as_page("On", "", head=_ON.format("0; url=http://10.0.0.1/")),
    "/cookies": lambda _: as_redirect("https://consent.meridian.example/m?continue=x"),
    "/m": lambda _: as_page("Before you go on", f"<p>We use cookies. {_SENTENCE * 5}</p>"),
    "/blank": lambda _: as_page("", ""),
    "/members": lambda _: as_redirect("/login?next=/members"),
    "/login": lambda _: as_page("Log in", _LOGIN),
    "/moved": lambda _: as_redirect("https://pages.meridian.example/article"),
    "/inside": lambda _: as_redirect("http://169.254.169.254/latest/meta-data/"),
    "/elsewhere": lambda _: as_redirect("https://journal.meridian.example/paper"),
    "/data.json": lambda _: Response(body=b'{"tide": [1, 2, 3]}'),
    "/big.json": lambda _: Response(body=json.dumps(["tide"] * 10_000).encode()),
    "/huge.txt": lambda _: as_text(_SENTENCE * 40_000),
    "/picture": lambda _: Response(body=b"\x89PNG\r\n\x1a\n" + b"\x00" * 64, content_type=HTML),
}
