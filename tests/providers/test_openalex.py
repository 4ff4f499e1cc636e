"""OpenAlex, against the simulated site and with unusual answers."""

import json

import pytest

from sourcewright.base.errors import BadAnswer, NotFound, RateLimited
from sourcewright.base.text.plain import plain_text
from sourcewright.domain.papers.scholar import WorkIds, WorkQuery
from sourcewright.providers.openalex import copies_of, preprints_of, read_graph_work, read_work
from sourcewright.world.corpus.citation_graph import HUB, HUB_SIZE, LOOSE_END
from sourcewright.world.corpus.ids import merged_id, openalex_id

pytestmark = pytest.mark.anyio

HOST = "api.openalex.org"
FINE = "10.5555/fine-paper"
PDF, OTHER = "https://a.example/x.pdf", "https://b.example/y.pdf"
PAGE = (
    b"<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n"
    b"<p>The requested URL was not found on the server. If you entered the URL manually please "
    b"check your spelling and try again.</p>\n"
)
APACHE = (
    b'<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>404 Not Found'
    b"</title>\n</head><body>\n<h1>Not Found</h1>\n<p>The requested URL was not found on this "
    b"server.</p>\n</body></html>\n"
)


SPENT = {
    "error": "Rate limit exceeded",
    "message": "Insufficient budget. This request costs $0.001 but you only have $0 remaining. "
    "Resets at midnight UTC.",
}
"""What it answers to a search once the budget of the day is used up; lookups cost nothing."""


def record(**fields):
    whole = {"id": "https://openalex.org/W1", "doi": f"https://doi.org/{FINE}", "title": "T"}
    return whole | {"authorships": [], "locations": []} | fields


def place(**fields):
    return {"is_oa": True, "pdf_url": PDF, "landing_page_url": "https://a.example/x"} | fields


async def test_every_work_of_the_corpus_is_read_as_it_was_written(provide, internet):
    openalex = await provide("openalex")

    for written in internet.corpus.works:
        if openalex_id(written):
            read = await openalex.describe_doi(written.key)

            assert (read.doi, read.year) == (written.key, written.year)
            assert read.title == (plain_text(written.title) or None)
            assert len(read.authors) == min(len(written.authors), 100)
            assert (read.abstract or "").split() == written.abstract.split()
            assert read.notices is None


async def test_every_copy_that_it_knows_is_found_and_the_best_comes_first(provide, internet):
    openalex = await provide("openalex")

    second = await openalex.find_copies("10.5555/second-copy")
    secret = await openalex.find_copies("10.5555/copy-at-openalex")
    closed = await openalex.find_copies("10.5555/closed-paper")

    written = internet.corpus.by_doi("10.5555/second-copy")
    assert [copy.url for copy in second] == [one.url for one in written.locations]
    assert [(one.version, one.licence, one.is_pdf) for one in secret] == [
        ("acceptedVersion", "cc-by", True)
    ]
    assert closed == ()


@pytest.mark.parametrize(
    ("doi", "preprints"),
    [
        ("10.5555/arxiv-pair", ("2401.99901",)),
        ("10.5555/published-pair", ("10.99005/opendrift.pair",)),
        ("10.48550/arxiv.2401.99901", ()),
        ("10.99005/opendrift.pair", ()),
        (FINE, ()),
    ],
)
async def test_a_preprint_is_named_and_is_none_of_itself(provide, doi, preprints):
    assert await (await provide("openalex")).find_preprints(doi) == preprints


async def test_a_graph_can_be_walked_from_a_doi_along_ids_and_round_a_cycle(provide, internet):
    openalex = await provide("openalex")
    start = await openalex.cited_by_doi(FINE)
    seen = {start.id}
    waiting = list(start.references)

    while waiting and len(seen) < 60:
        work_id = waiting.pop(0)
        if work_id not in seen | {LOOSE_END}:
            node = await openalex.cited_by_id(work_id)
            seen.add(node.id)
            waiting += node.references
            assert internet.corpus.by_doi(node.doi).year == node.year

    hub = await openalex.cited_by_doi(HUB)
    assert {start.id, hub.id} <= seen
    assert len(hub.references) == HUB_SIZE


async def test_a_merged_id_leads_to_the_work_that_it_went_into(provide, internet):
    fine = internet.corpus.by_doi(FINE)

    node = await (await provide("openalex")).cited_by_id(merged_id(fine))

    assert (node.id, node.doi) == (openalex_id(fine), FINE)


async def test_an_id_that_is_referred_to_may_be_gone(provide):
    with pytest.raises(NotFound):
        await (await provide("openalex")).cited_by_id(LOOSE_END)


async def test_only_the_fields_that_are_read_are_asked_for(provide, internet):
    openalex = await provide(
        "openalex", OPENALEX_API_KEY="k-1234567890", OPENALEX_EMAIL="a@uni.edu"
    )

    await openalex.cited_by_doi(FINE)

    [seen] = internet.requests_to(HOST)
    assert "select=id%2Cdoi%2Ctitle%2Cpublication_year%2Creferenced_works" in seen.query
    assert "mailto=a%40uni.edu" in seen.query
    assert "api_key=k-1234567890" in seen.query


