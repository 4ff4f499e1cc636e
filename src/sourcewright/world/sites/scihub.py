"""Shadow mirrors: pages that embed a paper, in every layout that such pages have had."""

from collections.abc import Callable
from html import escape
from urllib.parse import quote, unquote

from sourcewright.world import pdf
from sourcewright.world.corpus import Corpus, Work
from sourcewright.world.messages import HTML, PDF, Request, Response, as_text

_FIRST, _SECOND = "mirror.shadow.example", "second.shadow.example"
_VAULT = "vault.shadow.example"
HOSTS = (_FIRST, _SECOND, _VAULT)

_FOLDER = "/downloads/"
_OTHER_PAPER = "10.5555/fine-paper"
_LOST = "10.5555/never-copied-here"

Show = Callable[[Work, str], str]


def answer(request: Request, corpus: Corpus) -> Response:
    if request.path.startswith(_FOLDER):
        return _file(request.path.removeprefix(_FOLDER), corpus)
    if request.host == _VAULT:
        return as_text("404 Not Found", status=404)
    work = corpus.by_doi(request.decoded_path.removeprefix("/"))
    return _absent() if work is None else _page(request.host, work)


def _file(name: str, corpus: Corpus) -> Response:
    doi = unquote(name).removesuffix(".pdf").replace("@", "/")
    work = corpus.by_doi(doi)
    if work is None:
        return as_text("404 Not Found", status=404)
    return Response(body=pdf.paper(work), content_type=PDF)


def _page(host: str, work: Work) -> Response:
    """The first mirror has its files on another host; the second serves them itself, without a challenge."""
    shape = work.mirrored
    if host == _SECOND and shape in {"captcha", "check"}:
        shape = "embed"
    if shape == "direct":
        return Response(body=pdf.paper(work), content_type=PDF)
    if shape not in _SHOWN:
        return _RESPONSES[shape]()
    text = {"wrong": _OTHER_PAPER, "gone": _LOST}.get(shape, work.key)
    place = f"{_FOLDER}{quote(text.replace('/', '@'), safe='@')}.pdf"
    return _article(work, _SHOWN[shape](work, f"//{_VAULT}{place}" if host == _FIRST else place))


def _article(work: Work, text: str) -> Response:
    citation = f"{escape(work.plain_title)}. <i>{escape(work.journal.name)}</i>, {work.year}"
    return _html(
        f"Sci-Hub | {escape(work.plain_title)} | {escape(work.doi)}",
        f'<div id="menu"><div id="citation" onclick="clip(this)">{citation}. '
        f'doi:{escape(work.doi)}&nbsp;</div></div>\n<div id="article">\n{text}\n</div>',
    )


def _embed(_: Work, place: str) -> str:
    return f'<embed type="application/pdf" src="{place}#navpanes=0&amp;view=FitH" id = "pdf">'


def _iframe(_: Work, place: str) -> str:
    return f"<iframe src = '{place}#view=FitH' id='pdf'></iframe>"


def _object(_: Work, place: str) -> str:
    return f'<object type="application/pdf" data="{place}#view=FitH"><p>No viewer.</p></object>'


def _button(_: Work, place: str) -> str:
    return (
        '<div id="buttons"><ul><li>'
        f"<button onclick=\"location.href='{place}?download=true'\">&darr; save</button></li></ul></div>"
    )


def _link(work: Work, place: str) -> str:
    similar = f'<a href="https://{work.journal.host}/similar.pdf">a similar article</a>'
    return f'{similar}\n<div class="download"><a href="{place}"></a></div>'


def _absent() -> Response:
    return _html(
        "Sci-Hub",
        "<h1>Alas, the following paper is not yet available in my database</h1>"
        '<p>What can I do?</p><a href="/10.5555/similar-article">similar articles</a>',
    )


def _captcha() -> Response:
    return _html(
        "Вы робот?",
        "<p>Are you a robot? / Вы робот?</p>"
        '<altcha-widget challengeurl="/captcha/challenge/"></altcha-widget>'
        '<form action="/captcha/solution/" method="POST"><input name="answer"></form>',
    )


def _check() -> Response:
    return _html(
        "DDoS-Guard",
        "<h1>Checking your browser before accessing the site</h1><noscript>Enable JavaScript</noscript>",
    )


def _empty() -> Response:
    return Response(body=b"", content_type=HTML)


def _unknown() -> Response:
    return _html("Sci-Hub", "<p>The collection of papers is being moved. Come back soon.</p>")


def _html(title: str, inside: str) -> Response:
    text = (
        f"<html>\n<head><title>{title}</title><meta charset='UTF-8'></head>\n"
        f"<body>\n<!-- <embed src='/advert.pdf'> -->\n{inside}\n</body>\n</html>\n"
    )
    return as_text(text, content_type=HTML)


_SHOWN: dict[str, Show] = {
    "embed": _embed,
    "iframe": _iframe,
    "object": _object,
    "button": _button,
    "link": _link,
    "wrong": _embed,
    "gone": _embed,
}
_RESPONSES: dict[str, Callable[[], Response]] = {
    "": _absent,
    "captcha": _captcha,
    "check": _check,
    "empty": _empty,
    "unknown": _unknown,
}
