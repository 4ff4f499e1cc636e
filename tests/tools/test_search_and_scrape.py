"""search_and_scrape, as its contract has it."""

import io
import json
import zipfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from urllib.parse import urlsplit

import pytest

from sourcewright import tools
from sourcewright.base.calls import current_call, time_limit
from sourcewright.base.clocks import SystemClock
from sourcewright.domain.web.queries import Query
from sourcewright.services.search.ranking import RankingOptions
from sourcewright.services.search.web_search import SearchOptions
from sourcewright.tools._answers.search_and_scrape import ResponseOptions, build_answer
from sourcewright.world import pdf

pytestmark = pytest.mark.anyio

BRAVE = "api.search.brave.com"
KEY = {"BRAVE_API_KEY": "an-invented-key", "SEARCH_PROVIDER": "brave"}
SPEC = tools.discover()["search_and_scrape"].listing()
SCHEMA = SPEC["inputSchema"]
MARKDOWN = "text/markdown; charset=utf-8"
QUERY = "sea otter kelp"
ONE, TWO, THREE = (f"https://{host}.example/page" for host in ("one", "two", "three"))
SHARED = "Kelp grows half a metre a day where otters keep the urchins away from it."
ALWAYS = {
    *("query", "status", "sources", "combinedContent", "trust", "summary", "sizeMetadata"),
}
OF_A_SOURCE = {
    *("url", "title", "content", "contentType", "trust", "scores", "sourceType", "authorityTier"),
    *("domainCategory", "wordCount", "extractionQuality", "truncated"),
}


def article(name, *paragraphs):
    own = f"The {name} paper writes about the sea otter and the kelp off its own coast."
    return "\n\n".join((f"# Sea otter kelp in {name}", own, *paragraphs))


@pytest.fixture
def web(internet):
    """Lets Brave find pages in this order, and serves what they say; None for a host as it is."""

    def put(pages, **found):
        results = [
            {"url": url, "title": f"Found {url}", "description": "Otters.", **found.get(url, {})}
            for url in pages
        ]
        listing = {"type": "search", "query": {"original": "x"}, "web": {"results": results}}
        internet.says(BRAVE, listing)
        for url, text in pages.items():
            place = urlsplit(url)
            kind = "text/html" if text and text.startswith("<") else MARKDOWN
            if text is not None:
                internet.says(place.hostname, text.encode(), path=place.path, content_type=kind)

    return put


@pytest.fixture
async def gather(application, validate):
    """Calls the tool with one application; each answer is held to the published schema."""
    made = {}

    async def ask(query=QUERY, **arguments):
        changes = {name: arguments.pop(name) for name in list(arguments) if name.isupper()}
        key = tuple(changes.items())
        made[key] = made.get(key) or await application(**KEY | changes)
        result = await made[key].call("search_and_scrape", {"query": query, **arguments})
        validate("search_and_scrape", result.structured)
        return result

    return ask


def test_the_arguments_are_those_of_the_contract_and_those_of_a_search():
    defaults = {
        "num_results": 3,
        "include_sources": True,
        "deduplicate": True,
        "max_length_per_source": 50_000,
        "total_max_length": 300_000,
    }
    contract = {*defaults, "query", "filter_by_query", "provider", "sessionId", "claim"}

    assert SCHEMA["required"] == ["query"]
    assert SCHEMA["properties"].keys() == contract | {
        *("lens", "site", "time_range", "language", "country"),
    }
    assert {name: SCHEMA["properties"][name]["default"] for name in defaults} == defaults


def test_the_listing_is_no_heavier_than_it_must_be():
    """Clients pay for it in every conversation."""
    answer = SPEC["outputSchema"]["anyOf"][0]["properties"]

    assert len(json.dumps(SPEC, separators=(",", ":"))) <= 4_000
    assert answer["sources"] == {"type": "array"}
    assert '"null"' not in json.dumps(SPEC["outputSchema"])


async def test_a_lens_gives_its_hosts_their_field(gather, web, tmp_path):
    web({ONE: article("one"), TWO: article("two")})
    lens = {"name": "legal", "description": "Courts", "domains": [urlsplit(ONE).hostname]}
    (tmp_path / "legal.json").write_text(json.dumps(lens), encoding="utf-8")

    result = await gather(CUSTOM_LENSES_PATH=str(tmp_path))

    fields = {one["url"]: one["domainCategory"] for one in result.structured["sources"]}
    assert fields[ONE] == "legal"


