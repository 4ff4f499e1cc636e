"""Google Patents: the public page of each invented publication."""

from html import escape

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import HTML, Request, Response, as_page
from sourcewright.world.patents import PUBLICATIONS, Publication

HOSTS = ("patents.google.com",)


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    parts = request.decoded_path.strip("/").split("/")
    number = parts[1] if len(parts) > 1 and parts[0] == "patent" else ""
    publication = next(
        (one for one in PUBLICATIONS if number in (one.number, one.number[: -len(one.kind)])), None
    )
    if publication is None:
        return as_page("Error 404 (Not Found)!!1", "<p>Not found.</p>", status=404)
    return Response(body=page(publication).encode(), content_type=HTML)


def page(one: Publication) -> str:
    digits = one.number[2 : -len(one.kind)]
    grant = (
        f'<dd itemprop="events" itemscope><time itemprop="date" datetime="{one.granted}">'
        f'{one.granted}</time><span itemprop="title">Application granted</span>'
        '<span itemprop="type">granted</span></dd>'
        if one.granted
        else ""
    )
    return (
        f"<!DOCTYPE html><html><head><title>{one.number} - {escape(one.title)} - Google Patents"
        "</title>"
        f'<meta name="DC.type" content="patent">'
        f'<meta name="DC.title" content="{escape(one.title)} ">'
        f'<meta name="DC.description" content="{escape(one.abstract)}">'
        f'<meta name="DC.date" content="{one.filed}" scheme="dateSubmitted">'
        f'<meta name="citation_patent_publication_number" content="{one.office}:{digits}:{one.kind}">'
        f'<meta name="citation_pdf_url" content="https://patentimages.storage.googleapis.com/'
        f'{one.number}.pdf">'
        f'<meta name="DC.contributor" content="{escape(one.inventor)}" scheme="inventor">'
        f'<meta name="DC.contributor" content="{escape(one.applicant)}" scheme="assignee">'
        "</head><body><article>"
        f'<dd itemprop="assigneeOriginal">{escape(one.applicant)}</dd>'
        f'<time itemprop="priorityDate" datetime="1999-01-01">1999-01-01</time>'
        f'<time itemprop="filingDate" datetime="{one.filed}">{one.filed}</time>'
        f'<dd itemprop="events" itemscope><time itemprop="date" datetime="{one.filed}">'
        f'{one.filed}</time><span itemprop="type">filed</span></dd>{grant}'
        f'<time itemprop="publicationDate" datetime="{one.published}">{one.published}</time>'
        "</article></body></html>"
    )
