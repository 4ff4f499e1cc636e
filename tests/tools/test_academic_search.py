"""academic_search, through the tool, in the simulated world."""

import pytest

from sourcewright.world.corpus.ids import pmcid, pmid

pytestmark = pytest.mark.anyio

OPENALEX, CROSSREF = "api.openalex.org", "api.crossref.org"
S2, DUCKDUCKGO = "api.semanticscholar.org", "html.duckduckgo.com"
INDEXES = (OPENALEX, CROSSREF, S2)
THREE = ["openalex", "crossref", "semanticscholar"]
FINE, RETRACTED = "10.5555/fine-paper", "10.5555/retracted-paper"
FINE_TITLE = "Tidal mixing and the memory of estuaries"


def searches(internet, host):
    """The requests to an index that search it; those for several DOIs check what was found."""
    return [
        one
        for one in internet.requests_to(host)
        if "search" in f"{one.path}?{one.query}" or "query" in one.query
    ]


async def search(ask, **arguments):
    return (await ask("academic_search", **arguments)).structured


@pytest.fixture
async def ask(asking):
    return await asking(keys=False)


async def test_openalex_is_asked_first_and_nobody_else_is_searched(ask, internet):
    answer = await search(ask, query=FINE_TITLE)

    first = answer["papers"][0]
    assert (answer["source"], first["doi"], first["source"]) == ("openalex", FINE, "openalex")
    assert first["url"] == f"https://doi.org/{FINE}"
    assert first["citationCountSource"] == "openalex"
    assert answer["resultCount"] == len(answer["papers"]) <= answer["totalResults"]
    assert answer["trust"] == "untrusted-external-content"
    assert not searches(internet, CROSSREF)


async def test_notices_come_by_one_batch_for_all_papers(ask, internet):
    answer = await search(ask, query="seiche periods of forty harbours", num_results=10)

    corrected = next(one for one in answer["papers"] if one["doi"] == "10.5555/corrected-paper")
    assert corrected["retractionStatus"]["kind"] == "correction"
    assert corrected["retractionStatus"]["retracted"] is False
    assert "crossref" in answer["noticeCheck"]["answered"]
    assert len(answer["papers"]) > 2 >= len(internet.requests_to(CROSSREF))


async def test_a_provider_alone_is_asked_and_nobody_else(ask, internet):
    answer = await search(ask, query=FINE_TITLE, provider="crossref")

    assert answer["source"] == answer["papers"][0]["source"] == "crossref"
    assert {one.host for one in internet.seen} == {CROSSREF}
    assert "noticeCheck" not in answer


async def test_a_check_can_be_asked_for_with_a_provider(ask, internet):
    answer = await search(ask, query=FINE_TITLE, provider="semanticscholar", check=True)

    assert "crossref" in answer["noticeCheck"]["answered"]
    assert not searches(internet, CROSSREF)


async def test_several_sources_show_each_work_once_with_what_each_says(ask):
    answer = await search(ask, query=FINE_TITLE, sources=THREE)

    assert answer["source"] == "fusion"
    assert sorted(answer["sourcesAnswered"]) == sorted(THREE)
    first = answer["papers"][0]
    assert (first["doi"], sorted(first["sources"])) == (FINE, sorted(THREE))
    assert first["fieldSources"]["tldr"] == "semanticscholar"
    dois = [one.get("doi") for one in answer["papers"]]
    assert len(dois) == len(set(dois))


async def test_all_sources_ask_every_index(ask, internet):
    await search(ask, query=FINE_TITLE, sources="all")

    assert all(searches(internet, host) for host in INDEXES)


async def test_fusion_can_be_turned_on_for_every_call(asking, internet):
    ask = await asking(keys=False, SEARCH_FUSION="on")

    answer = await search(ask, query=FINE_TITLE)

    assert answer["source"] == "fusion"
    assert all(searches(internet, host) for host in INDEXES)


