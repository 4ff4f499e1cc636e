"""Searches that ask several sources: a source that failed is never one that has nothing."""

import asyncio
from dataclasses import dataclass, field

import pytest
from capability_questions import NOWHERE
from loop_clock import LoopClock, movable_loop

from sourcewright import tools

pytestmark = pytest.mark.anyio

CHALLENGE = (
    b"<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>"
    b'<form id="challenge-form" action="/cdn-cgi/challenge-platform/"></form></body></html>'
)
FAULTS = {
    "500": lambda internet, host: internet.breaks(host, status=500),
    "429": lambda internet, host: internet.breaks(host, status=429, retry_after=3600),
    "401": lambda internet, host: internet.breaks(host, status=401),
    "403": lambda internet, host: internet.breaks(host, status=403),
    "cut": lambda internet, host: internet.cuts(host),
    "unplugged": lambda internet, host: internet.unplugs(host),
    "another shape": lambda internet, host: internet.says(host, {"moved": True}),
    "a challenge": lambda internet, host: internet.says(
        host, CHALLENGE, status=403, content_type="text/html"
    ),
    "timeout": lambda internet, host: internet.delays(host, 3600.0),
}
ENGINES = {
    "google": {"GOOGLE_CUSTOM_SEARCH_API_KEY": "k", "GOOGLE_CUSTOM_SEARCH_ID": "an-engine"},
    "brave": {"BRAVE_API_KEY": "k"},
    "serper": {"SERPER_API_KEY": "k"},
    "searchapi": {"SEARCHAPI_API_KEY": "k"},
    "tavily": {"TAVILY_API_KEY": "k"},
    "exa": {"EXA_API_KEY": "k"},
    "searxng": {"SEARXNG_URL": "https://searxng.harbour.example"},
}
INDEXES = {
    "core": {"CORE_API_KEY": "k"},
    "exa": {"EXA_API_KEY": "k"},
    "semanticscholar": {"SEMANTIC_SCHOLAR_API_KEY": "k"},
    "openalex": {"OPENALEX_API_KEY": "k"},
    "pubmed": {"PUBMED_API_KEY": "k"},
}
PATENTS = {
    "searchapi": {"SEARCHAPI_API_KEY": "k"},
    "epo": {"EPO_OPS_CONSUMER_KEY": "k", "EPO_OPS_CONSUMER_SECRET": "s"},
    "lens": {"LENS_API_TOKEN": "k"},
    "uspto": {"USPTO_API_KEY": "k"},
}
ENCYCLOPEDIA, STORIES = "en.wikipedia.org", "hn.algolia.com"
NO_DECIDERS = {
    "web_search": {ENCYCLOPEDIA},
    "search_and_scrape": {ENCYCLOPEDIA},
    "news_search": {STORIES},
    "image_search": {ENCYCLOPEDIA, "api.openverse.org", "commons.wikimedia.org"},
    "academic_search": {
        *("eutils.ncbi.nlm.nih.gov", "api.core.ac.uk", "api.exa.ai"),
        *("html.duckduckgo.com", ENCYCLOPEDIA),
    },
    "patent_search": {"api.uspto.gov", "html.duckduckgo.com", ENCYCLOPEDIA},
}
"""The hosts of sources that cannot know, of those that each tool asks; a web search for pages of
papers or patents is one of them."""


@dataclass(frozen=True)
class Chain:
    """One automatic chain: a tool, a question that nobody has an answer to, the keys."""

    tool: str
    arguments: dict[str, object]
    keys: dict[str, dict[str, str]] = field(default_factory=dict)

    def settings(self, name):
        chosen = self.keys.values() if name == "all keys" else [self.keys.get(name, {})]
        return {variable: value for keys in chosen for variable, value in keys.items()}


