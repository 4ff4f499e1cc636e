"""Publishers and repositories: landing pages, PDFs, and misleading links."""

from collections.abc import Callable
from html import escape

from sourcewright.world import pdf
from sourcewright.world.corpus import Corpus, Work
from sourcewright.world.corpus.works import iso
from sourcewright.world.messages import PDF, Request, Response, as_page, as_redirect

_MIRROR = "mirror.nowhere.example"
_MIRRORED = "journals.plos.org"

# Some of these are real names, because a fetch must pass lists that hold real names.
HOSTS = (
    "journals.plos.org",
    "www.frontiersin.org",
    "www.lakeside-press.example",
    "proceedings.meridian.example",
    "repository.meridian.example",
    "fog.haar.example",
    "opendrift.example",
    "old-numbers.example",
    "data.harbour.example",
    "kakuu.example",
    "faro.example",
    "hal.science",
    "core.ac.uk",
    "www.biorxiv.org",
    "www.medrxiv.org",
    _MIRROR,
)

_OTHER_PAPER = "10.5555/closed-paper"
_METADATA_ADDRESS = "http://169.254.169.254/latest/meta-data/"
_HOPS = 3


def answer(request: Request, corpus: Corpus) -> Response:
    host = _MIRRORED if request.host == _MIRROR else request.host
    document = corpus.document(host, request.decoded_path)
    if document is None:
        return _gone()
    if request.host == _MIRROR:
        return _paper(request, document.work)
    if document.serves == "wrong":
        return _paper(request, corpus.by_doi(_OTHER_PAPER) or document.work)
    return _SERVED[document.serves](request, document.work)


def _paper(_: Request, work: Work) -> Response:
    return Response(body=pdf.paper(work), content_type=PDF)


def _tiny(_: Request, work: Work) -> Response:
    return Response(body=pdf.first_page(work), content_type=PDF)


def _scan(_: Request, work: Work) -> Response:
    return Response(body=pdf.scan(work), content_type=PDF)


def _landing(_: Request, work: Work) -> Response:
    """A landing page, with the meta tags that reference managers read."""
    tags = [("citation_title", work.plain_title), ("citation_doi", work.doi)]
    tags += [("citation_author", author.sort_name) for author in work.authors]
    tags.append(("citation_journal_title", work.journal.name))
    if work.date:
        tags.append(("citation_publication_date", iso(work.date).replace("-", "/")))
    tags += [("citation_pdf_url", copy.url) for copy in work.locations if copy.serves != "landing"]
    head = "".join(f'<meta name="{name}" content="{escape(text)}">\n' for name, text in tags)
    names = ", ".join(escape(author.full_name) for author in work.authors)
    paragraphs = "".join(f"<p>{escape(part)}</p>" for part in work.abstract.split("\n\n") if part)
    inside = f"<p>{names}</p>\n<p>https://doi.org/{escape(work.doi)}</p>\n{paragraphs}"
    return as_page(escape(work.plain_title) or "Untitled", inside, head=head)


def _hop(request: Request, work: Work) -> Response:
    """A few ordinary redirects before the paper."""
    hop = request.params.get("hop", "0")
    number = int(hop) if hop.isdecimal() else 0
    if number >= _HOPS:
        return _paper(request, work)
    return as_redirect(f"https://{request.host}{request.path}?hop={number + 1}")


def _gone(*_: object) -> Response:
    return as_page("Page not found", "<p>There is nothing at this address.</p>", status=404)


def _login(*_: object) -> Response:
    return as_page("Sign in", "<p>Your institution has no subscription.</p>", status=403)


def _cookies(*_: object) -> Response:
    return as_page("Before you continue", "<p>Accept all biscuits to read this article.</p>")


def _private(*_: object) -> Response:
    return as_redirect(_METADATA_ADDRESS)


def _offlist(request: Request, _: Work) -> Response:
    return as_redirect(f"https://{_MIRROR}{request.path}")


def _loop(request: Request, _: Work) -> Response:
    return as_redirect(f"https://{request.host}{request.path}")


_SERVED: dict[str, Callable[[Request, Work], Response]] = {
    "paper": _paper,
    "landing": _landing,
    "scan": _scan,
    "tiny": _tiny,
    "hops": _hop,
    "gone": _gone,
    "login": _login,
    "html": _cookies,
    "private": _private,
    "offlist": _offlist,
    "loop": _loop,
}
