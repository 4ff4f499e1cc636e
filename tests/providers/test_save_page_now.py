"""Save Page Now: what its answers mean, and what it is sent."""

from urllib.parse import parse_qs

import pytest

from sourcewright.base.errors import BadAnswer, Refused
from sourcewright.net.sources.upstream import Receipt
from sourcewright.providers.save_page_now import read_receipt, read_status

pytestmark = pytest.mark.anyio

HOST = "web.archive.org"
PAGE = "https://museum.faro.example/visit"
COPY = f"https://web.archive.org/web/20260102030405/{PAGE}"
JOB = "spn2-0123456789abcdef"


def receipt(url=f"https://web.archive.org/save/{PAGE}", location=None, body=b"", status=200):
    return Receipt(url=url, content_location=location, http_status=status, body=body)


@pytest.mark.parametrize(
    "given",
    [
        receipt(url=COPY),
        receipt(url=COPY, status=404),
        receipt(location=f"/web/20260102030405/{PAGE}"),
        receipt(location=COPY.replace("https", "http", 1)),
    ],
)
def test_a_copy_is_where_the_answer_came_from_or_is_kept(given):
    assert read_receipt(given).snapshot.url == COPY


@pytest.mark.parametrize(
    "body",
    [
        f'{{"url": "{PAGE}", "job_id": "{JOB}"}}'.encode(),
        f'<html><script>spn.watchJob("{JOB}", "/_static/", 6000);</script>'.encode(),
    ],
)
def test_a_job_is_named_in_json_or_on_a_page(body):
    assert read_receipt(receipt(body=body)).job_id == JOB


@pytest.mark.parametrize(
    "body", [b"", b"<html>Sorry", b"[]", b'{"job_id": "../../etc"}', b'{"job_id": 7}']
)
def test_what_is_neither_is_not_guessed(body):
    with pytest.raises(ValueError, match="neither"):
        read_receipt(receipt(body=body))


def test_an_error_of_a_job_is_a_refusal_in_its_own_words():
    body = b'{"status": "error", "status_ext": "error:blocked-url", "message": "Blocked."}'

    with pytest.raises(Refused, match="Blocked"):
        read_receipt(receipt(body=body))


@pytest.mark.parametrize(
    "body", [b"{}", b'{"status": "success", "job_id": "spn2-0123456789abcdef"}', b"<html>"]
)
def test_a_status_that_says_nothing_is_no_copy(body):
    with pytest.raises((ValueError, LookupError)):
        read_status(receipt(body=body))


async def test_both_keys_go_along_as_the_archive_asks(provide, internet):
    keys = {"IA_ACCESS_KEY": "AKabcdef0123", "IA_SECRET_KEY": "SKfedcba9876"}

    capture = await (await provide("save_page_now", **keys)).capture(PAGE)

    assert capture.job_id
    [seen] = internet.requests_to(HOST)
    assert (seen.method, seen.path) == ("POST", "/save")
    assert parse_qs(seen.body.decode()) == {"url": [PAGE]}
    assert seen.headers["content-type"] == "application/x-www-form-urlencoded"
    assert seen.headers["authorization"] == "LOW AKabcdef0123:SKfedcba9876"


async def test_keys_that_the_archive_refuses_are_a_refusal_in_its_words(provide, internet):
    message = {"message": "You need to be logged in to use Save Page Now."}
    internet.says(HOST, message, status=401)
    keys = {"IA_ACCESS_KEY": "AKabcdef0123", "IA_SECRET_KEY": "SKfedcba9876"}

    with pytest.raises(Refused, match="You need to be logged in"):
        await (await provide("save_page_now", **keys)).capture(PAGE)


async def test_an_answer_that_says_nothing_is_no_copy(provide, internet):
    internet.says(HOST, b"<html>Sorry", content_type="text/html")

    with pytest.raises(BadAnswer):
        await (await provide("save_page_now")).capture(PAGE)