WORDS = {"query": NOWHERE}
CHAINS = {
    "web": Chain("web_search", WORDS, ENGINES),
    "pages": Chain("search_and_scrape", WORDS, ENGINES),
    "images": Chain("image_search", WORDS, ENGINES),
    "news": Chain("news_search", WORDS, ENGINES),
    "papers": Chain("academic_search", WORDS, INDEXES),
    "a DOI": Chain("academic_search", {"query": "10.5555/nobody.registered.this"}, INDEXES),
    "a PubMed id": Chain("academic_search", {"query": "PMID 99999999"}, INDEXES),
    "patents": Chain("patent_search", WORDS, PATENTS),
    "a patent": Chain("patent_search", {"query": "US99999999B2"}, PATENTS),
    "cases": Chain("legal_search", WORDS),
    "trials": Chain("clinical_search", WORDS),
    "filings": Chain("filing_search", WORDS),
    "figures": Chain("filing_search", {**WORDS, "facts": True}),
    "a ticker": Chain("filing_search", {"ticker": "XYZZY"}),
    "series": Chain("econ_search", WORDS, {"fred": {"FRED_API_KEY": "0123456789abcdef" * 2}}),
    "a series": Chain("econ_search", {"series_id": "NOBODYS"}),
    "places": Chain("local_search", {**WORDS, "near": "Xyzzyville"}, {"brave": ENGINES["brave"]}),
    "fields": Chain("structured_search", WORDS, {"exa": ENGINES["exa"]}),
}
WITHOUT_CACHE = {"SOURCEWRIGHT_CACHE": "0"}
ALWAYS = {"local_search": {"SOURCEWRIGHT_OSM": "1"}, "structured_search": ENGINES["exa"]}
CASES = [
    pytest.param(chain, keys, id=f"{name}-{keys}")
    for name, chain in CHAINS.items()
    for keys in ("keyless", *chain.keys, *(["all keys"] if len(chain.keys) > 1 else []))
]


@pytest.fixture
def run(application, internet, validate):
    """Puts a question in a new application while some hosts are at fault."""

    async def ask(chain, keys, fault=None, hosts=()):
        from sourcewright.wiring import Machine

        internet.mends()
        internet.forget()
        for host in hosts:
            FAULTS[fault](internet, host)
        settings = WITHOUT_CACHE | ALWAYS.get(chain.tool, {}) | chain.settings(keys)
        app = await application(Machine(clock=LoopClock()), **settings)
        call = asyncio.create_task(app.call(chain.tool, chain.arguments))
        requests = quiet = 0
        while not call.done():
            count, quiet = len(internet.seen), quiet + 1
            if count > requests:
                requests, quiet = count, 0
            # A host that does not answer is given up; the pause before a repetition is over.
            if quiet == 3:
                movable_loop().move(120.0 if fault == "timeout" else 4.0)
            await asyncio.wait([call], timeout=0.01)
        validate(chain.tool, call.result().structured)
        return call.result()

    return ask


def failed_in(result):
    """The sources that a result names as failed, wherever it does."""
    answer = result.structured
    hints = answer.get("hints") or {}
    return {
        **hints.get("providersFailed", {}),
        **(answer.get("sourcesFailed") or {}),
        **result.meta.get("providersFailed", {}),
    }


def check_failure(result, fault):
    error = result.structured["error"]
    assert result.is_error
    assert error["kind"] not in ("not_found", "validation", "internal")
    assert error["provider"]
    assert error["provider"] in error["detail"]
    assert error["retryable"] is (fault not in ("401", "403", "a challenge")), error


@pytest.mark.promise("absence.failure-is-no-absence")
@pytest.mark.promise("absence.only-those-who-can-know")
@pytest.mark.promise("absence.one-failure-leaves-it-open")
@pytest.mark.parametrize(("chain", "keys"), CASES)
async def test_nothing_found_by_the_others_is_no_absence(run, internet, often, chain, keys):
    nothing = await run(chain, keys)
    hosts = list(dict.fromkeys(seen.host for seen in internet.seen))
    deciders = {*hosts} - NO_DECIDERS.get(chain.tool, set()) or {*hosts} - {ENCYCLOPEDIA}
    assert not nothing.is_error
    assert not nothing.structured.get("resultCount")
    assert nothing.structured.get("hints") or chain.tool == "search_and_scrape"
    assert not failed_in(nothing)

    # Of chains with one key, each run of the tests takes some of the faults; a soak takes all.
    first = sum(map(ord, keys)) if keys not in ("keyless", "all keys") else 0
    faults = [*FAULTS][first % 3 :: often(3 if first else 1, 1)]
    for fault in faults:
        check_failure(await run(chain, keys, fault, hosts), fault)
    for at, host in enumerate(hosts):
        fault = [*FAULTS][(at + first) % len(FAULTS)]
        result = await run(chain, keys, fault, [host])
        if host in deciders:
            check_failure(result, fault)
        else:
            assert result.is_error or failed_in(result)


def test_every_tool_that_can_find_nothing_is_asked_here():
    hinting = {
        name
        for name, spec in tools.discover().items()
        if '"hints"' in str(spec.answer_schema()).replace("'", '"')
    }

    assert hinting <= {chain.tool for chain in CHAINS.values()}


DUCKDUCKGO, CROSSREF, OPENALEX = "html.duckduckgo.com", "api.crossref.org", "api.openalex.org"
S2 = "api.semanticscholar.org"