@pytest.mark.parametrize("fault", ["500", "429", "403", "cut", "unplugged", "a page"])
async def test_an_index_that_fails_is_named_and_the_others_answer(ask, spoil, fault):
    spoil(OPENALEX, fault)

    answer = await search(ask, query=FINE_TITLE, sources=THREE)

    assert answer["papers"][0]["doi"] == FINE
    assert set(answer["sourcesFailed"]) == {"openalex"}
    assert "openalex" not in answer["sourcesAnswered"]


async def test_another_index_stands_in_for_openalex(ask, spoil):
    spoil(OPENALEX, "500")

    answer = await search(ask, query=FINE_TITLE)

    assert (answer["source"], answer["papers"][0]["doi"]) == ("crossref", FINE)
    assert set(answer["sourcesFailed"]) == {"openalex"}


async def test_a_check_that_failed_is_named_and_the_papers_are_shown(ask, spoil):
    spoil(CROSSREF, "500")

    answer = await search(ask, query=FINE_TITLE)

    assert answer["papers"][0]["doi"] == FINE
    assert "crossref" in answer["noticeCheck"]["failed"]
    assert "crossref" not in answer["noticeCheck"]["answered"]


async def test_an_index_that_failed_the_search_is_named_as_one_that_checked_no_notices(ask, spoil):
    spoil(OPENALEX, "500")
    spoil(CROSSREF, "500")

    answer = await search(ask, query=FINE_TITLE)

    assert answer["papers"][0]["doi"] == FINE
    assert {"openalex", "crossref"} <= set(answer["sourcesFailed"])
    assert {"openalex", "crossref"} <= set(answer["noticeCheck"]["failed"])


async def test_only_if_nobody_answers_it_is_an_error(asking, internet):
    ask = await asking(keys=False)
    for host in internet.hosts:
        internet.breaks(host, status=500)

    result = await ask("academic_search", query=FINE_TITLE)

    assert result.is_error
    assert result.structured["error"]["provider"] == "openalex"
    assert "crossref" in result.structured["error"]["detail"]


async def test_the_web_stands_in_restricted_to_sites_of_papers(ask, internet, spoil):
    for host in internet.hosts:
        if host != DUCKDUCKGO:
            spoil(host, "500")

    result = await ask("academic_search", query="tidal energy")

    assert internet.requests_to(DUCKDUCKGO)
    requests = " ".join(one.query for one in internet.requests_to(DUCKDUCKGO))
    assert "arxiv.org" in requests
    assert "medrxiv.org" in requests
    assert result.structured.get("source") == "web_search"


@pytest.mark.parametrize("fusion", ["off", "on"])
async def test_a_lens_searches_its_sites_on_the_web_instead_of_indexes(asking, internet, fusion):
    ask = await asking(keys=False, SEARCH_FUSION=fusion)
    answer = await search(ask, query="sea otter", lens="academic", source="ieee", year_from=2020)

    hosts = {one.host for one in internet.seen}
    assert DUCKDUCKGO in hosts
    assert not hosts & {*INDEXES}
    assert answer["source"] == "web_search"
    assert [one["url"] for one in answer["papers"]] == ["https://arxiv.org/web/sea-otter-15.html"]
    assert answer["filtersIgnored"] == ["year_from", "source"]


async def test_an_index_that_is_asked_for_by_name_cannot_be_limited_to_a_lens(ask, internet):
    answer = await search(ask, query=FINE_TITLE, lens="academic", provider="crossref")

    assert {one.host for one in internet.seen} == {CROSSREF}
    assert answer["papers"]
    assert "lens" in answer["filtersIgnored"]


async def test_an_unknown_lens_is_named_with_the_known_ones(ask, internet):
    error = (await search(ask, query="sea otter", lens="nowhere"))["error"]

    assert error["kind"] == "validation"
    assert "academic-extended" in error["detail"]
    assert internet.seen == []


