"""The HTTP client: request headers, responses, and where redirects may lead."""

import asyncio

import anyio
import pytest

from sourcewright.base.errors import BadAnswer, Denied, InvalidInput, NotConfigured
from sourcewright.base.http_messages import Request
from sourcewright.net.http.exchange import Policy

pytestmark = pytest.mark.anyio

OPEN = Policy(source="anywhere", https_only=False)
STRICT = Policy(source="crossref", allowed_hosts=("doi.org", "*.crossref.org"))

PATHS = [
    "/works/10.1002%2F(SICI)1096-8644(199808)106:4%3C483::AID-AJPA4%3E3.0.CO;2-K",
    "/10.1002/(SICI)1<2>3;2-K",
    "/a//b/../c/./d",
    "/%7Euser/~user/%41%e4",
    "/?",
    "/?q=a+b%20c&d=%2F/?&e='\"`{}|\\^[]",
    "/a;b=c,d:e@f!g$h",
]


def lines_of(head):
    return head.decode().split("\r\n")


def path_of(head):
    return head.split(b" ")[1].decode()


@pytest.mark.parametrize("path", PATHS)
async def test_path_and_query_go_out_byte_for_byte(serve, connect, say, path):
    site = await serve(say(200))

    await connect(sandbox_url=site.origin).send(Request(url=f"https://doi.org{path}"), STRICT)

    assert path_of(site.heads[0]) == path


async def test_what_cannot_stand_in_a_request_line_is_encoded(serve, connect, say):
    site = await serve(say(200))

    await connect(sandbox_url=site.origin).send(Request(url="https://doi.org/a b/é#x"), STRICT)

    assert path_of(site.heads[0]) == "/a%20b/%C3%A9"


@pytest.mark.parametrize(
    ("url", "host", "scheme"),
    [
        ("https://DOI.org/", "doi.org", "https"),
        ("http://doi.org:80/", "doi.org", "http"),
        ("https://doi.org:8443/", "doi.org:8443", "https"),
        ("http://[2606:4700:0::1111]:8080/", "[2606:4700::1111]:8080", "http"),
        ("https://bücher.example/", "xn--bcher-kva.example", "https"),
    ],
)
async def test_the_sandbox_is_told_whom_the_request_was_for(
    serve, connect, say, url, host, scheme
):
    site = await serve(say(200))
    policy = Policy(source="any", https_only=False, any_port=True)

    await connect(sandbox_url=site.origin).send(Request(url=url), policy)

    assert f"host: {host}" in lines_of(site.heads[0])
    assert f"x-forwarded-proto: {scheme}" in lines_of(site.heads[0])


async def test_outside_a_sandbox_no_scheme_is_forwarded(serve, connect, say):
    site = await serve(say(200))
    request = Request(url=site.origin, headers={"X-Forwarded-Proto": "https"})

    await connect(own_addresses={OPEN.source: site.origin}).send(request, OPEN)

    assert b"x-forwarded-proto" not in site.heads[0].lower()


async def test_a_sandbox_asks_no_resolver(serve, connect, say):
    async def resolve(_host):
        raise AssertionError("a name was looked up")

    site = await serve(say(200, body=b"ok"))
    client = connect(sandbox_url=f"http://localhost:{site.port}", resolve=resolve)

    answer = await client.send(Request(url="https://doi.org/"), STRICT)

    assert answer.body == b"ok"


@pytest.mark.parametrize("origin", ["http://127.0.0.1:1", "http://127.9.9.9:1", "http://[::1]:1"])
async def test_a_loopback_origin_may_be_the_sandbox(connect, origin):
    assert connect(sandbox_url=origin)


@pytest.mark.promise("guard.sandbox-is-loopback-only")
@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:8080",
        "https://127.0.0.1:8080",
        "http://10.0.0.1:8080",
        "http://0.0.0.0:8080",
        "http://example.com:8080",
        "http://localhost.example.com:8080",
        "http://[::ffff:127.0.0.1]:8080",
        "http://user@127.0.0.1:8080",
        "http://127.0.0.1:8080/world",
        "http://127.0.0.1:8080/?x",
        "ftp://127.0.0.1:8080",
    ],
)
async def test_anything_but_a_loopback_origin_is_no_sandbox(connect, url):
    with pytest.raises(NotConfigured) as caught:
        connect(sandbox_url=url)

    assert caught.value.setting == "SOURCEWRIGHT_SANDBOX_URL"


async def test_an_answer_tells_its_status_headers_and_way(serve, connect, say):
    site = await serve(
        lambda head, _: (
            say(301, "Location: /b")
            if path_of(head) == "/a"
            else say(404, "X-One: 1", "x-one: 2", body=b"none")
        )
    )

    answer = await connect(sandbox_url=site.origin).send(Request(url="https://doi.org/a"), STRICT)

    assert (answer.status, answer.body) == (404, b"none")
    assert answer.headers["x-one"] == "1, 2"
    assert answer.url == "https://doi.org/b"
    assert answer.hops == ("https://doi.org/a", "https://doi.org/b")