@pytest.mark.promise("absence.only-those-who-can-know")
@pytest.mark.parametrize(
    ("tool", "arguments", "broken", "part"),
    [
        ("web_search", {"query": "sea otter"}, [DUCKDUCKGO], "articles of Wikipedia"),
        ("search_and_scrape", {"query": "sea otter"}, [DUCKDUCKGO], "articles of Wikipedia"),
        ("news_search", {"query": "tidal"}, ["api.gdeltproject.org"], "stories of Hacker News"),
        (
            "academic_search",
            {"query": "Tidal mixing and the memory of estuaries"},
            [OPENALEX, CROSSREF],
            "biomedicine",
        ),
        (
            "citation_graph",
            {"paper": "10.5555/fine-paper", "direction": "cited_by"},
            [S2, OPENALEX],
            "citations whose two works have an open record",
        ),
    ],
)
async def test_an_answer_of_a_fallback_alone_says_so(
    answer, internet, tool, arguments, broken, part
):
    whole = await answer(tool, arguments)
    for host in broken:
        internet.breaks(host, status=500)

    result = await answer(tool, arguments, SOURCEWRIGHT_CACHE="0")

    note = result.structured["onlyFallback"]
    assert not result.is_error
    assert note.startswith("Only a fallback answered: ")
    assert part in note
    assert note in result.text
    assert len(failed_in(result)) >= len(broken)
    assert "onlyFallback" not in whole.structured
    assert result.structured.get("status") != "complete"


async def test_a_source_that_cannot_know_is_named_and_fails_nothing(answer, internet):
    internet.breaks(ENCYCLOPEDIA, status=500)

    result = await answer("web_search", WORDS)

    assert not result.is_error
    assert result.structured["hints"]["providersFailed"] == {"wikipedia": "server_error"}
    assert result.meta["providersFailed"] == {"wikipedia": "server_error"}


async def test_a_patent_whose_page_failed_is_shown_as_a_search_engine_found_it_and_says_so(
    answer, internet
):
    internet.breaks("patents.google.com", status=500)
    page = "https://patents.google.com/patent/US10165245B2/en"
    found = {"title": "US10165245B2 - Tidal turbine", "url": page, "description": "A turbine."}
    internet.says(
        "api.search.brave.com",
        {"type": "search", "query": {"original": "x"}, "web": {"results": [found]}},
    )

    result = await answer("patent_search", {"query": "US10165245B2"}, BRAVE_API_KEY="k")

    [patent] = result.structured["patents"]
    assert patent["number"] == "US10165245B2"
    assert result.structured["sourcesFailed"] == {"google_patents": "server_error"}
    assert "google_patents: HTTP 500" in result.structured["onlyFallback"]


async def test_a_domain_that_only_an_encyclopedia_was_asked_for_is_not_missing(answer, internet):
    internet.breaks(DUCKDUCKGO, status=429)

    result = await answer("brand_research", {"company_name": "Estuary"})

    error = result.structured["error"]
    assert (error["kind"], error["provider"]) == ("rate_limited", "duckduckgo")
    assert "no domain" not in error["detail"]


async def test_corroboration_by_a_fallback_alone_is_no_search(answer, internet):
    internet.breaks(DUCKDUCKGO, status=500)

    result = await answer(
        "verify_recommendation",
        {"recommendations": [{"title": "Estuary"}], "claim": "best estuary"},
    )

    text = result.text
    assert "uncorroborated" not in text.lower() or '"uncorroborated":false' in text
    assert "duckduckgo" in text


async def test_papers_whose_copies_could_not_be_checked_are_not_papers_without_a_copy(
    answer, internet
):
    internet.breaks(OPENALEX, status=500)
    internet.breaks("api.unpaywall.org", status=500)

    result = await answer(
        "academic_search",
        {"query": "10.5555/closed-paper", "pdf_only": True, "sources": ["crossref"]},
    )

    assert result.is_error
    assert result.structured["error"]["provider"] == "openalex"


async def test_a_paper_that_an_index_calls_uncited_while_another_failed_may_be_cited(
    answer, internet
):
    uncited = "10.99006/(sici)2999-0080(199905/06)7:3<101::aid-old42>3.0.co;2-x"
    nobodys = {"paper": uncited, "direction": "cited_by"}
    whole = await answer("citation_graph", nobodys, SOURCEWRIGHT_CACHE="0")
    internet.breaks(S2, status=503)

    result = await answer("citation_graph", nobodys, SOURCEWRIGHT_CACHE="0")

    assert (whole.is_error, whole.structured["citedByCount"]) == (False, 0)
    assert result.is_error
    assert result.structured["error"]["provider"] == "semanticscholar"
