"""Errors of a source by the status and the shape of its response."""

import json
import re
from xml.etree import ElementTree as ET

import pytest

from sourcewright.base.errors import (
    BadAnswer,
    NotFound,
    RateLimited,
    Refused,
    Unavailable,
    UpstreamError,
)
from sourcewright.net.http.answers import not_found
from sourcewright.net.http.exchange import PDF

pytestmark = pytest.mark.anyio

PAGE = b"<!DOCTYPE html><html><body>Not here</body></html>"
JSON = "application/json"


def as_is(value):
    return value


async def failure_of(asking):
    with pytest.raises(UpstreamError) as caught:
        await asking
    return caught.value


@pytest.mark.promise("absence.failure-is-no-absence")
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (301, BadAnswer),
        (304, BadAnswer),
        (400, BadAnswer),
        (401, Refused),
        (403, Refused),
        (404, BadAnswer),
        (408, Unavailable),
        (410, BadAnswer),
        (418, BadAnswer),
        (422, BadAnswer),
        (429, RateLimited),
        (451, Refused),
        (500, Unavailable),
        (503, Unavailable),
        (599, Unavailable),
        (999, Unavailable),
    ],
)
@pytest.mark.promise("absence.searches-cannot-deny")
async def test_a_failing_search_is_never_an_empty_result(source, say, status, kind):
    upstream, _ = source(say(status, b'{"message": []}', content_type=JSON))

    error = await failure_of(upstream.search("/works", read=as_is))

    assert type(error) is kind
    assert (error.source, error.status, error.cause) == ("crossref", status, "status")


@pytest.mark.parametrize("status", [404, 410])
async def test_a_lookup_that_is_answered_with_absence_finds_nothing(source, say, status):
    upstream, _ = source(say(status, b"Resource not found.", content_type="text/plain"))

    error = await failure_of(upstream.lookup("/works/x", read=as_is))

    assert type(error) is NotFound
    assert error.status == status


@pytest.mark.parametrize("headers", [{"content_type": "text/html"}, {}])
async def test_a_page_that_says_404_is_something_in_between_and_not_absence(source, say, headers):
    upstream, _ = source(say(404, PAGE, **headers))

    error = await failure_of(upstream.lookup("/works/x", read=as_is))

    assert type(error) is BadAnswer


async def test_a_source_can_say_exactly_what_absence_is(source, say):
    upstream, _ = source(
        say(404, b'{"responseCode": 100}'),
        say(404, b'{"responseCode": 2}'),
        say(404, b"gone fishing"),
        say(200, b'{"responseCode": 1}'),
    )

    def absent(answer):
        return json.loads(answer.body)["responseCode"] == 100

    outcomes = [await failure_of(upstream.lookup("/h", read=as_is, absent=absent)) for _ in "123"]
    found = await upstream.lookup("/h", read=as_is, absent=absent)

    assert [type(outcome) for outcome in outcomes] == [NotFound, BadAnswer, BadAnswer]
    assert found == {"responseCode": 1}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"  \n",
        b"not json",
        b'{"cut": ',
        b'{"n": NaN}',
        b'{"n": -Infinity}',
        b'{"n": 1e999}',
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b"9" * 5000,
        PAGE,
    ],
)
async def test_a_body_that_is_not_json_is_a_bad_answer(source, say, body):
    upstream, _ = source(say(200, body))

    error = await failure_of(upstream.lookup("/works/x", read=as_is))

    assert type(error) is BadAnswer
    assert error.cause == "format"
    assert len(str(error)) < 300
    wrong = r"/works/x returned (an HTML page|invalid data) instead of JSON"
    assert not body.strip() or re.search(wrong, str(error))


async def test_an_empty_success_is_a_bad_answer(source, say):
    upstream, _ = source(say(204, b""))

    error = await failure_of(upstream.search("/works", read=as_is))

    assert (type(error), error.cause) == (BadAnswer, "format")


async def test_half_a_character_does_not_survive_the_reading(source, say):
    upstream, _ = source(say(200, rb'{"t": "a\ud800b", "u": "\ud83d\ude00"}'))

    got = await upstream.lookup("/x", read=as_is)

    assert got == {"t": "a\ufffdb", "u": "\U0001f600"}


@pytest.mark.parametrize(
    "read",
    [
        lambda got: got["absent"],
        lambda got: got["ok"] + [],
        lambda got: int(str(got)),
        lambda got: list(got)[1],
        lambda got: got.title(),
        lambda got: int(len(got) * 1e308 * 10),
    ],
)
async def test_an_answer_of_another_shape_names_the_path_that_changed(source, say, read):
    upstream, _ = source(say())

    error = await failure_of(upstream.lookup("/works/x", read=read))

    assert (type(error), error.cause) == (BadAnswer, "shape")
    assert "/works/x returned an unexpected structure" in str(error)
    assert error.__cause__ is not None