async def test_a_body_is_sent_with_its_length(serve, connect, say):
    site = await serve(say(200))
    request = Request(url="https://doi.org/", method="POST", body=b"{}")

    await connect(sandbox_url=site.origin).send(request, STRICT)

    assert site.bodies == [b"{}"]
    assert "content-length: 2" in lines_of(site.heads[0])


async def test_nothing_is_remembered_between_requests(serve, connect, say):
    site = await serve(say(200, "Set-Cookie: id=1; Path=/"))
    client = connect(sandbox_url=site.origin)
    await client.send(Request(url="https://doi.org/"), STRICT)

    await client.send(Request(url="https://doi.org/"), STRICT)

    assert b"cookie" not in site.heads[1].lower()


async def test_a_connection_is_used_again(serve, connect, say, dialled):
    site = await serve(lambda head, _: say(302, "Location: /b") if b"/a" in head else say(200))
    client = connect(sandbox_url=site.origin)

    await client.send(Request(url="https://doi.org/a"), STRICT)
    await client.send(Request(url="https://api.crossref.org/a"), STRICT)

    assert len(site.heads) == 4
    assert len(dialled) == 1


@pytest.mark.parametrize(
    "headers", [{"X-Key": "a\r\nHost: evil"}, {"X-Key": "a\0"}, {"bad name": "1"}, {"": "1"}]
)
async def test_a_header_that_could_smuggle_is_not_sent(serve, connect, say, headers):
    site = await serve(say(200))

    with pytest.raises(InvalidInput) as caught:
        await connect(sandbox_url=site.origin).send(
            Request(url="https://doi.org/", headers=headers), STRICT
        )

    assert "evil" not in str(caught.value)
    assert site.heads == []


async def test_a_method_that_could_smuggle_is_not_sent(serve, connect, say):
    site = await serve(say(200))

    with pytest.raises(InvalidInput):
        await connect(sandbox_url=site.origin).send(
            Request(url="https://doi.org/", method="GET / HTTP/1.1\r\nX:"), STRICT
        )

    assert site.heads == []


@pytest.mark.promise("guard.every-hop-is-checked")
@pytest.mark.parametrize(
    ("location", "attempted"),
    [
        ("https://evil.example/", "evil.example"),
        ("//evil.example/x", "evil.example"),
        ("https://crossref.org.evil.example/", "crossref.org.evil.example"),
        ("https://evilcrossref.org/", "evilcrossref.org"),
        ("https://www.DOI.org/", "www.doi.org"),
        ("https://8.8.8.8/", "8.8.8.8"),
        ("https://\u0430pi.crossref.org.ru/", "xn--pi-6kc.crossref.org.ru"),
        ("https://api.\u0441rossref.org/", "api.xn--rossref-xjg.org"),
    ],
)
async def test_a_host_off_the_sources_list_is_refused(serve, connect, say, location, attempted):
    site = await serve(say(302, f"Location: {location}"))

    with pytest.raises(Denied) as caught:
        await connect(sandbox_url=site.origin).send(Request(url="https://doi.org/x"), STRICT)

    denial = caught.value.denial
    assert denial.reason == "redirect_not_in_allowlist"
    assert (denial.source, denial.attempted, denial.hop_index) == ("crossref", attempted, 1)
    assert denial.expected == ("doi.org", "*.crossref.org")
    assert attempted in str(caught.value)
    assert len(site.heads) == 1


async def test_the_first_address_is_held_against_the_list_too(connect):
    client = connect(sandbox_url="http://127.0.0.1:9")

    with pytest.raises(Denied) as caught:
        await client.send(Request(url="https://evil.example/"), STRICT)

    assert caught.value.denial.hop_index == 0


@pytest.mark.parametrize("host", ["crossref.org", "api.crossref.org", "a.b.crossref.org"])
async def test_a_wildcard_takes_in_the_apex_and_everything_below(serve, connect, say, host):
    site = await serve(say(200, body=b"ok"))

    answer = await connect(sandbox_url=site.origin).send(Request(url=f"https://{host}/"), STRICT)

    assert answer.body == b"ok"


async def test_an_http_address_is_refused_where_https_is_a_must(connect):
    client = connect(sandbox_url="http://127.0.0.1:9")

    with pytest.raises(Denied) as caught:
        await client.send(Request(url="http://doi.org/x"), STRICT)

    denial = caught.value.denial
    assert (denial.reason, denial.attempted) == ("insecure_scheme", "http:...")
    assert (denial.expected, denial.hop_index) == (("https",), 0)


async def test_a_redirect_down_to_http_is_refused_where_https_is_a_must(serve, connect, say):
    site = await serve(say(302, "Location: http://doi.org/x"))

    with pytest.raises(Denied) as caught:
        await connect(sandbox_url=site.origin).send(Request(url="https://doi.org/x"), STRICT)

    assert caught.value.denial.reason == "insecure_scheme"
    assert caught.value.denial.hop_index == 1