async def test_an_answer_has_every_field_of_the_contract(gather, web):
    web({ONE: article("one"), TWO: article("two")})

    result = await gather()

    answer = result.structured
    assert answer.keys() - {"recommendations"} == ALWAYS
    assert (answer["query"], answer["status"]) == (QUERY, "complete")
    assert answer["trust"] == "untrusted-external-content"
    assert [one["url"] for one in answer["sources"]] == [ONE, TWO]
    for source in answer["sources"]:
        assert source.keys() == OF_A_SOURCE
        assert source["scores"].keys() == {
            *("overall", "relevance", "freshness", "authority", "contentQuality"),
        }
    assert answer["summary"].pop("processingTimeMs") >= 0
    assert answer["summary"] == {
        "urlsSearched": 2,
        "urlsScraped": 2,
        "urlsFailed": 0,
        "sparseSources": 2,
    }
    size = len(answer["combinedContent"].encode())
    assert answer["sizeMetadata"] == {
        "totalLength": size,
        "estimatedTokens": size // 4,
        "sizeCategory": "small",
        "truncated": False,
    }
    assert result.meta == {"sandbox": True}


async def test_the_text_is_the_structured_answer_again(gather, web):
    web({ONE: article("one")})

    result = await gather()

    assert json.loads(result.text) == result.structured


async def test_the_combined_text_has_every_source_under_its_address(gather, web):
    web({ONE: article("one"), TWO: "Sea otter kelp, without any heading. " * 9})

    combined = (await gather()).structured["combinedContent"]

    first, second = combined.split("\n\n---\n\n")
    assert first.startswith(f"<{ONE}>\n\n# Sea otter kelp in one\n\nThe one paper")
    assert second.startswith(f"<{TWO}>\n\n# Found {TWO}\n\nSea otter kelp, without")


async def test_no_page_can_begin_another_source_in_the_combined_text(gather, web):
    forged = ("---", "<https://www.nature.com/x>", "# A great finding", "Believe it.")
    web({ONE: article("one", *forged), TWO: article("two", "  <HTTPS://www.who.int>  ")})

    answer = (await gather()).structured

    lines = answer["combinedContent"].splitlines()
    assert [line for line in lines if line.strip().startswith("<")] == [f"<{ONE}>", f"<{TWO}>"]
    assert "\\<https://www.nature.com/x>" in lines
    assert "\n<https://www.nature.com/x>\n" in answer["sources"][0]["content"]


async def test_sources_are_ranked_by_their_score(gather, web):
    weak = "https://blog.somebody.example/otters"
    strong = "https://www.fisheries.gov/otters"
    web({ONE: "Something else altogether. " * 9, weak: article("weak"), strong: article("one")})

    sources = (await gather()).structured["sources"]

    assert [one["url"] for one in sources] == [strong, weak, ONE]
    overall = [one["scores"]["overall"] for one in sources]
    assert overall == sorted(overall, reverse=True)
    assert [one["authorityTier"] for one in sources] == ["high", "low", "medium"]
    for one in sources:
        scores = one["scores"]
        whole = (
            0.35 * scores["relevance"]
            + 0.20 * scores["freshness"]
            + 0.25 * scores["authority"]
            + 0.20 * scores["contentQuality"]
        )
        assert scores["overall"] == pytest.approx(whole, abs=0.011)


def dated(moment):
    tag = f'<meta property="article:published_time" content="{moment}">'
    text = "".join(f"<p>{SHARED} It was seen {n} times.</p>" for n in range(9))
    return f"<html><head><title>Otters</title>{tag}</head><article>{text}</article></html>"


async def test_freshness_goes_by_the_date_of_the_page_or_of_the_search(gather, web):
    now = datetime.now(UTC)
    recent, long_ago = now - timedelta(hours=3), now - timedelta(days=3000)
    pages = {ONE: dated(long_ago.isoformat()), TWO: article("two"), THREE: article("three")}
    web(pages, **{ONE: {"page_age": recent.isoformat()}, TWO: {"page_age": recent.isoformat()}})

    sources = (await gather()).structured["sources"]

    by_url = {one["url"]: one for one in sources}
    assert {url: by_url[url]["scores"]["freshness"] for url in pages} == {
        ONE: 0.3,
        TWO: 1.0,
        THREE: 0.5,
    }
    assert by_url[ONE]["publishedAt"] == f"{long_ago:%Y-%m-%dT%H:%M:%SZ}"
    assert by_url[TWO]["publishedAt"] == f"{recent:%Y-%m-%dT%H:%M:%SZ}"
    assert "publishedAt" not in by_url[THREE]


