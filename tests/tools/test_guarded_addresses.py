"""No tool opens a private address, whether a caller, a page, a hit or a record names it."""

import asyncio

import pytest

pytestmark = pytest.mark.anyio

HOST, PLOS = "pages.meridian.example", "journals.plos.org"
PAGE = f"https://{HOST}/article"
OPENED = "http://inner.example:8888"
"""An origin of the operator's own; its name counts as public, so that only the rule keeps it."""
OPERATOR = {"SOURCEWRIGHT_ALLOWED_ORIGINS": f"{OPENED}, http://127.0.0.1:8888"}
EMPTY = b"<!doctype html><title>Moved</title>"
KEY = {"BRAVE_API_KEY": "an-invented-key", "SEARCH_PROVIDER": "brave"}


@pytest.fixture(params=[OPENED, "http://127.0.0.1:8888"], ids=["name", "address"])
def opened(request):
    return request.param


def inner(internet):
    return [seen.path for seen in internet.seen if seen.host in ("inner.example", "127.0.0.1")]


# What the operator opened belongs to the source that has its endpoint there.


async def test_a_source_reaches_the_endpoint_that_the_operator_opened_for_it(answer, internet):
    internet.says("127.0.0.1", {"query": "tides", "results": []})
    searxng = {"SEARXNG_URL": "http://127.0.0.1:8888", "SEARCH_PROVIDER": "searxng"}

    await answer("web_search", {"query": "tides"}, **OPERATOR, **searxng)

    assert inner(internet) == ["/search"]


async def test_a_caller_is_not_let_into_what_the_operator_opened(answer, internet, opened):
    result = await answer("scrape_page", {"url": f"{opened}/admin"}, **OPERATOR)

    assert result.is_error
    assert result.text.startswith(f"URL rejected for {opened}/admin")
    assert internet.seen == []


@pytest.mark.parametrize("mode", ["full", "raw"])
async def test_a_redirect_is_not(answer, internet, opened, mode):
    internet.redirects(HOST, f"{opened}/admin")

    result = await answer("scrape_page", {"url": PAGE, "mode": mode}, **OPERATOR)

    assert result.text.startswith(f"URL rejected for {PAGE}")
    assert inner(internet) == []


async def test_a_page_that_sends_its_reader_on_is_not(answer, internet, opened):
    refresh = f'<meta http-equiv="refresh" content="0; url={opened}/admin">'.encode()
    internet.says(HOST, EMPTY + refresh, content_type="text/html")

    result = await answer("scrape_page", {"url": PAGE}, **OPERATOR)

    assert result.is_error
    assert inner(internet) == []


async def test_a_search_result_is_not(answer, internet, finds, opened):
    finds("brave", f"{opened}/admin")

    result = await answer("search_and_scrape", {"query": "tides"}, **OPERATOR, **KEY)

    assert "may be used only by" in result.text or "not on the public internet" in result.text
    assert inner(internet) == []


@pytest.mark.parametrize("tool", ["paper_metadata", "paper_download"])
async def test_a_page_about_a_paper_is_not(answer, internet, opened, tool):
    internet.redirects(HOST, f"{opened}/admin")

    result = await answer(tool, {"identifier": PAGE}, **OPERATOR)

    assert result.is_error
    assert inner(internet) == []


@pytest.mark.parametrize("tool", ["paper_download", "doiget_fetch_paper"])
async def test_an_open_copy_is_not(answer, internet, opened, tool):
    paper = {"paper_download": "identifier", "doiget_fetch_paper": "ref"}[tool]
    internet.redirects(PLOS, f"{opened}/admin")

    await answer(tool, {paper: "10.5555/of-2023"}, **OPERATOR)

    assert internet.requests_to(PLOS)
    assert inner(internet) == []


async def test_another_source_is_not(answer, internet, opened):
    internet.redirects("api.search.brave.com", f"{opened}/admin")

    result = await answer("web_search", {"query": "tides"}, **OPERATOR, **KEY)

    assert result.is_error
    assert inner(internet) == []


# The domains that the operator named hold for every page.


@pytest.mark.parametrize("tool", ["paper_metadata", "paper_download"])
async def test_a_page_about_a_paper_is_read_on_the_allowed_domains_alone(answer, internet, tool):
    allowed = {"ALLOWED_DOMAINS": "plos.org"}

    result = await answer(tool, {"identifier": PAGE}, **allowed)

    assert result.is_error
    assert f"{HOST} is not in ALLOWED_DOMAINS" in result.text
    assert internet.seen == []


async def test_a_page_about_a_paper_does_not_lead_out_of_the_allowed_domains(answer, internet):
    internet.redirects(HOST, "https://elsewhere.example/x")

    result = await answer("paper_metadata", {"identifier": PAGE}, ALLOWED_DOMAINS=HOST)

    assert "ALLOWED_DOMAINS" in result.text
    assert internet.requests_to("elsewhere.example") == []


# What is refused is refused at once.


async def test_a_refused_address_waits_for_no_pace(application, tmp_path):
    """Five a second would go out to one host, and forty are asked for."""
    app = await application(SOURCEWRIGHT_SANDBOX_PACE="1")
    messages = []

    async def hear(message, **_):
        messages.append(message)

    urls = [f"http://127.0.0.1/{n}" for n in range(40)]
    await asyncio.gather(*(app.call("scrape_page", {"url": u}, progress=hear) for u in urls))
    await app.call("paper_metadata", {"identifier": "https://10.0.0.1/x"}, progress=hear)

    assert [message for message in messages if "pace" in message] == []
    assert list(tmp_path.rglob("pacing*")) == []


