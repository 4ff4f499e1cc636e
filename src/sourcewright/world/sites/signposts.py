"""Pages whose URLs do not identify a paper: some declare one, some two, some none, some refuse."""

from collections.abc import Callable, Mapping
from html import escape

from sourcewright.world import pdf
from sourcewright.world.corpus import Corpus
from sourcewright.world.corpus.ids import pmid
from sourcewright.world.messages import PDF, Request, Response, as_page, as_redirect

HOSTS = ("signposts.example",)

_PAPER = "10.5555/fine-paper"
_OTHER = "10.5555/closed-paper"
_PREPRINT = "2401.99901"
_CAPTCHA = "<p>Verify that you are a lighthouse keeper by counting the ships.</p>"


def answer(request: Request, corpus: Corpus) -> Response:
    path = request.decoded_path
    if path in _LEADS:
        return as_redirect(_LEADS[path])
    if path in _TAGS:
        return as_page("A page about a paper", _COMMENTS, head=_head(_TAGS[path](corpus)))
    if path == "/file":
        return Response(body=pdf.paper(corpus.works[0]), content_type=PDF)
    if path == "/captcha" or path.startswith("/doi/"):
        return as_page("Just a moment", _CAPTCHA, status=403)
    return as_page("Nothing here", "<p>The sign has fallen over.</p>", status=404)


_LEADS = {
    "/moved": "https://signposts.example/article/1",
    "/resolved": f"https://doi.org/{_PAPER}",
    "/guarded": f"https://signposts.example/doi/{_PAPER}",
    "/inside": "http://169.254.169.254/latest/meta-data/",
}
"""Redirect targets of some of the pages."""

_COMMENTS = f"""<p>Readers also liked https://doi.org/{_OTHER}.</p>
<div class="comment"><meta name="citation_doi" content="{_OTHER}"> First!</div>"""
"""Content in the body of every page that does not declare a paper."""


def _pubmed_number(corpus: Corpus) -> str:
    work = corpus.by_doi(_PAPER)
    return pmid(work) if work else ""


Tags = list[tuple[str, str]]
_TAGS: Mapping[str, Callable[[Corpus], Tags]] = {
    "/article/1": lambda _: [("citation_title", "Signs"), ("citation_doi", _PAPER)],
    "/article/2": lambda corpus: [("citation_pmid", _pubmed_number(corpus))],
    "/article/3": lambda _: [("citation_arxiv_id", _PREPRINT)],
    "/article/4": lambda _: [("DC.Identifier", f"doi:{_PAPER}"), ("dc.identifier", "hdl:1/2")],
    "/two-papers": lambda _: [("citation_doi", _PAPER), ("citation_doi", _OTHER)],
    "/no-paper": lambda _: [("citation_title", "Signs"), ("citation_doi", "")],
    "/unknown-number": lambda _: [("citation_pmid", "999999999")],
}
"""The head elements of some pages."""


def _head(tags: Tags) -> str:
    return "".join(f'<meta name="{name}" content="{escape(text)}">\n' for name, text in tags)