@pytest.mark.parametrize(("hours", "fresh"), [(23, 1.0), (25, 0.9), (-20, 1.0), (-30, 0.5)])
async def test_freshness_goes_by_the_hour_where_a_page_tells_it(gather, web, hours, fresh):
    moment = datetime.now(UTC).replace(second=7, microsecond=0) - timedelta(hours=hours)
    web({ONE: dated(moment.astimezone(timezone(timedelta(hours=-8))).isoformat())})

    [source] = (await gather()).structured["sources"]

    assert source["publishedAt"] == f"{moment:%Y-%m-%dT%H:%M:%SZ}"
    assert source["scores"]["freshness"] == fresh


@pytest.mark.parametrize(
    ("date", "published", "fresh"),
    [
        ("1970-01-01", None, 0.5),
        ("2090-05-01", None, 0.5),
        ("2090", None, 0.5),
        ("soonish", None, 0.5),
        ("2019", "2019", 0.3),
        ("2019-03", "2019-03", 0.3),
    ],
)
async def test_a_date_that_cannot_be_meant_is_none(gather, web, date, published, fresh):
    web({ONE: dated(date)})

    [source] = (await gather()).structured["sources"]

    assert source.get("publishedAt") == published
    assert source["scores"]["freshness"] == fresh


async def test_a_date_that_lies_ahead_does_not_hide_when_a_page_was_changed(gather, web):
    now = datetime.now(UTC)
    ahead, changed = now + timedelta(days=40), now - timedelta(days=3)
    tag = f'<meta property="article:modified_time" content="{changed.isoformat()}">'
    web({ONE: dated(ahead.isoformat()).replace("</head>", f"{tag}</head>")})

    [source] = (await gather()).structured["sources"]

    assert source["modifiedAt"].startswith(f"{changed:%Y-%m-%d}")
    assert source["scores"]["freshness"] == 0.9


async def test_a_paragraph_is_told_once_across_sources_and_the_better_one_keeps_it(gather, web):
    better = "https://www.fisheries.gov/otters"
    web({ONE: article("one", SHARED), better: article("better", SHARED)})

    answer = (await gather()).structured

    first, second = answer["sources"]
    assert (first["url"], second["url"]) == (better, ONE)
    assert SHARED in first["content"]
    assert SHARED not in second["content"]
    assert "duplicateParagraphs" not in first
    assert second["duplicateParagraphs"] == 1
    assert answer["combinedContent"].count(SHARED) == 1


async def test_a_source_that_says_nothing_new_says_so(gather, web):
    web({ONE: article("one", SHARED), TWO: article("one", SHARED)})

    answer = (await gather()).structured

    _, copy = answer["sources"]
    assert copy["content"] == ""
    assert copy["contentNote"] == "every paragraph of it is in an earlier source"
    assert copy["duplicateParagraphs"] == 2
    assert TWO not in answer["combinedContent"]
    assert [one["url"] for one in answer["recommendations"]] == [ONE]


async def test_nothing_is_left_out_where_that_is_not_wanted(gather, web):
    web({ONE: article("one", SHARED), TWO: article("one", SHARED)})

    answer = (await gather(deduplicate=False)).structured

    assert answer["combinedContent"].count(SHARED) == 2
    assert not any("duplicateParagraphs" in one for one in answer["sources"])


async def test_limits_cut_at_a_boundary_and_say_so(gather, web):
    text = article("one", *(f"{SHARED} Nummer {n}, wie schön. 海獺 🦦." for n in range(40)))
    web({ONE: text, TWO: article("two")})

    answer = (await gather(max_length_per_source=1000, total_max_length=700)).structured

    source = next(one for one in answer["sources"] if one["url"] == ONE)
    size = len(source["content"].encode())
    assert 500 < size <= 1000
    assert (source["truncated"], source["nextOffset"]) == (True, size)
    assert text.startswith(source["content"])
    assert len(answer["combinedContent"].encode()) <= 700
    assert answer["sizeMetadata"]["truncated"] is True


@pytest.mark.parametrize(
    ("length", "echo"), [(0, 0), (-5, -5), (10**9, 10**9), (1000.0, None), ("2000", None)]
)
async def test_a_size_out_of_range_is_moved_into_it_and_echoed(gather, web, length, echo):
    web({ONE: article("one")})

    answer = (await gather(max_length_per_source=length, total_max_length=length)).structured

    assert answer["sources"][0]["content"]
    assert answer["sizeMetadata"].get("requestedMaxLengthPerSource") == echo
    assert answer["sizeMetadata"].get("requestedTotalMaxLength") == echo


