"""Behind an HTTP proxy we resolve and check each host first; the proxy gets the IP address."""

import base64

import pytest

from sourcewright.base.errors import Denied, Unavailable
from sourcewright.base.http_messages import Request
from sourcewright.net.http.exchange import Policy
from sourcewright.net.http.tunnel import read_proxy

pytestmark = pytest.mark.anyio

OPEN = Policy(source="anywhere", https_only=False, any_port=True)
PUBLIC = "93.184.215.14"


def names(**addresses):
    async def resolve(host):
        return [addresses[host.partition(".")[0]]]

    return resolve


async def test_a_request_goes_through_the_proxy_to_the_address_that_was_checked(
    serve, connect, dialled, say, proxy_to
):
    site = await serve(say(200, body=b"hello"))
    proxy = await proxy_to(site.port)
    client = connect(resolve=names(journal=PUBLIC), proxy_url=f"http://127.0.0.1:{proxy.port}")

    answer = await client.send(Request(url="http://journal.example/a?b=1"), OPEN)

    assert answer.body == b"hello"
    assert proxy.targets == [f"{PUBLIC}:80"]
    assert b"GET /a?b=1 HTTP/1.1\r\n" in site.heads[0]
    assert b"journal.example" in site.heads[0]
    assert ("127.0.0.1", proxy.port) in dialled
    assert PUBLIC not in {host for host, _ in dialled}


@pytest.mark.promise("guard.no-private-address")
@pytest.mark.parametrize("address", ["10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "fd00::1"])
async def test_a_name_of_a_private_address_is_refused_before_the_proxy_is_asked(
    address, connect, dialled, proxy_to
):
    proxy = await proxy_to(9)
    client = connect(resolve=names(inner=address), proxy_url=f"http://127.0.0.1:{proxy.port}")

    with pytest.raises(Denied) as caught:
        await client.send(Request(url="http://inner.example/"), OPEN)

    assert caught.value.denial.reason == "ssrf_private_address"
    assert (dialled, proxy.heads) == ([], [])


async def test_a_redirect_to_a_private_name_is_refused_behind_a_proxy_too(
    serve, connect, say, proxy_to
):
    site = await serve(say(302, "Location: http://inner.example/"))
    proxy = await proxy_to(site.port)
    resolve = names(journal=PUBLIC, inner="192.168.0.1")
    client = connect(resolve=resolve, proxy_url=f"http://127.0.0.1:{proxy.port}")

    with pytest.raises(Denied):
        await client.send(Request(url="http://journal.example/"), OPEN)

    assert proxy.targets == [f"{PUBLIC}:80"]


async def test_an_allowed_origin_is_reached_without_the_proxy(serve, connect, say, proxy_to):
    site = await serve(say(200, body=b"inside"))
    proxy = await proxy_to(9)
    client = connect(allowed_origins=[site.origin], proxy_url=f"http://127.0.0.1:{proxy.port}")
    policy = Policy(source="searxng", https_only=False, any_port=True, endpoint=site.origin)

    answer = await client.send(Request(url=f"{site.origin}/"), policy)

    assert (answer.body, proxy.heads) == (b"inside", [])


async def test_a_login_is_sent_to_the_proxy_and_to_nobody_else(serve, connect, say, proxy_to):
    site = await serve(say(200))
    proxy = await proxy_to(site.port)
    url = f"http://ann:p%40ss@127.0.0.1:{proxy.port}"

    await connect(resolve=names(journal=PUBLIC), proxy_url=url).send(
        Request(url="http://journal.example/"), OPEN
    )

    login = base64.b64encode(b"ann:p@ss").decode()
    assert f"Proxy-Authorization: Basic {login}" in proxy.heads[0]
    assert b"Proxy-Authorization" not in site.heads[0]
    assert login not in repr(read_proxy(url))


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"HTTP/1.1 403 Forbidden\r\n\r\n", "the proxy refused the connection (403 Forbidden)"),
        (b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "(407 Proxy Authentication"),
        (b"SSH-2.0-OpenSSH_9.6\r\n\r\n", "the proxy sent no valid response"),
        (b"HTTP/1.1 200 OK\r\n\r\nmore", "the proxy sent more than its response"),
        (b"x" * 20_000, "the proxy sent no valid response"),
        (b"", "the proxy sent no valid response"),
    ],
)
async def test_a_proxy_that_refuses_is_named_and_never_taken_for_the_source(
    answer, reason, connect, proxy_to
):
    proxy = await proxy_to(9, answer=answer)
    client = connect(resolve=names(journal=PUBLIC), proxy_url=f"http://127.0.0.1:{proxy.port}")

    with pytest.raises(Unavailable) as caught:
        await client.send(Request(url="http://journal.example/"), OPEN)

    assert caught.value.cause == "connect"
    assert reason in str(caught.value)


async def test_a_proxy_that_is_not_there_is_named(connect):
    client = connect(resolve=names(journal=PUBLIC), proxy_url="http://127.0.0.1:9")

    with pytest.raises(Unavailable, match=r"the proxy 127\.0\.0\.1:9 cannot be reached"):
        await client.send(Request(url="http://journal.example/"), OPEN)


async def test_the_next_address_is_tried_through_the_proxy(connect, proxy_to):
    proxy = await proxy_to(9, answer=b"HTTP/1.1 502 Bad Gateway\r\n\r\n")

    async def resolve(_host):
        return ["2606:4700::1111", PUBLIC]

    client = connect(resolve=resolve, proxy_url=f"http://127.0.0.1:{proxy.port}")
    with pytest.raises(Unavailable):
        await client.send(Request(url="http://journal.example/"), OPEN)

    assert proxy.targets == ["[2606:4700::1111]:80", f"{PUBLIC}:80"]
