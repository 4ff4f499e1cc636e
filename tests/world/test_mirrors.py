"""The simulated mirrors show papers in every way that such pages have had."""

from urllib.parse import quote

import pytest

from sourcewright.world import corpus, pdf

FIRST, SECOND, VAULT = "mirror.shadow.example", "second.shadow.example", "vault.shadow.example"
WORKS = corpus.load().works


@pytest.mark.parametrize(
    ("doi", "shown"),
    [
        ("10.5555/mirrored-only", '<embed type="application/pdf" src="//vault.shadow.example/'),
        ("10.5555/mirrored-iframe", "<iframe src = '//vault.shadow.example/"),
        ("10.5555/mirrored-object", '<object type="application/pdf" data="//vault.'),
        ("10.5555/mirrored-button", "onclick=\"location.href='//vault.shadow.example/"),
        ("10.5555/mirrored-link", '<div class="download"><a href="//vault.shadow.example/'),
        ("10.5555/mirror-lacks-it", "not yet available in my database"),
        ("10.5555/nobody.registered.this", "not yet available in my database"),
        ("10.5555/of-2020", "not yet available in my database"),
        ("10.5555/of-2021", "not yet available in my database"),
        ("10.5555/mirror-asks-for-captcha", "<altcha-widget"),
        ("10.5555/mirror-checks-browser", "Checking your browser"),
        ("10.5555/mirror-shows-another", "10.5555@fine-paper.pdf"),
    ],
)
def test_a_mirror_shows_each_paper_in_its_way(visitor, doi, shown):
    page = visitor.ask(FIRST, f"/{doi}")

    assert page.status == 200
    assert page.headers["Content-Type"].startswith("text/html")
    assert shown in page.text


def test_the_other_mirror_keeps_its_files_itself(visitor):
    assert 'src="/downloads/' in visitor.ask(SECOND, "/10.5555/mirrored-only").text
    assert 'src="/downloads/' in visitor.ask(SECOND, "/10.5555/mirror-asks-for-captcha").text


@pytest.mark.parametrize("work", WORKS[::31], ids=lambda work: work.doi)
@pytest.mark.parametrize("host", [VAULT, SECOND])
def test_a_file_lies_where_pages_say(visitor, work, host):
    name = quote(work.key.replace("/", "@"), safe="@")

    assert visitor.ask(host, f"/downloads/{name}.pdf").body == pdf.paper(work)


def test_a_lost_file_is_not_there(visitor):
    assert visitor.ask(VAULT, "/downloads/10.5555@never-copied-here.pdf").status == 404
    assert visitor.ask(VAULT, "/10.5555/mirrored-only").status == 404


def test_mirrors_have_what_had_appeared_when_they_stopped_growing():
    for work in WORKS:
        if work.mirrored:
            assert work.agency == "crossref"
            assert work.type != "posted-content"
            assert work.year < 2021


def test_every_paper_is_larger_than_the_smallest_that_is_believed():
    assert min(len(pdf.paper(work)) for work in WORKS[::5]) > 12_288
    assert len(pdf.scan(WORKS[0])) > 12_288


def test_one_open_copy_is_a_real_pdf_that_is_too_small(visitor):
    work = corpus.load().by_doi("10.5555/tiny-file")
    [copy] = work.locations

    body = visitor.ask(work.journal.host, copy.url.partition(work.journal.host)[2]).body

    assert body == pdf.first_page(work)
    assert b"(A note on one wave) Tj" in body
    assert 1_000 < len(body) < 10_000


@pytest.mark.parametrize("year", [2013, 2015, 2020, 2021, 2023])
def test_there_is_an_open_paper_of(year):
    work = corpus.load().by_doi(f"10.5555/of-{year}")

    assert work.year == year
    assert [copy.serves for copy in work.locations] == ["paper"]
    assert bool(work.mirrored) is (year < 2020)


def test_some_papers_are_at_mirrors_alone():
    alone = corpus.load().by_doi("10.5555/mirrored-only")

    assert alone.locations == alone.elsewhere == alone.known_to == ()
    assert alone.mirrored == "embed"