async def test_what_the_reading_itself_finds_absent_is_absent(source, say):
    def read(_got):
        raise not_found("crossref", "entry for 2101.00001")

    upstream, _ = source(say())

    error = await failure_of(upstream.lookup("/feed", read=read))

    assert type(error) is NotFound
    assert str(error) == "crossref: no entry for 2101.00001"


async def test_a_page_that_is_well_formed_xml_is_still_a_page(source, say):
    def read(tree):
        return tree.find("entry").text

    upstream, _ = source(say(200, b"<html><body>Down for maintenance</body></html>"))

    error = await failure_of(upstream.search("/feed", read=read, parse=ET.fromstring))

    assert (type(error), error.cause) == (BadAnswer, "format")
    assert "an HTML page" in str(error)


async def test_another_parser_stands_in_for_json(source, say):
    upstream, _ = source(say(200, b"<feed><id>7</id></feed>"), say(200, b"<feed><id>"))

    found = await upstream.lookup(
        "/feed", read=lambda tree: tree.findtext("id"), parse=ET.fromstring
    )
    error = await failure_of(upstream.lookup("/feed", read=as_is, parse=ET.fromstring))

    assert found == "7"
    assert (type(error), error.cause) == (BadAnswer, "format")


@pytest.mark.parametrize(
    ("params", "query"),
    [
        (None, ""),
        ({"query": "tides & moons", "rows": "5"}, "?query=tides+%26+moons&rows=5"),
        ([("filter", "a"), ("filter", "b")], "?filter=a&filter=b"),
    ],
)
async def test_a_question_becomes_an_address(source, say, params, query):
    upstream, sender = source(say(), headers={"authorization": "Bearer x"})

    await upstream.search("/works", params, read=as_is)

    [request] = sender.requests
    assert request.url == f"https://api.example.org/works{query}"
    assert request.method == "GET"
    assert request.headers == {"authorization": "Bearer x"}


async def test_a_source_with_many_hosts_is_asked_at_a_whole_address(source, say):
    upstream, sender = source(say())

    await upstream.search("https://de.example.org/api", {"q": "x"}, read=as_is)

    assert sender.requests[0].url == "https://de.example.org/api?q=x"


async def test_a_question_can_be_posted(source, say):
    upstream, sender = source(say())

    await upstream.search("/search", read=as_is, post={"q": "moon"})

    [request] = sender.requests
    assert (request.method, request.body) == ("POST", b'{"q": "moon"}')
    assert request.headers["content-type"] == "application/json"


async def test_a_file_comes_with_where_it_came_from(source, say):
    upstream, sender = source(say(200, b"%PDF-1.7 x"))

    file = await upstream.download("/articles/1", PDF)

    assert file.body == b"%PDF-1.7 x"
    assert file.url == "https://api.example.org/x"
    assert sender.requests[0].headers["accept"] == "application/pdf"


@pytest.mark.parametrize(
    ("place", "url"),
    [
        ("/articles/1", "https://api.example.org/articles/1"),
        ("https://files.example.org/1.pdf", "https://files.example.org/1.pdf"),
    ],
)
async def test_a_file_is_asked_for_by_its_path_or_its_whole_address(source, say, place, url):
    upstream, sender = source(say(200, b"%PDF-1.7 x"))

    await upstream.download(place, PDF)

    assert sender.requests[0].url == url


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, Refused), (403, Refused), (404, NotFound), (418, BadAnswer), (503, Unavailable)],
)
async def test_a_file_that_does_not_come_is_a_failure_with_a_name(source, say, status, kind):
    upstream, _ = source(say(status, b'{"error": "x"}', content_type=JSON))

    error = await failure_of(upstream.download("/articles/1", PDF))

    assert type(error) is kind


async def test_a_page_instead_of_a_file_is_not_its_absence(source, say):
    upstream, _ = source(say(404, PAGE, content_type="text/html"))

    assert type(await failure_of(upstream.download("/articles/1", PDF))) is BadAnswer


@pytest.mark.parametrize("status", [400, 403, 422])
async def test_a_refusal_means_what_the_source_says_where_that_is_more_exact(source, say, status):
    upstream, _ = source(say(status, b'{"error": "bad key"}', content_type=JSON))

    error = await failure_of(
        upstream.search(
            "/works",
            read=as_is,
            error_in=lambda document: Refused("s", document["error"], status=401),
        )
    )

    assert (type(error), error.status, error.detail) == (Refused, 401, "bad key")


@pytest.mark.parametrize("body", [b"{}", b"[]", b"x", PAGE, b"", b'{"error": {}}'])
async def test_a_refusal_in_other_words_means_what_its_status_says(source, say, body):
    upstream, _ = source(say(403, body, content_type=JSON))

    error = await failure_of(
        upstream.search(
            "/works",
            read=as_is,
            error_in=lambda document: (
                BadAnswer("s", document["error"]) if document["error"] else None
            ),
        )
    )

    assert (type(error), error.status) == (Refused, 403)