async def test_nothing_on_the_sites_of_a_lens_names_the_lens_among_the_filters(ask):
    answer = await search(ask, query="qqq zzz", lens="academic")

    assert answer["papers"] == []
    assert answer["hints"]["filtersApplied"] == {"lens": "academic"}


async def test_a_web_engine_can_be_named_as_provider(ask, internet):
    answer = await search(ask, query="tidal energy", provider="duckduckgo", source="nature")

    assert {one.host for one in internet.seen} == {DUCKDUCKGO}
    assert answer["source"] == "web_search"
    assert all("nature.com" in one["url"] for one in answer["papers"])


async def test_nothing_found_comes_with_hints(ask):
    answer = await search(ask, query="zzyzx qwxyz", sources=THREE, year_from=1950)

    assert answer["papers"] == []
    assert answer["totalResults"] == 0
    assert answer["hints"]["filtersApplied"] == {"year_from": "1950"}
    assert answer["hints"]["reason"] == "filters_too_restrictive"


async def test_years_hold_whatever_an_index_makes_of_them(ask):
    answer = await search(
        ask, query="tidal mixing", sources=THREE, year_from=2015, year_to=2019, num_results=10
    )

    assert answer["papers"]
    assert all(2015 <= one["year"] <= 2019 for one in answer["papers"])


async def test_only_papers_with_a_pdf_or_free_to_read(ask):
    with_pdf = await search(ask, query="tidal mixing", pdf_only=True, num_results=10)
    free = await search(ask, query="tidal mixing", open_access=True, num_results=10)

    assert with_pdf["papers"]
    assert all(one["pdfUrl"] for one in with_pdf["papers"])
    assert free["papers"]
    assert all(one["openAccess"] for one in free["papers"])


async def test_papers_by_date_come_newest_first(ask):
    answer = await search(ask, query="tidal mixing", sort_by="date", num_results=10)

    years = [one["year"] for one in answer["papers"]]
    assert years == sorted(years, reverse=True)


async def test_an_abstract_is_cut_between_words(ask):
    answer = await search(ask, query="tidal mixing", num_results=10)

    abstracts = [one["abstract"] for one in answer["papers"] if "abstract" in one]
    assert abstracts
    assert all(len(one) <= 500 for one in abstracts)
    assert all(one[-2] != " " for one in abstracts if one.endswith("…"))


async def test_the_same_question_is_answered_from_the_cache(ask, internet):
    await ask("academic_search", query=FINE_TITLE)
    internet.forget()

    again = await ask("academic_search", query=FINE_TITLE)

    assert not internet.seen
    assert again.meta["cached"] is True
    assert again.meta["maxAgeSeconds"] == 3600


async def test_a_fresh_answer_says_nothing_of_the_cache(ask):
    result = await ask("academic_search", query=FINE_TITLE)

    assert "cached" not in result.meta
    assert "routing" not in result.meta


async def test_the_operators_order_is_kept_and_told_beside_the_answer(asking, spoil):
    ask = await asking(keys=False, SEARCH_ROUTING='{"academic": "crossref,openalex"}')
    spoil(CROSSREF, "500")

    result = await ask("academic_search", query=FINE_TITLE)

    assert result.structured["source"] == "router"
    routing = result.meta["routing"]
    assert routing["provider_used"] == "openalex"
    assert routing["providers_attempted"] == ["crossref", "openalex"]
    assert routing["fallback_reason"] == "primary_unavailable"
    assert "routing" not in result.text


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"query": ""}, "query"),
        ({"query": "x", "year_from": 1500}, "year_from"),
        ({"query": "x", "year_from": 2020, "year_to": 2010}, "year_from 2020 is after year_to"),
        ({"query": "x", "provider": "hal", "sources": ["dblp"]}, "provider and sources cannot"),
        ({"query": "x", "sources": 7}, "sources: input should be 'all' or "),
        ({"query": "x", "source": "elsevier"}, "source: input should be 'all', 'arxiv', "),
        ({"query": "x", "sort_by": "citations"}, "sort_by"),
        ({"query": "x", "nonsense": 1}, "nonsense"),
    ],
)
async def test_a_question_without_meaning_is_refused_and_nobody_is_asked(
    ask, internet, arguments, word
):
    result = await ask("academic_search", **arguments)

    assert result.structured["error"]["kind"] == "validation"
    assert word in result.structured["error"]["detail"]
    assert not internet.seen


