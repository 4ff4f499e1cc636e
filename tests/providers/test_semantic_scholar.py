"""Semantic Scholar, against the simulated site and with unusual answers."""

import pytest

from sourcewright.base.errors import BadAnswer, NotFound, Refused
from sourcewright.providers.semantic_scholar import copies_of, preprints_of, read_work
from sourcewright.world.corpus.ids import semantic_scholar_id

pytestmark = pytest.mark.anyio

HOST = "api.semanticscholar.org"
FINE = "10.5555/fine-paper"
PDF = "https://a.example/x.pdf"


def record(**fields):
    return {"paperId": "a1", "externalIds": {"DOI": FINE}, "title": "T"} | fields


async def test_every_work_of_the_corpus_is_read_as_it_was_written(provide, internet):
    source = await provide("semantic_scholar")

    for written in internet.corpus.works:
        if semantic_scholar_id(written) and not written.published_as:
            read = await source.describe_doi(written.key)

            assert (read.doi, read.year) == (written.key, written.year)
            assert read.title == (written.plain_title or None)
            assert [one.name for one in read.authors] == [
                " ".join(one.full_name.split()) for one in written.authors
            ]
            assert read.pages == (written.pages or None)
            assert read.notices is None


async def test_a_preprint_that_was_published_is_not_described_by_the_published_record(provide):
    source = await provide("semantic_scholar")

    for ask in (source.describe_doi, source.find_copies, source.find_preprints):
        with pytest.raises(BadAnswer, match=r"10\.5555/arxiv-pair"):
            await ask("10.48550/arxiv.2401.99901")


@pytest.mark.parametrize(
    ("doi", "preprints"),
    [
        ("10.5555/arxiv-pair", ("2401.99901",)),
        ("10.48550/arxiv.hep-th/9901999", ()),
        (FINE, ()),
    ],
)
async def test_the_arxiv_id_of_a_paper_is_its_preprint(provide, doi, preprints):
    assert await (await provide("semantic_scholar")).find_preprints(doi) == preprints


async def test_the_open_copy_is_found_and_a_closed_paper_has_none(provide):
    source = await provide("semantic_scholar")

    [secret] = await source.find_copies("10.5555/copy-at-semantic-scholar")
    closed = await source.find_copies("10.5555/closed-paper")

    assert (secret.is_pdf, secret.licence) == (True, "cc-by")
    assert closed == ()


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ({"url": PDF, "status": "GOLD", "license": "CCBYNCND"}, [(PDF, True, "cc-by-nc-nd")]),
        ({"url": PDF, "status": "GREEN", "license": "CC0"}, [(PDF, True, "cc0")]),
        ({"url": PDF, "status": "BRONZE", "license": None}, [(PDF, True, None)]),
        ({"url": PDF, "status": "HYBRID", "license": "other-oa"}, [(PDF, True, "other-oa")]),
        (
            {"url": "https://doi.org/10.1016/x", "status": "GOLD"},
            [("https://doi.org/10.1016/x", False, None)],
        ),
        ({"url": PDF, "status": "CLOSED"}, []),
        ({"url": PDF, "status": None}, []),
        ({"url": "", "status": "GOLD"}, []),
        (None, []),
    ],
)
def test_a_copy_counts_where_it_is_said_to_be_open(place, found):
    copies = copies_of(record(openAccessPdf=place))

    assert [(copy.url, copy.is_pdf, copy.licence) for copy in copies] == found


async def test_the_key_goes_with_every_request_and_only_when_there_is_one(provide, internet):
    await (await provide("semantic_scholar")).find_copies(FINE)
    await (await provide("semantic_scholar", SEMANTIC_SCHOLAR_API_KEY="k-123")).find_copies(FINE)

    bare, keyed = internet.requests_to(HOST)
    assert "x-api-key" not in bare.headers
    assert keyed.headers["x-api-key"] == "k-123"


async def test_a_key_that_is_refused_is_a_refusal(provide):
    source = await provide("semantic_scholar", SEMANTIC_SCHOLAR_API_KEY="wrong-key")

    with pytest.raises(Refused):
        await source.describe_doi(FINE)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b'{"error": "Paper with id DOI:10.5555/x not found"}', NotFound),
        (b'{"error": "Title match not found"}', BadAnswer),
        (b'{"error": "Not found"}', BadAnswer),
        (b'{"message": "Not Found"}', BadAnswer),
        (b'{"error": ["Paper with id 1 not found"]}', BadAnswer),
        (b"Paper with id 1 not found", BadAnswer),
    ],
)
async def test_only_its_own_words_are_absence(provide, internet, body, error):
    internet.breaks(HOST, status=404, body=body)

    with pytest.raises(error):
        await (await provide("semantic_scholar")).describe_doi(FINE)


def test_a_paper_is_not_its_own_preprint():
    own = {"DOI": "10.48550/arXiv.2312.07559", "ArXiv": "2312.07559"}

    assert preprints_of(record(externalIds=own)) == ()
    assert read_work(record(externalIds=own)).arxiv_id == "2312.07559"