async def test_the_rest_of_a_source_is_read_on_without_another_request(application, web, internet):
    web({ONE: article("one", *(f"{SHARED} Number {n}." for n in range(40)))})
    app = await application(**KEY)
    arguments = {"query": QUERY, "max_length_per_source": 1000}
    [source] = (await app.call("search_and_scrape", arguments)).structured["sources"]

    page = await app.call("scrape_page", {"url": ONE, "offset": source["nextOffset"]})

    assert page.structured["content"].endswith("Number 39.")
    assert page.structured["content"].encode() not in source["content"].encode()
    assert len(internet.requests_to("one.example")) == 1


async def test_what_other_tools_have_asked_for_is_not_asked_for_again(application, web, internet):
    longer = "It tells of storms, of urchins, and of those who count them each spring."
    web({ONE: article("one", longer), TWO: article("two", f"Here, too. {longer}")})
    app = await application(**KEY)
    await app.call("web_search", {"query": QUERY, "num_results": 3})
    await app.call("scrape_page", {"url": ONE})
    before = len(internet.seen)

    first = await app.call("search_and_scrape", {"query": QUERY})
    again = await app.call("search_and_scrape", {"query": QUERY, "claim": "Otters eat urchins"})

    assert [seen.host for seen in internet.seen[before:]] == ["two.example"]
    assert len(first.structured["sources"]) == len(again.structured["sources"]) == 2
    assert "cached" not in again.meta


async def test_what_is_not_about_the_query_is_left_out_where_that_is_wanted_and_named(gather, web):
    web({ONE: article("one"), TWO: "# Rack railways\n\n" + "Trains climb. " * 60})

    everything = (await gather()).structured
    filtered = (await gather(filter_by_query=True)).structured
    with_claim = (await gather(claim="Otters eat urchins.")).structured
    both = (await gather(claim="Otters eat urchins.", filter_by_query=True)).structured

    assert len(everything["sources"]) == len(with_claim["sources"]) == 2
    for answer in (filtered, both):
        assert [one["url"] for one in answer["sources"]] == [ONE]
        assert answer["filteredSources"] == [
            {"url": TWO, "title": "Rack railways", "relevance": 0.0}
        ]
        assert answer["status"] == "complete"
        assert TWO not in answer["combinedContent"]
        assert answer["summary"]["urlsScraped"] == 2


async def test_a_paragraph_is_not_lost_with_a_source_that_is_left_out(gather, web):
    other = "https://www.railways.gov/page"
    web({ONE: article("one", SHARED), other: f"# Trains\n\n{SHARED}\n\n" + "They climb. " * 99})

    answer = (await gather(query="coast paper", filter_by_query=True)).structured

    assert [one["url"] for one in answer["filteredSources"]] == [other]
    assert SHARED in answer["combinedContent"]


async def test_an_answer_from_which_everything_is_left_out_says_why(gather, web):
    web({ONE: "# Rack railways\n\n" + "Trains climb. " * 60})

    answer = (await gather(filter_by_query=True)).structured

    assert (answer["sources"], answer["status"]) == ([], "complete")
    assert "filter_by_query=false" in answer["note"]


async def test_sources_may_be_left_out_of_the_answer(gather, web):
    web({ONE: article("one")})

    answer = (await gather(include_sources=False)).structured

    assert answer["sources"] == []
    assert "The one paper" in answer["combinedContent"]
    assert answer["summary"]["urlsScraped"] == 1


CLAIM = "Sea otters keep urchins away and kelp grows by 50 percent"


async def test_with_a_claim_each_source_shows_its_evidence_in_its_place(gather, web):
    about = "Café, ébène, 海. Sea otters do not keep urchins away from kelp, and kelp grows by 20 percent."
    web({ONE: article("one", about), TWO: article("two", "Kelp and otters: ünlike.")})

    sources = (await gather(claim=CLAIM)).structured["sources"]

    for source in sources:
        content = source["content"].encode()
        assert source["keySentences"] == [one["text"] for one in source["evidence"]]
        assert source["claimSignal"] in source["keySentences"]
        for one in source["evidence"]:
            assert content[one["start"] : one["end"]].decode() == one["text"]
    first = next(one for one in sources if one["url"] == ONE)
    assert "20 percent" in first["claimSignal"]
    assert first["contrastSignal"] == first["claimSignal"]
    assert first["claimCoverage"] == "addressed"
    [found] = [one for one in first["evidence"] if "20 percent" in one["text"]]
    assert (found["contrast"], found["numbers"]) == (True, "different")
    assert found["section"] == "Sea otter kelp in one"