async def test_an_unknown_provider_is_refused_with_those_that_there_are(ask, internet):
    details = []
    for arguments in ({"provider": "scopus"}, {"sources": ["scopus"]}, {"sources": ["google"]}):
        result = await ask("academic_search", query="x", **arguments)

        problem = result.structured["error"]
        assert problem["kind"] == "config"
        assert "openalex" in problem["alternatives"]
        details.append(problem["detail"])
    provider, unknown, engine = details
    listed = provider.partition("supported: ")[2].split(", ")
    assert set(listed) >= {"openalex", "exa", "google", "brave", "serper", "searxng", "tavily"}
    assert len(listed) == len(set(listed))
    assert unknown.startswith("unknown provider 'scopus'; supported: openalex, ")
    assert "google" not in engine.partition("supported: ")[2]
    assert not internet.seen


async def test_a_filter_that_nobody_could_apply_is_named_and_leaves_no_paper_out(ask):
    alone = await search(ask, query="tidal mixing", provider="datacite", open_access=True)
    checked = await search(
        ask, query="tidal mixing", provider="datacite", open_access=True, check=True
    )

    assert alone["papers"]
    assert alone["filtersIgnored"] == ["open_access"]
    assert all(one["openAccess"] for one in checked["papers"])


async def test_pages_of_the_web_pass_for_pdfs_by_their_address_alone(asking, internet):
    ask = await asking()
    urls = [
        "https://arxiv.org/pdf/2101.00001",
        "https://www.nature.com/a.html",
        "https://plos.org/b.PDF?x",
    ]
    hits = [{"title": f"Paper {url}", "url": url, "description": "Tides"} for url in urls]
    listing = {"type": "search", "query": {"original": "tides"}, "web": {"results": hits}}
    internet.says("api.search.brave.com", listing)

    found = await search(ask, query="tides", provider="brave", pdf_only=True)
    internet.says("api.search.brave.com", {**listing, "web": {"results": hits[1:2]}})
    nothing = await search(ask, query="tidal", provider="brave", pdf_only=True)

    assert [one["pdfUrl"] for one in found["papers"]] == [urls[0], urls[2]]
    assert not any("openAccess" in one for one in found["papers"])
    assert nothing["papers"] == []
    assert nothing["hints"]["filtersApplied"] == {"pdf_only": "True"}


async def test_a_number_out_of_range_is_moved_into_it_and_echoed(ask):
    answer = await search(ask, query="the", num_results=99)

    assert answer["requestedNumResults"] == 99
    assert len(answer["papers"]) == 50


async def test_a_retracted_paper_is_marked(ask, internet):
    title = next(work.title for work in internet.corpus.works if work.doi == RETRACTED)

    first = (await search(ask, query=title))["papers"][0]

    assert first["doi"] == RETRACTED
    status = first["retractionStatus"]
    assert (status["retracted"], status["kind"]) == (True, "retraction")
    # OpenAlex, which found it, says no more than that it is retracted.
    assert status["date"] == "2018-02-14"
    assert status["noticeDoi"] == "10.5555/retraction-notice"
    assert status["source"] in ("publisher", "retraction-watch")
    assert {one["kind"] for one in first["notices"]} == {"retraction"}


