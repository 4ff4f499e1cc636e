"""PubMed as people see it: a page for each record, with its abstract."""

from html import escape

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_page

HOSTS = ("pubmed.ncbi.nlm.nih.gov",)


def answer(request: Request, corpus: Corpus) -> Response:
    number = request.path.strip("/")
    work = corpus.by_number(number) if number.isdecimal() else None
    if work is None:
        return as_page("Page not found - PubMed", "<p>Not found.</p>", status=404)
    names = ", ".join(author.full_name for author in work.authors)
    head = f'<meta name="citation_pmid" content="{number}">'
    inside = (
        f"<p>{escape(names)}</p><h2>Abstract</h2><p>{escape(work.abstract)}</p>"
        f"<p>PMID: {number} DOI: {escape(work.doi)}</p>"
    )
    return as_page(escape(work.plain_title), inside, head=head)
