"""PDFs and landing pages of the simulated world."""

import re
from urllib.parse import urlsplit

import pytest

from sourcewright.world import corpus, pdf

WORKS = corpus.load().works


def fetch(visitor, url):
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return visitor.ask(parts.netloc, parts.path + query)


def copy_of(visitor, doi):
    return fetch(visitor, corpus.load().by_doi(doi).locations[0].url)


def objects(document):
    """Reads a PDF by its cross-reference table, as a strict reader would."""
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", document)[1])
    assert document[start:].startswith(b"xref\n0 ")
    offsets = re.findall(rb"^(\d{10}) 00000 n $", document[start:], re.MULTILINE)
    found = {}
    for number, offset in enumerate(map(int, offsets), start=1):
        head = b"%d 0 obj\n" % number
        assert document[offset:].startswith(head)
        found[number] = document[offset + len(head) : document.index(b"\nendobj", offset)]
    assert int(re.search(rb"/Size (\d+)", document[start:])[1]) == len(found) + 1
    return found


@pytest.mark.parametrize("work", WORKS[::9], ids=lambda work: work.doi)
def test_a_paper_is_a_valid_pdf_of_several_pages(work):
    document = pdf.paper(work)

    parts = objects(document)
    pages = [part for part in parts.values() if b"/Type /Page " in part]
    assert document.startswith(b"%PDF-")
    assert len(document) > 10_000
    assert len(pages) >= 3
    for page in pages:
        content = parts[int(re.search(rb"/Contents (\d+)", page)[1])]
        length = int(re.search(rb"/Length (\d+)", content)[1])
        assert len(content.split(b"stream\n", 1)[1]) == length + len(b"\nendstream")


def test_a_paper_holds_its_title_authors_year_and_doi():
    document = pdf.paper(corpus.load().by_doi("10.5555/corrected-then-retracted"))

    assert b"(Clocks that run on rumours) Tj" in document
    assert b"Percival Fabricant, Wei Li" in document
    assert b"\\(2004\\)" in document
    assert b"https://doi.org/10.5555/corrected-then-retracted" in document


def test_text_beyond_latin_keeps_its_meaning():
    document = pdf.paper(corpus.load().by_doi("10.5555/non-latin"))

    meanings = re.findall(rb"^<[0-9A-F]{4}> <([0-9A-F]+)>$", document, re.MULTILINE)
    letters = {bytes.fromhex(one.decode()).decode("utf-16-be") for one in meanings}
    assert set("Приливы潮汐山田민ليلى") <= letters


def test_a_scan_is_a_valid_pdf_without_text():
    document = pdf.scan(corpus.load().by_doi("10.5555/scanned-paper"))

    parts = objects(document)
    assert any(b"/Subtype /Image" in part for part in parts.values())
    assert not any(b"/Font" in part or b" Tj" in part for part in parts.values())


def test_a_document_is_the_same_every_time():
    work = corpus.build().by_doi("10.5555/fine-paper")

    assert pdf.paper.__wrapped__(work) == pdf.paper.__wrapped__(work)


def test_every_open_copy_that_should_be_a_paper_is_one(visitor):
    copies = [copy for work in WORKS[:90] for copy in work.locations if copy.serves == "paper"]

    assert len(copies) >= 20
    for copy in copies:
        answer = fetch(visitor, copy.url)
        assert (answer.status, answer.headers["Content-Type"]) == (200, "application/pdf")
        assert answer.body.startswith(b"%PDF-")


def test_every_landing_page_names_its_work(visitor):
    for work in WORKS[::7]:
        answer = fetch(visitor, work.landing)

        assert answer.headers["Content-Type"].startswith("text/html")
        assert '<meta name="citation_title"' in answer.text


def test_a_link_to_the_wrong_paper_serves_another_papers_pdf(visitor):
    document = copy_of(visitor, "10.5555/wrong-file").body

    assert document == pdf.paper(corpus.load().by_doi("10.5555/closed-paper"))
    assert b"Lantern-fish" not in document


def test_a_link_to_a_web_page_serves_html(visitor):
    answer = copy_of(visitor, "10.5555/html-file")

    assert (answer.status, answer.headers["Content-Type"][:9]) == (200, "text/html")


@pytest.mark.parametrize(
    ("doi", "to"),
    [
        ("10.5555/private-redirect", "http://169.254.169.254/"),
        ("10.5555/offlist-redirect", "https://mirror.nowhere.example/"),
        ("10.5555/redirect-loop", "https://journals.plos.org/invented/pdf/10-5555-redirect-loop"),
        (
            "10.5555/many-hops",
            "https://journals.plos.org/invented/pdf/10-5555-many-hops.pdf?hop=1",
        ),
    ],
)
def test_a_link_can_lead_astray(visitor, doi, to):
    answer = copy_of(visitor, doi)

    assert answer.status == 302
    assert answer.headers["Location"].startswith(to)


def test_honest_hops_end_at_the_paper(visitor):
    answer = copy_of(visitor, "10.5555/many-hops")
    for _ in range(3):
        assert answer.status == 302
        answer = fetch(visitor, answer.headers["Location"])

    assert answer.body.startswith(b"%PDF-")


def test_the_mirror_behind_an_unlisted_redirect_really_has_a_file(visitor):
    answer = fetch(visitor, copy_of(visitor, "10.5555/offlist-redirect").headers["Location"])

    assert answer.body.startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("doi", "status"), [("10.5555/dead-link", 404), ("10.5555/login-wall", 403)]
)
def test_a_link_can_lead_nowhere(visitor, doi, status):
    assert copy_of(visitor, doi).status == status


def test_a_second_copy_saves_a_dead_link(visitor):
    first, second = corpus.load().by_doi("10.5555/second-copy").locations

    assert fetch(visitor, first.url).status == 404
    assert fetch(visitor, second.url).body.startswith(b"%PDF-")


@pytest.mark.parametrize("host", ["arxiv.org", "export.arxiv.org"])
@pytest.mark.parametrize("identifier", ["2401.99901", "2401.99901v2", "hep-th/9901999"])
def test_arxiv_serves_pdfs_and_abstract_pages(visitor, host, identifier):
    document = visitor.ask(host, f"/pdf/{identifier}")
    page = visitor.ask(host, f"/abs/{identifier}")

    assert document.body.startswith(b"%PDF-")
    assert f"arXiv:{identifier}".encode() in document.body
    assert "citation_arxiv_id" in page.text


def test_an_arxiv_address_that_ends_in_pdf_moves_to_one_that_does_not(visitor):
    answer = visitor.ask("arxiv.org", "/pdf/2401.99901v1.pdf")

    assert (answer.status, answer.headers["Location"]) == (301, "/pdf/2401.99901v1")


def test_a_withdrawn_version_has_no_document_and_the_one_before_has(visitor):
    assert visitor.ask("arxiv.org", "/pdf/2402.99902").status == 404
    assert visitor.ask("arxiv.org", "/pdf/2402.99902v1").body.startswith(b"%PDF-")
    assert visitor.ask("arxiv.org", "/pdf/2401.00000").status == 404