async def test_http_to_https_to_http_is_followed_without_what_is_confidential(serve, connect, say):
    ways = {"/1": "https://a.example/2", "/2": "http://a.example/3"}
    site = await serve(
        lambda head, _: (
            say(302, f"Location: {ways[path_of(head)]}")
            if path_of(head) in ways
            else say(200, body=b"ok")
        )
    )
    request = Request(url="http://a.example/1", headers={"Authorization": "Bearer s3cret"})

    answer = await connect(sandbox_url=site.origin).send(request, OPEN)

    assert answer.url == "http://a.example/3"
    assert [b"s3cret" in head for head in site.heads] == [True, False, False]


async def test_only_harmless_headers_follow_to_another_origin(serve, connect, say):
    site = await serve(
        lambda head, _: (
            say(302, "Location: https://api.crossref.org/2") if path_of(head) == "/1" else say(200)
        )
    )
    sent = {
        "Authorization": "Bearer s3cret",
        "X-Api-Key": "s3cret",
        "Cookie": "s3cret",
        "Referer": "s3cret",
        "Accept": "application/json",
        "Accept-Language": "sk",
        "User-Agent": "someone",
    }

    await connect(sandbox_url=site.origin).send(
        Request(url="https://doi.org/1", headers=sent), STRICT
    )

    assert site.heads[0].count(b"s3cret") == 4
    assert b"s3cret" not in site.heads[1]
    assert {"accept: application/json", "accept-language: sk", "user-agent: someone"} <= set(
        lines_of(site.heads[1])
    )


async def test_headers_stay_with_their_origin(serve, connect, say):
    site = await serve(
        lambda head, _: say(307, "Location: /2") if path_of(head) == "/1" else say(200)
    )
    request = Request(url="https://doi.org/1", headers={"Authorization": "Bearer s3cret"})

    await connect(sandbox_url=site.origin).send(request, STRICT)

    assert b"s3cret" in site.heads[1]


@pytest.mark.parametrize(
    ("status", "method", "body"),
    [
        (301, "GET", b""),
        (302, "GET", b""),
        (303, "GET", b""),
        (307, "POST", b"{}"),
        (308, "POST", b"{}"),
    ],
)
async def test_a_redirected_post_becomes_what_its_status_says(
    serve, connect, say, status, method, body
):
    site = await serve(
        lambda head, _: say(status, "Location: /2") if path_of(head) == "/1" else say(200)
    )
    headers = {"Content-Type": "application/json"}
    request = Request(url="https://doi.org/1", method="POST", headers=headers, body=b"{}")

    await connect(sandbox_url=site.origin).send(request, STRICT)

    assert site.heads[1].startswith(method.encode())
    assert site.bodies[1] == body
    assert (b"content-type" in site.heads[1]) == (method == "POST")


async def test_ten_redirects_are_followed_and_an_eleventh_is_not(serve, connect, say):
    def count_down(head, _):
        left = int(path_of(head)[1:])
        return say(302, f"Location: /{left - 1}") if left else say(200, body=b"ok")

    site = await serve(count_down)
    client = connect(sandbox_url=site.origin)

    answer = await client.send(Request(url="https://doi.org/10"), STRICT)
    with pytest.raises(BadAnswer, match="more than 10 redirects"):
        await client.send(Request(url="https://doi.org/11"), STRICT)

    assert len(answer.hops) == 11
    assert len(site.heads) == 22


async def test_a_circle_of_redirects_is_left_at_once(serve, connect, say):
    site = await serve(
        lambda head, _: say(302, "Location: /b" if path_of(head) == "/a" else "Location: /a")
    )

    with pytest.raises(BadAnswer, match="redirect loop") as caught:
        await connect(sandbox_url=site.origin).send(Request(url="https://doi.org/a"), STRICT)

    assert caught.value.cause == "format"
    assert len(site.heads) == 2


@pytest.mark.parametrize("headers", [[], ["Location:"], ["Location:  "]])
async def test_a_redirect_that_points_nowhere_cannot_be_read(serve, connect, say, headers):
    site = await serve(say(302, *headers))

    with pytest.raises(BadAnswer) as caught:
        await connect(sandbox_url=site.origin).send(Request(url="https://doi.org/a"), STRICT)

    assert (caught.value.status, caught.value.cause) == (302, "format")


@pytest.mark.promise("wire.cancelling-stops-the-work")
async def test_a_cancelled_request_closes_its_connection(serve, connect):
    async def stall(_head, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")

    site = await serve(stall)
    client = connect(sandbox_url=site.origin)
    task = asyncio.create_task(client.send(Request(url="https://doi.org/"), STRICT))

    with anyio.fail_after(300):
        await site.requested.wait()
        assert not site.hung_up.is_set()
        task.cancel()
        await site.hung_up.wait()

    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_request_cancelled_before_its_answer_closes_its_connection(serve, connect):
    site = await serve(b"")
    client = connect(sandbox_url=site.origin)
    task = asyncio.create_task(client.send(Request(url="https://doi.org/"), STRICT))

    with anyio.fail_after(300):
        await site.requested.wait()
        task.cancel()
        await site.hung_up.wait()

    with pytest.raises(asyncio.CancelledError):
        await task