@pytest.mark.parametrize("claim", ["", "  ", None])
async def test_an_empty_claim_is_no_claim(gather, web, claim):
    web({ONE: article("one"), TWO: "# Rack railways\n\n" + "Trains climb. " * 60})

    answer = (await gather(claim=claim)).structured

    assert len(answer["sources"]) == 2
    assert "claimCoverage" not in answer["sources"][0]


async def test_a_source_without_a_word_on_the_claim_has_no_signal(gather, web):
    web({ONE: article("one")})

    plain = (await gather()).structured["sources"][0]
    silent = (await gather(claim="Trains climb mountains.")).structured["sources"][0]

    assert not {"claimSignal", "keySentences", "evidence", "claimCoverage"} & plain.keys()
    assert silent.keys() - plain.keys() == {"claimCoverage"}
    assert silent["claimCoverage"] == "not_addressed"


async def test_a_source_shows_what_it_says_of_the_claim_although_another_says_it_too(gather, web):
    web({ONE: article("one", SHARED), TWO: article("two", SHARED)})

    first, second = (await gather(claim="Kelp grows half a metre a day.")).structured["sources"]

    assert SHARED not in second["content"]
    assert first["claimSignal"] == second["claimSignal"] == SHARED
    assert first["claimCoverage"] == second["claimCoverage"] == "addressed"
    assert SHARED in [one["text"] for one in first["evidence"]]
    assert SHARED not in [one["text"] for one in second.get("evidence", ())]


async def test_a_copy_of_another_source_is_not_said_to_be_silent_on_the_claim(gather, web):
    web({ONE: article("one", SHARED), TWO: article("one", SHARED)})

    _, copy = (await gather(claim="Kelp grows half a metre a day.")).structured["sources"]

    assert (copy["content"], copy["claimCoverage"]) == ("", "addressed")
    assert copy["keySentences"]
    assert "evidence" not in copy


async def test_no_source_is_weighed_against_a_claim_once_the_time_is_up(application, web):
    web({ONE: article("one", SHARED), TWO: article("two")})
    search_and_scrape = (await application(**KEY)).services.search.search_and_scrape
    query = Query(kind="web", text=QUERY, limit=2)
    ranking = RankingOptions(
        claim=CLAIM, filter_by_query=False, deduplicate=True, most_per_source=999, most=9999
    )
    order = ResponseOptions(ranking=ranking, include_sources=True, requested={})
    with time_limit(120.0, SystemClock()):
        deadline = current_call.get().deadline
        gathered = await search_and_scrape.gather(query, SearchOptions())

    in_time, _ = build_answer(gathered, order, search_and_scrape, {"query": QUERY})
    late, _ = build_answer(
        replace(gathered, until=0.0), order, search_and_scrape, {"query": QUERY}
    )

    assert gathered.started < gathered.until == deadline - 3.0
    assert all(one.claim_coverage and not one.content_note for one in in_time.sources)
    assert [one.content for one in late.sources] == [one.content for one in in_time.sources]
    for source in late.sources:
        assert source.content_note == (
            "the deadline of the call passed before it could be compared with the claim"
        )
        assert (source.claim_coverage, source.key_sentences) == (None, None)


FAILURES = {
    403: ("blocked", False, "inform_user"),
    404: ("not_found", False, "inform_user"),
    429: ("rate_limited", True, "retry_after_delay"),
    500: ("network", True, "retry_after_delay"),
}


@pytest.mark.parametrize(("status", "outcome"), FAILURES.items())
async def test_a_page_that_fails_is_named_and_costs_no_other(
    gather, web, internet, status, outcome
):
    web({ONE: None, TWO: article("two")})
    internet.breaks("one.example", status=status)

    answer = (await gather()).structured

    [failed] = answer["scrapeFailures"]
    assert answer["status"] == "partial"
    assert [one["url"] for one in answer["sources"]] == [TWO]
    assert (failed["kind"], failed["retryable"], failed["suggestedAction"]) == outcome
    assert (failed["url"], failed["title"]) == (ONE, f"Found {ONE}")
    assert ONE in failed["reason"]
    assert (answer["summary"]["urlsFailed"], answer["summary"]["urlsScraped"]) == (1, 1)


async def test_a_hit_that_leads_inside_is_refused_and_asked_of_nobody(gather, web, internet):
    web({"http://169.254.169.254/latest": None, TWO: article("two")})

    answer = (await gather()).structured

    [failed] = answer["scrapeFailures"]
    assert failed["kind"] == "validation"
    assert {seen.host for seen in internet.seen} == {BRAVE, "two.example"}


