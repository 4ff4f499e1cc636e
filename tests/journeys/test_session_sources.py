"""What becomes of a session's sources over real pipes: found, read, used, rejected; who takes which."""

import pytest
from killable_server import serving

PAGE = "https://signposts.example/article/1"
OTHER = "https://en.wikipedia.org/wiki/Estuary"
DOI = "10.5555/fine-paper"


@pytest.fixture
def server(environment, tmp_path):
    with serving(environment, tmp_path) as running:
        yield running


@pytest.fixture
def call(server):
    def run(name, **arguments):
        sent = server.send("tools/call", {"name": name, "arguments": arguments})
        answer = server.answer_to(sent)
        assert not answer["isError"], answer["content"][0]["text"]
        return answer["structuredContent"]

    return run


@pytest.fixture
def step(call):
    def run(number, **arguments):
        words = {"searchStep": f"Step {number}", "stepNumber": number, "nextStepNeeded": True}
        return call("sequential_search", **{**words, **arguments})

    return run


@pytest.fixture
def session(call, step):
    """A session with what a search found, and two pages that were read."""
    known = {"sessionId": step(1)["sessionId"]}
    call("web_search", query="sea otter", **known)
    call("scrape_page", url=PAGE, **known)
    call("scrape_page", url=OTHER, **known)
    return known


def uses(answer):
    return {one["url"]: one["use"] for one in answer["sources"]}


def takers(call, session):
    """The addresses that a bibliography, an audit and an export take, and what each says of that."""
    bibliography = call("format_bibliography", style="csl-json", **session)
    audit = call("audit_bibliography", **session)
    export = call("research_export", format="json", **session)
    selections = {one["sourceSelection"] for one in (bibliography, audit, export)}
    selections |= {export["document"]["sourceSelection"]}
    left = {one["sourcesLeftOut"] for one in (bibliography, audit)}
    left |= {len(export["document"].get("otherSources", []))}
    listed = {one["url"] for one in export["document"]["sources"]}
    assert bibliography["entryCount"] == audit["entryCount"] == export["listedSources"]
    assert {one["url"] for one in audit["entries"]} == listed
    assert all(url in bibliography["bibliography"] for url in listed)
    return listed, selections, left


def test_where_nothing_was_read_what_was_found_is_taken_and_that_is_selections(call, step):
    known = {"sessionId": step(1)["sessionId"]}
    call("web_search", query="sea otter", **known)

    found = uses(call("get_research_session", **known))
    listed, selections, left = takers(call, known)

    assert set(found.values()) == {"found"}
    assert (listed, selections, left) == (set(found), {"found"}, {0})


def test_pages_that_were_read_are_taken_where_nothing_is_used(call, session):
    recorded = uses(call("get_research_session", **session))
    listed, selections, left = takers(call, session)
    report = call("research_export", **session)["document"]

    assert {url for url, use in recorded.items() if use == "read"} == {PAGE, OTHER}
    assert len(recorded) > 2
    assert (listed, selections, left) == ({PAGE, OTHER}, {"read"}, {len(recorded) - 2})
    assert f"2 sources that were read; {len(recorded) - 2} others are left out." in report


def test_the_word_of_the_caller_decides(call, step, session):
    step(2, usedSources=[OTHER, f"https://doi.org/{DOI}"], rejectedSources=[PAGE], **session)
    first = takers(call, session)
    call("scrape_page", url=PAGE, **session)
    after_reading = uses(call("get_research_session", **session))[PAGE]
    step(3, usedSources=[PAGE], rejectedSources=[DOI, "https://nobody.example/unseen"], **session)
    last = uses(call("get_research_session", **session))

    assert (first[0], first[1]) == ({OTHER, f"https://doi.org/{DOI}"}, {"used"})
    assert after_reading == "rejected"
    assert (last[PAGE], last[OTHER], last[f"https://doi.org/{DOI}"]) == (
        *("used", "used", "rejected"),
    )
    assert "https://nobody.example/unseen" not in last


def test_a_page_that_addresses_a_claim_is_used(call, session):
    claim = call("scrape_page", url=PAGE)["content"].strip().splitlines()[-1][:200]
    checked = call("verify_citation", citation=PAGE, claim=claim, **session)
    gathered = call("search_and_scrape", query="kelp forests", claim="kelp forests", **session)
    beside = call("search_and_scrape", query="lighthouse", claim="basalt columns", **session)

    recorded = uses(call("get_research_session", **session))

    assert checked["claimSupport"] == "addressed"
    pages = [*gathered["sources"], *beside["sources"]]
    coverage = {one["url"]: one["claimCoverage"] for one in pages}
    assert set(coverage.values()) == {"addressed", "not_addressed"}
    expected = {url for url, how in coverage.items() if how != "not_addressed"} | {PAGE}
    assert {url for url, use in recorded.items() if use == "used"} == expected


def test_what_is_neither_an_address_nor_a_doi_is_refused(server, step):
    known = {"sessionId": step(1)["sessionId"]}
    words = {"searchStep": "two", "stepNumber": 2, "nextStepNeeded": True}
    arguments = {**words, **known, "usedSources": ["the first one"]}

    answer = server.ask("tools/call", {"name": "sequential_search", "arguments": arguments})

    assert (
        "usedSources: 'the first one' is neither a URL nor a DOI" in answer["content"][0]["text"]
    )
    assert len(step(2, **known)["steps"]) == 2