async def test_a_refused_address_does_not_wait_until_a_slow_page_is_read(application, internet):
    internet.delays(HOST, 60.0)
    app = await application(MAX_SCRAPE_CONCURRENCY="1")
    slow = asyncio.create_task(app.call("scrape_page", {"url": PAGE}))
    assert await asyncio.to_thread(internet.waits_for_request, HOST)

    refused = await app.call("scrape_page", {"url": "http://127.0.0.1/"})

    assert refused.text.startswith("URL rejected")
    assert not slow.done()
    slow.cancel()
    await asyncio.wait([slow])


# Spellings that two readers could take for two hosts are read as browsers read them.


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1\\@pages.meridian.example/article",
        "http://127.0.0.1\\.pages.meridian.example/article",
        "http:\\\\127.0.0.1\\",
        "http:/\\127.0.0.1/",
        "http:///127.0.0.1/",
        "http:/127.0.0.1/",
        "http:127.0.0.1",
        "ht\ntp://127.0.0.1/",
        "http://127.0.0\t.1/",
        "http://127.0.\r\n0.1/",
        "\x00 http://127.0.0.1/",
        "http://127.0.0.1#@pages.meridian.example/",
        "http://127.0.0.1?@pages.meridian.example/",
        "http://pages.meridian.example@127.0.0.1/",
        "http://pages.meridian.example:80@127.0.0.1/",
        "http://127.0.0.1%2f@pages.meridian.example/article",
        "http://@pages.meridian.example/article",
        "http://127.0.0.1 @pages.meridian.example/article",
        "http://\uff11\uff12\uff17\u3002\uff10\u3002\uff10\u3002\uff11/",
        "http://127\u30020\uff0e0\uff611/",
        "http://①②⑦.0.0.1/",
        "http://loc\u00adalhost/",
        "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
        "http://localhost%E3%80%82/",
        "http://[fe80::1%25eth0]/",
        "http://[::1%lo]/",
        "http://[::ffff:7f00:1]/",
        "http://[0:0:0:0:0:ffff:127.0.0.1]/",
        "http://0177.0.0.1/",
        "http://0x7f.0.0.1/",
        "http://0x7f000001/",
        "http://017700000001/",
        "http://2130706433/",
        "http://127.1/",
        "http://127.0.1/",
        "http://0/",
        "http://127.0.0.1./",
        "http://localhost./",
        "http://%31%32%37.0.0.1/",
        "http://%6c%6f%63alhost/",
        "http://127.0.0.1%00.pages.meridian.example/",
        "http://pages.meridian.example%00@127.0.0.1/",
        "http://169.254.169.254\\latest\\meta-data",
    ],
)
@pytest.mark.parametrize("mode", ["full", "raw"])
async def test_a_disguised_private_address_is_refused(answer, internet, url, mode):
    result = await answer("scrape_page", {"url": url, "mode": mode})

    assert result.text.startswith("URL rejected for ")
    assert internet.seen == []


@pytest.mark.parametrize(
    ("url", "path"),
    [
        (f"http://{HOST}\\@127.0.0.1/article", "/@127.0.0.1/article"),
        (f"http:\\\\{HOST}\\@127.0.0.1\\article", "/@127.0.0.1/article"),
        (f"http://{HOST}/@127.0.0.1/article", "/@127.0.0.1/article"),
        (f"http://{HOST.upper()}./@127.0.0.1/article", "/@127.0.0.1/article"),
    ],
)
async def test_the_host_that_was_asked_is_the_host_that_is_named(answer, internet, url, path):
    internet.breaks(HOST, status=404)

    result = await answer("scrape_page", {"url": url})

    assert {(seen.host, seen.path) for seen in internet.seen} == {(HOST, path)}
    named = result.text.partition(" returned 404")[0].lower()
    assert named.replace(".example.", ".example").endswith(f"http://{HOST}{path}")


async def test_a_password_in_an_address_is_not_repeated(answer):
    for start in ("http://", "http:\\\\", "http:///", "http:"):
        result = await answer("scrape_page", {"url": f"{start}user:s3cret@{HOST}/a:b@c"})

        assert result.text.startswith("URL rejected for http:")
        assert "s3cret" not in result.text
        assert "/a:b@c" in result.text


@pytest.mark.parametrize(
    "place", ["https://[bad/x.pdf", "https://a.example:port/x", f"https://{'a' * 300}.example/"]
)
async def test_a_place_that_is_no_address_is_its_source_s_fault_and_not_the_caller_s(
    answer, internet, place
):
    location = {"url": place, "url_for_pdf": place, "host_type": "publisher"}
    known = {"doi": "10.5555/of-2023", "title": "x", "is_oa": True, "oa_status": "gold"}
    record = {**known, "best_oa_location": location, "oa_locations": [location]}
    internet.says("api.unpaywall.org", record)

    result = await answer("paper_download", {"identifier": "10.5555/of-2023"})

    assert not result.is_error
    assert internet.requests_to(PLOS)
