"""Exports of a research session through the whole pipeline."""

import json

import pytest

pytestmark = pytest.mark.anyio

GONE = "https://www.harbour-times.example/2014/gone"
NOT_FOUND = "Session not found or expired. Sessions last 4 hours from last activity."


@pytest.fixture
async def app(application):
    return await application()


@pytest.fixture
def begin(app):
    """Records a session with a branch, a revision, a gap and sources; gives its id."""

    async def run(app=app, *, urls=("https://signposts.example/article/1",)):
        first = {"searchStep": "Survey", "stepNumber": 1, "researchGoal": "How high are tides?"}
        answer = await app.call(
            "sequential_search", first | {"nextStepNeeded": True, "knowledgeGap": "And at noon?"}
        )
        known = {"sessionId": answer.structured["sessionId"], "nextStepNeeded": True}
        for url in urls:
            await app.call("scrape_page", {"url": url, "sessionId": known["sessionId"]})
        steps = [
            {
                "searchStep": f"Gauges <b>{' and piers' * 100}",
                "branchFromStep": 1,
                "branchId": "gauges",
            },
            {"searchStep": "Survey again", "isRevision": True, "revisesStep": 1},
        ]
        for number, step in enumerate(steps, 2):
            await app.call("sequential_search", step | known | {"stepNumber": number})
        return known["sessionId"]

    return run


@pytest.fixture
def export(app):
    async def run(session_id, app=app, **arguments):
        return await app.call("research_export", {"sessionId": session_id, **arguments})

    return run


async def test_markdown_is_the_default_and_comes_with_its_facts(begin, export):
    session_id = await begin()

    answer = (await export(session_id)).structured

    document = answer.pop("document")
    assert answer.pop("startedAt") <= answer.pop("exportedAt")
    assert answer == {
        "sessionId": session_id,
        "format": "markdown",
        "researchGoal": "How high are tides?",
        "stepCount": 3,
        "sourceCount": 1,
        "sourceSelection": "read",
        "listedSources": 1,
        "tenantId": "default",
        "trust": "untrusted-external-content",
    }
    assert document.startswith("# How high are tides?\n")
    assert "### Step 2 (branch gauges from step 1)" in document
    assert "### Step 3 (revises step 1)" in document
    assert "- And at noon? (question 1, step 1)" in document
    assert "](<https://signposts.example/article/1>)" in document.partition("\n1. [")[2]


async def test_two_exports_differ_in_their_time_alone(begin, export):
    session_id = await begin()

    for form in ("markdown", "json", "html"):
        one, other = [(await export(session_id, format=form)).structured for _ in range(2)]
        texts = [json.dumps(result).replace(result["exportedAt"], "") for result in (one, other)]
        assert texts[0] == texts[1]


async def test_json_is_an_object_and_html_a_page(begin, export):
    session_id = await begin()

    as_json = (await export(session_id, format="json")).structured["document"]
    as_html = (await export(session_id, format="html")).structured["document"]

    assert as_json["id"] == session_id
    assert [one["stepNumber"] for one in as_json["steps"]] == [1, 2, 3]
    assert as_json["steps"][1]["branchFromStep"] == 1
    assert as_json["steps"][0]["supersededBy"] == 3
    assert as_json["sources"][0]["foundInStep"] == 1
    assert as_html.startswith("<!DOCTYPE html>")
    assert "Gauges &lt;b&gt; and piers" in as_html


async def test_without_verification_nobody_is_asked(begin, export, internet):
    session_id = await begin()
    internet.forget()

    await export(session_id)

    assert internet.seen == []


async def test_links_are_verified_and_dead_ones_get_their_archived_copy(begin, export, internet):
    urls = ("https://signposts.example/article/1", "https://www.harbour-times.example/tides")
    internet.says(
        "www.harbour-times.example",
        b"<title>Tides</title><article><p>" + b"The tide is high at noon. " * 40,
        path="/tides",
        content_type="text/html",
    )
    session_id = await begin(urls=urls)
    internet.mends()

    answer = (await export(session_id, format="json", verify_links=True)).structured

    live, dead = answer["document"]["sources"]
    assert (live["verified"], live["httpStatus"]) == (True, 200)
    assert (dead["verified"], dead["httpStatus"]) == (False, 404)
    assert dead["archivedUrl"].startswith("https://web.archive.org/web/20190615083000/")
    assert live["verifiedAt"] == answer["exportedAt"]


async def test_links_that_cannot_be_checked_fail_nothing(begin, export, internet):
    session_id = await begin()
    internet.breaks("signposts.example", status=500)
    internet.breaks("archive.org", status=500)

    result = await export(session_id, format="json", verify_links=True)

    [source] = result.structured["document"]["sources"]
    assert not result.is_error
    assert "verified" not in source
    assert "could not be checked" in source["linkNote"]


@pytest.mark.parametrize("form", ["markdown", "json", "html"])
async def test_a_large_export_is_a_link_to_the_same_document(application, begin, export, form):
    app = await application(SOURCEWRIGHT_LINK_BYTES="1024")
    session_id = await begin(app)
    whole = await application(SOURCEWRIGHT_LINK_BYTES="1000000")

    linked = await export(session_id, app, format=form)
    inline = (await export(session_id, whole, format=form)).structured

    answer = linked.structured
    media_type, body = await app.views().read(answer["resource"])
    assert answer["linked"] is True
    assert answer["stepCount"] == 3
    assert answer["bytes"] == len(body.encode())
    assert media_type == answer["mimeType"]
    assert linked.links[0]["uri"] == answer["resource"]
    assert linked.links[0]["size"] == answer["bytes"]
    document = json.loads(body) if form == "json" else body
    stamps = (answer["exportedAt"], inline["exportedAt"])
    if form != "json":
        document = document.replace(*stamps)
    assert document == inline["document"]


async def test_a_notice_that_only_the_library_knows_is_in_the_export(app, begin, export, internet):
    await app.call("doiget_metadata_only", {"ref": "10.5555/retracted-paper"})
    internet.breaks("api.crossref.org", status=500)
    landing = internet.corpus.by_doi("10.5555/retracted-paper").landing
    session_id = await begin(urls=[landing])

    answer = (await export(session_id, format="json")).structured["document"]

    [source] = answer["sources"]
    assert source["doi"] == "10.5555/retracted-paper"
    assert {one["kind"] for one in source["notices"]} == {"retraction"}


@pytest.mark.parametrize("session_id", ["nonesuch", "00000000-0000-4000-8000-000000000000"])
async def test_an_unknown_session_is_not_found_in_the_words_of_the_contract(export, session_id):
    result = await export(session_id)

    assert result.is_error
    assert result.text.startswith(NOT_FOUND)


async def test_nobody_exports_the_session_of_another(application, begin, export):
    session_id = await begin()
    other = await application(STDIO_USER_ID="somebody-else")

    result = await export(session_id, other)

    assert result.is_error
    assert result.text.startswith(NOT_FOUND)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"sessionId": ""},
        {"sessionId": "x" * 500},
        {"sessionId": "x", "format": "pdf"},
        {"sessionId": "x", "verify_links": "perhaps"},
        {"sessionId": "x", "mood": 1},
    ],
)
async def test_arguments_that_mean_nothing_are_refused(app, arguments):
    result = await app.call("research_export", arguments)

    assert result.is_error
    assert result.structured["error"]["kind"] == "validation"