@pytest.mark.parametrize(
    ("method", "thing", "further"),
    [
        ("search_works", WorkQuery(text="tidal mixing", limit=3), {}),
        ("find_titles", ("Tidal mixing and the memory of estuaries",), {}),
        ("describe_works", (FINE,), {}),
        ("list_citing", WorkIds(doi=FINE), {"limit": 3}),
    ],
)
async def test_lookups_go_on_when_the_budget_of_searches_is_used_up(
    provide, internet, method, thing, further
):
    internet.breaks(HOST, path="/works", status=429, retry_after=54_000, body=json.dumps(SPENT))
    openalex = await provide("openalex")

    with pytest.raises(RateLimited, match="Resets at midnight UTC") as refused:
        await getattr(openalex, method)(thing, **further)

    assert refused.value.retry_after == 54_000
    assert (await openalex.describe_doi(FINE)).doi == FINE
    assert (await openalex.cited_by_doi(FINE)).doi == FINE


async def test_a_search_is_not_sent_again_while_the_budget_is_used_up(provide, internet):
    internet.breaks(HOST, path="/works", status=429, retry_after=54_000, body=json.dumps(SPENT))
    openalex = await provide("openalex")

    for _ in range(3):
        with pytest.raises(RateLimited):
            await openalex.search_works(WorkQuery(text="tidal mixing", limit=3))

    assert len(internet.requests_to(HOST)) == 1


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (PAGE, NotFound),
        (b'{"error": "Not Found", "message": "Work W9 not found"}', NotFound),
        (APACHE, BadAnswer),
        (b'{"message": "Not Found"}', BadAnswer),
        (b'{"error": "Not Found", "message": "no route to backend"}', BadAnswer),
        (b"", BadAnswer),
        (b"x" * 100_000, BadAnswer),
    ],
)
async def test_only_its_own_words_are_absence(provide, internet, body, error):
    internet.breaks(HOST, status=404, body=body)

    with pytest.raises(error):
        await (await provide("openalex")).describe_doi(FINE)


async def test_an_answer_about_another_doi_is_not_the_answer(provide, internet):
    internet.says(HOST, record(doi="https://doi.org/10.5555/other", referenced_works=[]))
    openalex = await provide("openalex")

    for ask in (openalex.describe_doi, openalex.find_copies, openalex.cited_by_doi):
        with pytest.raises(BadAnswer):
            await ask(FINE)


@pytest.mark.parametrize(
    ("locations", "urls"),
    [
        ([place(), place(pdf_url=OTHER)], [PDF, OTHER]),
        ([place(), place()], [PDF]),
        ([place(is_oa=False)], []),
        ([place(is_oa="true")], []),
        ([place(pdf_url=None)], []),
        ([place(pdf_url="javascript:alert(1)")], []),
        (None, []),
    ],
)
def test_each_open_pdf_is_a_copy_once(locations, urls):
    assert [copy.url for copy in copies_of(record(locations=locations))] == urls


def test_the_best_copy_comes_first():
    found = copies_of(
        record(best_oa_location=place(pdf_url=OTHER), locations=[place(), place(pdf_url=OTHER)])
    )

    assert [copy.url for copy in found] == [OTHER, PDF]


def test_a_flag_of_retraction_is_no_notice():
    assert read_work(record(is_retracted=True)).notices is None


def test_an_abstract_is_put_back_in_order():
    index = {"the": [1, 4], "over": [3], "moon.": [5], "Jump": [0], "cow": [2]}

    assert (
        read_work(record(abstract_inverted_index=index)).abstract == "Jump the cow over the moon."
    )


@pytest.mark.parametrize("index", [{"a": ["x", 1]}, {"a": [None, {}]}, [1], "words"])
def test_an_index_in_another_shape_is_refused(index):
    with pytest.raises(TypeError):
        read_work(record(abstract_inverted_index=index, title=None))


@pytest.mark.parametrize(
    ("where", "named"),
    [
        ({"landing_page_url": "http://arxiv.org/abs/2111.07624v3"}, ("2111.07624",)),
        ({"pdf_url": "https://arxiv.org/pdf/hep-th/9901001"}, ("hep-th/9901001",)),
        ({"landing_page_url": "https://doi.org/10.48550/arXiv.2111.07624"}, ("2111.07624",)),
        (
            {"landing_page_url": "https://doi.org/10.1101/1", "raw_type": "posted-content"},
            ("10.1101/1",),
        ),
        ({"landing_page_url": "https://doi.org/10.5281/zenodo.1", "raw_type": "dataset"}, ()),
        ({"landing_page_url": f"https://doi.org/{FINE}", "raw_type": "posted-content"}, ()),
    ],
)
def test_preprints_are_read_from_addresses_and_kinds(where, named):
    assert preprints_of(record(locations=[place(**where)])) == named


def test_references_are_ids_and_nothing_else():
    cited = ["https://openalex.org/W2", "W3", "https://openalex.org/W2", "A1", "https://x.example"]

    node = read_graph_work(record(referenced_works=cited, publication_year=2020))

    assert (node.id, node.references) == ("W1", ("W2", "W3"))


@pytest.mark.parametrize("identity", [None, "", "A1", "W", "W1/../x", 7])
def test_a_record_without_an_id_is_refused(identity):
    with pytest.raises(ValueError):
        read_graph_work(record(id=identity, referenced_works=[]))
