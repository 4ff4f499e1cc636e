"""citation_graph, through the tool, in the simulated world."""

import pytest

pytestmark = pytest.mark.anyio

OPENALEX, CROSSREF, S2 = "api.openalex.org", "api.crossref.org", "api.semanticscholar.org"
FINE, FINE_TITLE = "10.5555/fine-paper", "Tidal mixing and the memory of estuaries"


@pytest.fixture
async def ask(asking):
    return await asking(keys=False)


async def graph(ask, paper=FINE, **arguments):
    return (await ask("citation_graph", paper=paper, **arguments)).structured


def dois(papers):
    return [paper.get("doi") for paper in papers]


async def test_semantic_scholar_answers_with_intents_and_influence(ask):
    answer = await graph(ask)

    assert (answer["seed"], answer["direction"]) == (FINE, "both")
    assert answer["provider"] == "semanticscholar"
    assert answer["citedByCount"] == len(answer["citedBy"]) > 0
    assert answer["referencesCount"] == len(answer["references"]) > 0
    assert any("citationIntents" in one for one in answer["citedBy"])
    assert all("isInfluential" in one for one in answer["citedBy"])
    assert answer["seedPaper"]["title"] == FINE_TITLE


async def test_notices_of_both_sides_come_by_one_batch(ask, internet):
    answer = await graph(ask)

    everything = [*answer["citedBy"], *answer["references"]]
    assert any("retractionStatus" in one for one in everything)
    assert len(everything) > 2 >= len(internet.requests_to(CROSSREF))


@pytest.mark.parametrize(
    ("direction", "absent"), [("cited_by", "references"), ("references", "citedBy")]
)
async def test_one_direction_alone(ask, direction, absent):
    answer = await graph(ask, direction=direction)

    assert absent not in answer
    assert f"{absent}Count" not in answer


async def test_a_provider_alone_is_asked_and_nobody_else(ask, internet):
    answer = await graph(ask, provider="openalex")

    assert answer["provider"] == "openalex"
    assert {one.host for one in internet.seen} == {OPENALEX}


@pytest.mark.parametrize("fault", ["500", "429", "cut", "a page"])
async def test_openalex_stands_in_for_semantic_scholar(ask, spoil, fault):
    spoil(S2, fault)

    answer = await graph(ask)

    assert answer["provider"] == "openalex"
    assert "semanticscholar" in answer["sourcesFailed"]
    assert answer["citedBy"]


async def test_a_failure_of_all_is_an_error_and_never_an_empty_graph(ask, internet):
    for host in internet.hosts:
        internet.breaks(host, status=500)

    result = await ask("citation_graph", paper=FINE)

    assert result.is_error
    assert result.structured["error"]["kind"] != "not_found"


async def test_an_exact_title_names_the_seed(ask):
    by_title, by_doi = await graph(ask, FINE_TITLE.upper()), await graph(ask)

    assert dois(by_title["citedBy"]) == dois(by_doi["citedBy"])


async def test_a_near_work_without_a_title_is_called_untitled(ask):
    result = await ask("citation_graph", paper="no such title at all xyz")

    detail = result.structured["error"]["detail"]
    assert "untitled (Jane Smith, 1998) 10.5555/no-title" in detail
    assert "None" not in detail


async def test_a_title_that_is_not_exact_is_refused_with_the_nearest(ask):
    result = await ask("citation_graph", paper="Tidal mixing of something else")

    assert result.is_error
    assert "no paper with the exact title" in result.structured["error"]["detail"]


async def test_pages_follow_one_another_and_repeat_nothing(ask):
    first = await graph(ask, direction="cited_by", num_results=2)
    second = await graph(ask, direction="cited_by", num_results=2, cursor=first["nextCursor"])

    assert len(first["citedBy"]) == 2
    assert not set(dois(first["citedBy"])) & set(dois(second["citedBy"]))


@pytest.mark.parametrize("cursor", ["nonsense", "e30=", "eyJwYXBlciI6MX0=", "\u00fc" * 40])
async def test_a_cursor_that_was_never_given_is_refused(ask, internet, cursor):
    result = await ask("citation_graph", paper=FINE, cursor=cursor)

    assert result.structured["error"]["kind"] == "validation"
    assert not internet.seen


async def test_a_cursor_of_another_paper_is_refused(ask):
    first = await graph(ask, num_results=1)
    result = await ask("citation_graph", paper="10.5555/closed-paper", cursor=first["nextCursor"])

    assert result.structured["error"]["kind"] == "validation"


@pytest.mark.parametrize("provider", ["scopus", "crossref", "google"])
async def test_a_provider_that_lists_no_citations_is_refused_with_those_that_do(
    ask, internet, provider
):
    result = await ask("citation_graph", paper=FINE, provider=provider)

    assert result.structured["error"]["kind"] == "config"
    assert "semanticscholar, openalex" in result.structured["error"]["detail"]
    assert not internet.seen