async def test_papers_are_recorded_in_the_session_also_from_the_cache(ask):
    step = {"researchGoal": "tides", "searchStep": "papers", "stepNumber": 1}
    started = await ask("sequential_search", **step, nextStepNeeded=True)
    session = started.structured["sessionId"]

    for _ in range(2):
        result = await ask("academic_search", query=FINE_TITLE, sessionId=session)
        assert result.meta["session"]["linked"] is True

    record = await ask("get_research_session", sessionId=session)
    assert FINE in str(record.structured)


async def test_a_preprint_and_its_publication_are_one_paper_with_two_versions(ask):
    answer = await search(ask, query="A lattice model of lichen growth", sources=THREE)

    pair = [one for one in answer["papers"] if one["title"] == "A lattice model of lichen growth"]
    assert [one["doi"] for one in pair] == ["10.5555/arxiv-pair"]
    assert {one["kind"] for one in pair[0]["versions"]} == {"published", "preprint"}


async def test_an_index_that_hangs_does_not_shorten_the_time_of_the_others(ask, internet):
    internet.breaks(S2, status=429, retry_after=3600)

    answer = await search(ask, query=FINE_TITLE, sources=THREE)

    assert answer["sourcesFailed"]["semanticscholar"] == "rate_limited"
    assert sorted(answer["papers"][0]["sources"]) == ["crossref", "openalex"]


async def test_an_order_with_an_unknown_index_is_refused_at_the_start(asking):
    from sourcewright.settings import SettingsError

    with pytest.raises(SettingsError, match="scopus"):
        await asking(keys=False, SEARCH_ROUTING='{"academic": "scopus"}')


async def test_a_misspelled_title_finds_the_paper_first(ask):
    answer = await search(
        ask, query="Tidal mxing and the memory of estuaries", sources="all", num_results=3
    )

    assert answer["papers"][0]["doi"] == FINE


def _spellings(corpus):
    fine = corpus.by_doi(FINE)
    preprint = next(one for one in corpus.works if one.manuscript)
    return {
        "bare DOI": (FINE, fine),
        "labelled DOI": (f"doi: {FINE.upper()}", fine),
        "DOI as a URL": (f"https://doi.org/{FINE}", fine),
        "PMID": (f"PMID {pmid(fine)}", fine),
        "PMID with a colon": (f"pmid: {pmid(fine)}", fine),
        "PMC id": (pmcid(fine), fine),
        "arXiv id": (preprint.manuscript.id, preprint),
        "labelled arXiv id with a version": (f"arXiv:{preprint.manuscript.id}v1", preprint),
    }


@pytest.mark.parametrize(
    "spelling",
    [
        "bare DOI",
        "labelled DOI",
        "DOI as a URL",
        "PMID",
        "PMID with a colon",
        "PMC id",
        "arXiv id",
        "labelled arXiv id with a version",
    ],
)
async def test_an_identifier_as_the_query_finds_that_work_alone(ask, internet, spelling):
    query, work = _spellings(internet.corpus)[spelling]

    answer = await search(ask, query=query)

    assert [one["title"] for one in answer["papers"]] == [work.title]
    assert answer["resultCount"] == 1


async def test_a_failing_index_is_named_and_another_one_finds_the_identifier(ask, internet):
    internet.breaks(OPENALEX, status=503)

    answer = await search(ask, query=FINE)

    assert [one["doi"] for one in answer["papers"]] == [FINE]
    assert "openalex" in answer["sourcesFailed"]


async def test_a_pmc_id_that_could_not_be_converted_is_that_failure(ask, internet):
    internet.breaks("eutils.ncbi.nlm.nih.gov", status=503)

    result = await ask("academic_search", query=pmcid(internet.corpus.by_doi(FINE)))

    assert result.is_error
    assert result.structured["error"]["provider"] == "ncbi"


async def test_an_identifier_that_no_index_knows_finds_no_other_work(ask):
    answer = await search(ask, query="PMID 99999999", sources=["all"])

    assert answer["papers"] == []
    assert answer["hints"]