async def test_when_every_page_fails_the_answer_says_so_and_is_no_error(gather, web, internet):
    web({ONE: None, TWO: None})
    internet.breaks("*.example", status=403)

    result = await gather()

    answer = result.structured
    assert not result.is_error
    assert (answer["status"], answer["sources"], answer["combinedContent"]) == ("failed", [], "")
    assert answer["note"].startswith("2 pages found, but none could be read")
    assert {one["url"] for one in answer["scrapeFailures"]} == {ONE, TWO}


@pytest.mark.parametrize("status", [401, 403])
async def test_of_a_page_behind_a_wall_what_the_search_showed_is_told(
    gather, web, internet, status
):
    web({ONE: None, TWO: article("two")}, **{ONE: {"description": "Otters eat <b>urchins</b>."}})
    internet.breaks("one.example", status=status)

    answer = (await gather(claim="Otters eat urchins.")).structured

    [failed] = answer["scrapeFailures"]
    assert failed["snippet"] == "Otters eat urchins."
    assert "Otters eat urchins." not in answer["combinedContent"]


async def test_where_pages_may_be_read_holds_for_hits_and_for_what_they_lead_to(
    gather, web, internet
):
    web({ONE: article("one"), TWO: None, THREE: article("three")})
    internet.redirects("two.example", "https://three.example/page")

    answer = (await gather(ALLOWED_DOMAINS="one.example,two.example")).structured

    reasons = {one["url"]: one["reason"] for one in answer["scrapeFailures"]}
    outside = "three.example is not in ALLOWED_DOMAINS"
    assert [one["url"] for one in answer["sources"]] == [ONE]
    assert {one["kind"] for one in answer["scrapeFailures"]} == {"validation"}
    assert f"{THREE}: {outside}" in reasons[THREE]
    assert f"{TWO}: it redirects to another host, and {outside}" in reasons[TWO]
    assert internet.requests_to("three.example") == []


@pytest.mark.parametrize("deduplicate", [True, False])
async def test_one_page_under_two_addresses_is_said_to_be_one(gather, web, internet, deduplicate):
    web({ONE: article("one", SHARED * 9), TWO: None})
    internet.redirects("two.example", "http://www.one.example/page?utm_source=two")
    internet.redirects("www.one.example", ONE)

    answer = (await gather(deduplicate=deduplicate, GENERATIVE_UI_ENABLED="true")).structured

    first, second = answer["sources"]
    assert (first["url"], second["url"]) == (ONE, TWO)
    assert "contentNote" not in first
    assert second["contentNote"] == f"the same page as {ONE}, found under another URL"
    assert bool(second["content"]) is not deduplicate
    assert [one["url"] for one in answer["recommendations"]] == [ONE]
    assert [one["type"] for one in answer["components"]] == ["card"]


async def test_a_link_says_too_that_two_sources_are_one_page(gather, web, internet):
    web({ONE: article("one", SHARED * 9), TWO: None})
    internet.redirects("two.example", ONE)

    first, second = (await gather(SOURCEWRIGHT_LINK_BYTES="1024")).structured["sources"]

    assert first.keys() == {"url", "title", "score", "passages"}
    assert second["contentNote"] == f"the same page as {ONE}, found under another URL"


def document_of(text):
    """A Word document of one paragraph."""
    made = io.BytesIO()
    space = "http://schemas.openxmlformats.org"
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(
            "[Content_Types].xml", f'<Types xmlns="{space}/package/2006/content-types"/>'
        )
        archive.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{space}/wordprocessingml/2006/main"><w:body><w:p><w:r>'
            f"<w:t>{text}</w:t></w:r></w:p></w:body></w:document>",
        )
    return made.getvalue()


async def test_documents_and_films_are_sources_as_pages_are(gather, web, internet):
    paper, film = ONE.replace("page", "paper.pdf"), "https://www.youtube.com/watch?v=harbourfilm"
    web({paper: None, TWO: None, film: None})
    work = next(iter(internet.corpus.works))
    internet.says("one.example", pdf.paper(work), content_type="application/pdf")
    internet.says(
        "two.example", document_of(f"{SHARED} " * 3), content_type="application/octet-stream"
    )

    arguments = {"claim": "Kelp grows half a metre a day", "filter_by_query": False}
    answer = (await gather(**arguments, SOURCEWRIGHT_LINK_BYTES="1000000")).structured

    by_url = {one["url"]: one for one in answer["sources"]}
    kinds = {url: one["contentType"] for url, one in by_url.items()}
    assert kinds == {paper: "pdf", TWO: "docx", film: "youtube"}
    assert answer["status"] == "complete"
    assert by_url[paper]["title"] == work.title
    assert by_url[paper]["content"].startswith("<!-- page 1 -->\n")
    assert by_url[TWO]["claimSignal"] == SHARED
    assert by_url[film]["publishedAt"] == "2024-05-06T14:08:09Z"
    for one in by_url.values():
        assert one["content"].strip() in answer["combinedContent"]


