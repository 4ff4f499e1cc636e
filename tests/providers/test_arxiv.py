"""arXiv, against the simulated site and in its rules about withdrawal."""

import pytest

from sourcewright.base.errors import RateLimited
from sourcewright.base.text.plain import plain_text
from sourcewright.providers.arxiv import query_words
from sourcewright.providers.arxiv.feed import read_work

pytestmark = pytest.mark.anyio


def entry(**fields):
    return {
        "id": "http://arxiv.org/abs/2401.00001v2",
        "title": "Tides",
        "summary": "We study tides.",
        "published": "2024-01-01T00:00:00Z",
        "updated": "2024-02-01T00:00:00Z",
        "comment": None,
        "journal_ref": None,
        "doi": None,
        "authors": ["Ada Byron"],
        "categories": ["physics.ao-ph"],
        "links": [{"title": "pdf", "href": "http://arxiv.org/pdf/2401.00001v2"}],
        **fields,
    }


async def test_every_paper_of_the_corpus_is_read_as_it_was_written(provide, internet):
    arxiv = await provide("arxiv")
    papers = [work for work in internet.corpus.works if work.manuscript]

    for written in papers:
        read = await arxiv.describe_arxiv(written.manuscript.id)

        assert read.arxiv_id == written.manuscript.id
        assert read.title == plain_text(written.title)
        assert read.version == f"v{len(written.manuscript.versions)}"
        assert read.published == written.manuscript.versions[0][:10]
        assert [author.name for author in read.authors] == [a.full_name for a in written.authors]
        assert bool(read.notices) == written.manuscript.withdrawn

    assert len(papers) > 3


async def test_a_paper_names_its_files_and_what_it_became(provide):
    work = await (await provide("arxiv")).describe_arxiv("2401.99901")

    assert work.copies[0].url.endswith("/pdf/2401.99901v3")
    assert work.licence == work.copies[0].licence == "arxiv-default"
    assert work.published_as == (work.doi,) == ("10.5555/arxiv-pair",)
    assert work.raw["id"].endswith("/abs/2401.99901v3")


async def test_an_older_version_does_not_say_whether_the_paper_was_withdrawn(provide):
    work = await (await provide("arxiv")).describe_arxiv("2401.99901v1")

    assert (work.arxiv_id, work.version) == ("2401.99901", "v1")
    assert work.notices is None


@pytest.mark.parametrize(
    ("comment", "summary"),
    [
        ("This paper has been withdrawn by the authors due to an error in Lemma 3", "Tides."),
        ("12 pages. This submission has been withdrawn by arXiv administrators", "Tides."),
        ("Withdrawn by the author", "Tides."),
        ("withdrawn", "Tides."),
        (None, "This paper has been withdrawn due to a crucial sign error."),
    ],
)
def test_arxivs_own_words_make_a_withdrawal(comment, summary):
    [notice] = read_work(entry(comment=comment, summary=summary)).notices

    assert (notice.kind, notice.source, notice.date) == ("withdrawal", "arxiv", "2024-02-01")


@pytest.mark.parametrize(
    ("comment", "summary"),
    [
        (None, "We study papers that have been withdrawn by their authors."),
        (None, "Smith's preprint has been withdrawn. This paper has been withdrawn of nothing."),
        ("This paper was withdrawn from ICML and resubmitted", "Tides."),
        ("Withdrawn funds are studied in section 3", "Tides."),
        ("Retraction of polymer brushes", "On retraction."),
        (None, "Tides."),
    ],
)
def test_other_words_about_withdrawing_do_not(comment, summary):
    assert read_work(entry(comment=comment, summary=summary)).notices == ()


@pytest.mark.parametrize(
    "broken",
    [
        {"title": None},
        {"title": " "},
        {"published": None},
        {"published": "yesterday"},
        {"id": "http://elsewhere.example/2401.00001"},
        {"id": None},
        {"links": [{"title": "pdf", "href": "javascript:alert(1)"}]},
    ],
)
def test_an_entry_without_what_every_paper_has_is_unreadable(broken):
    with pytest.raises((ValueError, TypeError)):
        read_work(entry(**broken))


async def test_a_paper_comes_as_the_pdf_of_its_id(provide, internet):
    file = await (await provide("arxiv")).deliver_arxiv("2401.99901")

    assert file.body.startswith(b"%PDF-")
    assert internet.requests_to("arxiv.org")


async def test_a_title_finds_its_paper_whatever_else_it_holds(provide):
    arxiv = await provide("arxiv")
    paper = await arxiv.describe_arxiv("2401.99901")

    found = await arxiv.search_title(f'"{paper.title}") OR all:(x')

    assert [work.arxiv_id for work in found] in ([], ["2401.99901"])
    assert "2401.99901" in [work.arxiv_id for work in await arxiv.search_title(paper.title)]


def test_only_words_of_a_title_reach_the_query():
    assert query_words('A "quoted" (title): β-decay & more') == "A quoted title β decay more"


async def test_a_406_of_its_edge_is_a_request_to_wait_and_no_absence(provide, internet):
    internet.breaks("export.arxiv.org", status=406, body="", content_type="text/plain")
    arxiv = await provide("arxiv")

    with pytest.raises(RateLimited, match="HTTP 406"):
        await arxiv.describe_arxiv("2401.99901")