async def test_only_influential_citations_where_the_provider_tells(ask):
    influential = await graph(ask, influential_only=True, num_results=25)
    plain = await graph(ask, influential_only=True, provider="openalex", num_results=25)

    assert all(one["isInfluential"] for one in influential["citedBy"])
    assert plain["citedBy"]


async def test_the_graph_is_answered_from_the_cache_for_a_day(ask, internet):
    await ask("citation_graph", paper=FINE)
    internet.forget()

    again = await ask("citation_graph", paper=FINE)

    assert not internet.requests_to(S2)
    assert again.meta["cached"] is True
    assert again.meta["maxAgeSeconds"] == 86400


@pytest.mark.parametrize("paper", ["10.1", "https://example.org/", "x"])
async def test_what_is_no_paper_is_refused_and_nobody_is_asked(ask, internet, paper):
    result = await ask("citation_graph", paper=paper)

    assert result.structured["error"]["kind"] == "validation"
    assert not internet.seen


async def test_an_unknown_paper_is_told_apart_from_a_failure(ask):
    result = await ask("citation_graph", paper="10.5555/never-registered")

    assert result.is_error
    assert "no citation index has" in result.structured["error"]["detail"]
    assert result.structured["error"]["kind"] == "not_found"


def twin(number):
    return {
        "id": f"https://openalex.org/W99{number}",
        "doi": f"https://doi.org/10.5555/twin-{number}",
        "title": "Annual report of the harbour masters",
        "publication_year": 2010 + number,
        "publication_date": f"{2010 + number}-01-01",
        "type": "article",
        "authorships": [{"author": {"display_name": f"Ann Lee{number}"}}],
        "locations": [],
    }


async def test_a_title_that_several_papers_have_is_refused_with_all_of_them(ask, internet, spoil):
    spoil(S2, "500")
    spoil(CROSSREF, "500")
    internet.says(OPENALEX, {"meta": {"count": 2}, "results": [twin(1), twin(2)]})

    result = await ask("citation_graph", paper="Annual report of the harbour masters")

    problem = result.structured["error"]
    assert problem["kind"] == "validation"
    assert "10.5555/twin-1" in problem["detail"]
    assert "10.5555/twin-2" in problem["detail"]


async def test_the_title_of_a_preprint_and_its_publication_names_one_paper(ask):
    answer = await graph(ask, "A survey of lichen growth in the Outer Banks of Lyonesse")

    assert answer["seedPaper"]["doi"] == "10.99004/fog.2020.0028"
    assert {one["kind"] for one in answer["seedPaper"]["versions"]} == {"published", "preprint"}


async def test_crossref_stands_in_for_references_if_neither_graph_answers(ask, spoil):
    spoil(S2, "500")
    spoil(OPENALEX, "500")
    spoil("api.opencitations.net", "500")

    answer = await graph(ask, direction="references")

    assert answer["provider"] == "crossref"
    assert answer["references"]
    assert {"semanticscholar", "openalex"} <= set(answer["sourcesFailed"])


async def test_opencitations_stands_in_if_neither_graph_answers(ask, spoil):
    spoil(S2, "500")
    spoil(OPENALEX, "500")

    answer = await graph(ask)

    assert answer["provider"] == "opencitations"
    assert answer["citedBy"]
    assert all(one["title"] for one in answer["citedBy"])
    assert any("authors" in one for one in answer["citedBy"])


async def test_references_that_an_index_only_counts_are_not_called_none(ask, spoil):
    spoil(S2, "500")
    counted = "10.5555/corrected-paper"

    alone = await graph(ask, counted, provider="openalex", direction="references")
    answer = await graph(ask, counted, direction="references")

    assert (alone["references"], alone["referencesTotal"]) == ([], 2)
    assert alone["incomplete"] == ["references"]
    assert answer["provider"] == "opencitations"
    assert answer["references"]
    assert "incomplete" not in answer


@pytest.mark.parametrize("failing", ["references", "citedBy"])
async def test_a_direction_that_failed_has_no_count_and_is_named(ask, internet, failing):
    paths = {"references": "references", "citedBy": "citations"}
    for host in (S2, "api.openalex.org", "api.opencitations.net", "api.crossref.org"):
        path = f"/graph/v1/paper/DOI:10.5555/fine-paper/{paths[failing]}" if host == S2 else None
        internet.breaks(host, status=500, **({"path": path} if path else {}))

    answer = await graph(ask, "10.5555/fine-paper")

    other = "citedBy" if failing == "references" else "references"
    assert failing not in answer
    assert f"{failing}Count" not in answer
    assert answer["incomplete"] == [failing]
    assert "semanticscholar" in answer["sourcesFailed"]
    assert answer[f"{other}Count"] == len(answer[other]) > 0


async def test_no_references_are_unknown_while_an_index_that_may_have_some_failed(ask, internet):
    internet.breaks(S2, status=500)

    failure = await ask("citation_graph", paper="10.5555/no-title", direction="references")
    internet.mends()
    whole = await graph(ask, "10.5555/no-title", direction="references")

    assert failure.is_error
    assert failure.structured["error"]["provider"] == "semanticscholar"
    assert (whole["references"], whole["referencesCount"]) == ([], 0)