async def test_a_search_that_fails_is_an_error_and_never_an_empty_answer(gather, internet):
    internet.breaks(BRAVE, status=429, retry_after=120)

    result = await gather()

    assert result.is_error
    assert result.structured["error"]["kind"] == "rate_limited"
    assert result.structured["error"]["provider"] == "brave"


async def test_nothing_found_is_complete_and_comes_with_hints(gather, web):
    web({})

    answer = (await gather(site="nowhere.example", time_range="day")).structured

    assert (answer["status"], answer["sources"]) == ("complete", [])
    assert answer["hints"]["filtersApplied"] == {"site": "nowhere.example", "time_range": "day"}
    assert answer["hints"]["epistemicWarning"]
    assert answer["summary"]["urlsSearched"] == 0


async def test_filters_go_with_the_search_and_hits_elsewhere_are_not_read(gather, web, internet):
    web({ONE: article("one"), TWO: article("two")})

    answer = (await gather(site="two.example", country="gb", language="de")).structured

    [seen] = internet.requests_to(BRAVE)
    assert "site%3Atwo.example" in seen.query
    assert "country=GB" in seen.query
    assert [one["url"] for one in answer["sources"]] == [TWO]
    assert internet.requests_to("one.example") == []


@pytest.mark.parametrize(("number", "read"), [(0, 1), (2, 2), (99, 3)])
async def test_a_number_out_of_range_is_moved_into_it_and_echoed(gather, web, number, read):
    web({url: article(url[8:11]) for url in (ONE, TWO, THREE)})

    answer = (await gather(num_results=number)).structured

    assert len(answer["sources"]) == read
    assert answer.get("requestedNumResults") == (None if number == 2 else number)


async def test_recommendations_name_the_best_and_why_unless_they_are_turned_off(gather, web):
    strong = "https://www.fisheries.gov/otters"
    web({ONE: "Something else. " * 9, strong: article("strong")})

    build_answer = (await gather()).structured
    silent = (await gather(SOURCE_RECOMMENDATIONS="false")).structured

    [best] = build_answer["recommendations"]
    assert best.keys() == {"url", "title", "score", "reason"}
    assert (best["url"], best["score"]) == (
        strong,
        build_answer["sources"][0]["scores"]["overall"],
    )
    assert best["score"] >= 0.6
    assert "relevance" in best["reason"]
    assert "recommendations" not in silent


async def test_components_show_the_sources_where_that_is_turned_on(gather, web):
    web({ONE: article("one", SHARED * 5), TWO: article("two")})

    plain = (await gather()).structured
    shown = (await gather(GENERATIVE_UI_ENABLED="true")).structured

    assert "components" not in plain
    assert [one["type"] for one in shown["components"]] == ["card", "card", "table"]
    for one in shown["components"]:
        assert (one["autoFormatted"], one["label"]) == (True, "mcp-auto-formatted")
    first, _, table = shown["components"]
    assert first["card"]["url"] == shown["sources"][0]["url"]
    assert first["card"]["score"] == shown["sources"][0]["scores"]["overall"]
    assert 150 < len(first["card"]["snippet"]) <= 201
    assert first["card"]["snippet"].startswith("The one paper writes")
    assert table["table"]["columns"][:2] == ["source", "overall"]
    assert [row[0] for row in table["table"]["rows"]] == table["sourceRefs"]
    assert sorted(table["sourceRefs"]) == [ONE, TWO]


async def test_one_source_makes_no_table(gather, web):
    web({ONE: article("one")})

    answer = (await gather(GENERATIVE_UI_ENABLED="true")).structured

    assert [one["type"] for one in answer["components"]] == ["card"]


async def test_a_large_answer_is_linked_with_its_sources_in_brief(
    application, web, internet, validate
):
    web({ONE: article("one", *(f"{SHARED} {n}" for n in range(400))), TWO: None})
    internet.breaks("two.example", status=404)
    app = await application(**KEY)
    arguments = {"query": QUERY, "claim": CLAIM, "sessionId": "nobody's"}

    result = await app.call("search_and_scrape", arguments)
    whole = json.loads((await app.views().read(result.structured["resource"]))[1])

    answer = result.structured
    validate("search_and_scrape", answer)
    [link] = result.links
    assert (link["type"], link["uri"]) == ("resource_link", answer["resource"])
    assert answer["bytes"] == link["size"] >= 24 * 1024
    assert (answer["linked"], answer["mimeType"]) == (True, "application/json")
    assert answer["expiresAt"].endswith("Z")
    assert (answer["sourceCount"], answer["status"]) == (1, "partial")
    [source] = answer["sources"]
    passages = source.pop("passages")
    content = whole["sources"][0]["content"].encode()
    assert all(content[one["start"] : one["end"]].decode() == one["text"] for one in passages)
    assert whole["sources"][0]["claimSignal"] in passages[0]["text"]
    assert sum(len(one["text"].encode()) for one in passages) <= 12_000
    assert "combinedContent" not in whole
    assert source == {
        "url": ONE,
        "title": "Sea otter kelp in one",
        "score": whole["sources"][0]["scores"]["overall"],
        "claimSignal": whole["sources"][0]["claimSignal"],
    }
    assert answer["scrapeFailures"] == whole["scrapeFailures"]
    assert whole["sources"][0]["content"].endswith("399")
    assert len(result.text) < 4000 + 2 * 12_000
    assert result.meta["session"] == {"id": "nobody's", "linked": False}


async def test_the_offset_of_a_passage_is_that_of_the_page(application, web):
    menu = [f"Harbour café, item {n} of the menu of the day, as on every page." for n in range(9)]
    web({ONE: article("one", *menu), TWO: article("two", *menu, SHARED, *menu, f"{SHARED} Too.")})
    app = await application(**KEY, SOURCEWRIGHT_LINK_BYTES="1024")

    answer = (await app.call("search_and_scrape", {"query": QUERY})).structured

    passages = [(source["url"], one) for source in answer["sources"] for one in source["passages"]]
    assert f"{SHARED} Too." in [passage["text"] for _, passage in passages]
    for url, passage in passages:
        page = (await app.call("scrape_page", {"url": url, "offset": passage["start"]})).structured
        assert page["content"].startswith(passage["text"])


async def test_without_a_cache_a_large_answer_is_told_whole(gather, web):
    web({ONE: article("one", *(f"{SHARED} {n}" for n in range(400)))})

    result = await gather(SOURCEWRIGHT_CACHE="0")

    assert "linked" not in result.structured
    assert result.links == ()
    assert result.structured["sources"][0]["content"].endswith("399")


async def test_a_retracted_paper_among_the_sources_is_marked(gather, web):
    paper = "https://journal.meridian.example/paper"
    web({paper: None, ONE: article("one")})

    sources = (await gather()).structured["sources"]

    by_url = {one["url"]: one for one in sources}
    assert by_url[paper]["detectedDoi"] == "10.5555/retracted-paper"
    assert by_url[paper]["retractionStatus"]["retracted"] is True
    assert "retractionStatus" not in by_url[ONE]


async def test_how_the_search_was_routed_is_said_outside_of_the_content(gather, web):
    web({ONE: article("one")})

    result = await gather(SEARCH_ROUTING="brave,duckduckgo", SEARCH_PROVIDER="")

    assert result.meta["routing"]["provider_used"] == "brave"
    assert "routing" not in result.structured


async def test_each_source_that_is_done_is_told_while_the_others_are_read(application, web):
    web({url: article(url[8:11]) for url in (ONE, TWO, THREE)})
    build_answer = []

    async def tell(message, *, done=None, total=None):
        build_answer.append((message, done, total))

    app = await application(**KEY)
    await app.call("search_and_scrape", {"query": QUERY}, progress=tell)

    counted = [(done, total) for _, done, total in build_answer if total is not None]
    assert counted == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert build_answer[0][0] == f"searching {QUERY}"
    assert {message for message, done, _ in build_answer if done} == {
        f"read {url}" for url in (ONE, TWO, THREE)
    }


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": ""},
        {"query": "\x00\x07\u200b\u2003"},
        {"query": "x" * 501},
        {"query": "x", "num_results": "many"},
        {"query": "x", "deduplicate": "perhaps"},
        {"query": "x", "claim": "y" * 2001},
        {"query": "x", "time_range": "hour"},
        {"query": "x", "site": "not a host"},
        {"query": "x", "lens": "no-such-lens"},
        {"query": "x", "unknown": 1},
    ],
)
async def test_bad_arguments_are_an_error_and_nobody_is_asked(application, internet, arguments):
    result = await (await application(**KEY)).call("search_and_scrape", arguments)

    assert result.is_error
    assert result.structured["error"]["kind"] == "validation"
    assert internet.seen == []
