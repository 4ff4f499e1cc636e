"""The connection goes to the IP address that the SSRF guard checked, and to no other."""

from dataclasses import replace

import pytest

from sourcewright.base.errors import Denied, NotConfigured, Unavailable
from sourcewright.base.http_messages import Request
from sourcewright.net.http.exchange import Policy

pytestmark = pytest.mark.anyio

OPEN = Policy(source="anywhere", https_only=False)
ANY_PORT = Policy(source="anywhere", https_only=False, any_port=True)


def resolving(*answers):
    """A resolver with a list of answers, the last of them for good, which counts its calls."""
    requests = []

    async def resolve(host):
        requests.append(host)
        return list(answers[min(len(requests), len(answers)) - 1])

    return resolve, requests


@pytest.mark.promise("guard.checked-address-is-dialled")
async def test_a_name_that_changes_its_answer_cannot_move_the_connection(
    serve, connect, dialled, say
):
    site = await serve(say(200))
    resolve, outcome = resolving(["93.184.215.14"], ["127.0.0.1"])
    client = connect(resolve=resolve)

    with pytest.raises(Unavailable) as caught:
        await client.send(Request(url=f"http://rebinding.example:{site.port}/"), ANY_PORT)

    assert caught.value.cause == "connect"
    assert dialled == [("93.184.215.14", site.port)]
    assert outcome == ["rebinding.example"]
    assert site.heads == []


async def test_a_name_that_turned_private_is_refused_the_next_time(connect, dialled):
    resolve, _ = resolving(["93.184.215.14"], ["10.0.0.1"])
    client = connect(resolve=resolve)
    with pytest.raises(Unavailable):
        await client.send(Request(url="http://rebinding.example/"), OPEN)

    with pytest.raises(Denied) as caught:
        await client.send(Request(url="http://rebinding.example/"), OPEN)

    assert caught.value.denial.attempted == "10.0.0.1:80"
    assert dialled == [("93.184.215.14", 80)]


async def test_every_public_address_is_tried_in_turn(connect, dialled):
    resolve, _ = resolving(["93.184.215.14", "93.184.215.15", "2606:4700::1111"])

    with pytest.raises(Unavailable) as caught:
        await connect(resolve=resolve).send(Request(url="http://example.com/"), OPEN)

    assert caught.value.cause == "connect"
    assert [host for host, _ in dialled] == ["93.184.215.14", "2606:4700::1111", "93.184.215.15"]


async def test_a_mapped_public_address_is_dialled_as_what_it_is(connect, dialled):
    with pytest.raises(Unavailable):
        await connect().send(Request(url="http://[::ffff:8.8.8.8]/"), OPEN)

    assert dialled == [("8.8.8.8", 80)]


@pytest.mark.parametrize("answer", [[], ["no address"], ["1.2.3"]])
async def test_a_name_that_leads_nowhere_is_unavailable(connect, dialled, answer):
    resolve, _ = resolving(answer)

    with pytest.raises(Unavailable) as caught:
        await connect(resolve=resolve).send(Request(url="http://example.com/"), OPEN)

    assert caught.value.cause == "connect"
    assert dialled == []


async def test_a_resolver_that_fails_makes_the_source_unavailable(connect):
    async def resolve(_host):
        raise OSError("no such name")

    with pytest.raises(Unavailable) as caught:
        await connect(resolve=resolve).send(Request(url="http://example.com/"), OPEN)

    assert caught.value.cause == "connect"


async def test_the_systems_own_resolver_is_asked_by_default(connect):
    with pytest.raises(Unavailable) as caught:
        await connect().send(Request(url="http://no-such-name.invalid/"), OPEN)

    # Here the computer itself may be offline.
    assert caught.value.cause in {"connect", "offline"}


async def test_an_allowed_origin_is_let_through_with_its_own_name(serve, connect, say):
    site = await serve(say(200, body=b"ok"))
    resolve, _ = resolving(["127.0.0.1"])
    origin = f"http://search.example:{site.port}"
    client = connect(resolve=resolve, allowed_origins=[origin])

    policy = Policy(source="searxng", endpoint=origin)
    answer = await client.send(Request(url=f"{origin}/?q=1"), policy)

    assert answer.body == b"ok"
    assert f"host: search.example:{site.port}\r\n".encode() in site.heads[0]


@pytest.mark.parametrize("origin", ["http://localhost:{}", "http://127.0.0.1:{}"])
async def test_an_allowed_origin_may_be_this_machine(serve, connect, say, origin):
    site = await serve(say(200, body=b"ok"))
    origin = origin.format(site.port)
    client = connect(allowed_origins=[origin])

    answer = await client.send(Request(url=f"{origin}/"), replace(OPEN, endpoint=origin))

    assert answer.body == b"ok"


@pytest.mark.parametrize("policy", [OPEN, replace(ANY_PORT, endpoint="http://other.example:80")])
@pytest.mark.parametrize("origin", ["http://search.example:{}", "http://127.0.0.1:{}"])
async def test_an_allowed_origin_is_closed_to_whoever_has_no_endpoint_there(
    serve, connect, dialled, say, origin, policy
):
    site = await serve(say(200, body=b"private"))
    resolve, _ = resolving(["127.0.0.1"])
    origin = origin.format(site.port)
    client = connect(resolve=resolve, allowed_origins=[origin])

    with pytest.raises(Denied) as caught:
        await client.send(Request(url=f"{origin}/"), policy)

    assert caught.value.denial.reason in ("host_in_block_list", "ssrf_private_address")
    assert dialled == []


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:{other}/",
        "http://127.0.0.2:{port}/",
        "http://localhost:{port}/",
        "http://search.example:{other}/",
        "https://search.example:{port}/",
        "http://other.example:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
    ],
)
async def test_an_allowed_origin_opens_nothing_else(serve, connect, dialled, say, url):
    site = await serve(say(200))
    resolve, _ = resolving(["127.0.0.1"])
    allowed = [f"http://{host}:{site.port}" for host in ("127.0.0.1", "search.example")]
    client = connect(resolve=resolve, allowed_origins=allowed)

    with pytest.raises(Denied) as caught:
        await client.send(Request(url=url.format(port=site.port, other=8081)), ANY_PORT)

    assert caught.value.denial.reason == "ssrf_private_address"
    assert dialled == []


async def test_an_endpoint_may_lead_to_itself_and_to_no_other_allowed_origin(serve, connect, say):
    second = await serve(say(200, body=b"private"))

    def script(head, _):
        return say(200, body=b"ok") if path_of(head) == "end" else say(302, location(head))

    def location(head):
        there = {"self": "/end", "other": second.origin}[path_of(head)]
        return f"Location: {there}"

    first = await serve(script)
    client = connect(allowed_origins=[first.origin, second.origin])
    policy = replace(OPEN, endpoint=first.origin)

    answer = await client.send(Request(url=f"{first.origin}/self"), policy)
    with pytest.raises(Denied) as caught:
        await client.send(Request(url=f"{first.origin}/other"), policy)

    assert answer.body == b"ok"
    assert caught.value.denial.reason == "ssrf_private_address"
    assert caught.value.denial.hop_index == 1
    assert second.heads == []


async def test_nobody_sends_a_source_back_to_its_own_endpoint_from_elsewhere(serve, connect, say):
    """The way home over a stranger is the stranger's choice of a private address."""
    endpoint = "http://search.example:8888"

    def script(head, _):
        home = b"host: search.example:8888" in head
        return say(302, f"Location: {'http://evil.example/' if home else endpoint + '/admin'}")

    site = await serve(script)
    client = connect(sandbox_url=site.origin, allowed_origins=[endpoint])

    with pytest.raises(Denied) as caught:
        await client.send(Request(url=f"{endpoint}/search"), replace(OPEN, endpoint=endpoint))

    assert caught.value.denial.hop_index == 2
    assert len(site.heads) == 2


async def test_a_sources_own_hosts_bind_an_allowed_origin_too(serve, connect, say):
    site = await serve(say(200))
    policy = Policy(source="crossref", allowed_hosts=("*.crossref.org",), endpoint=site.origin)

    with pytest.raises(Denied) as caught:
        await connect(allowed_origins=[site.origin]).send(Request(url=site.origin), policy)

    assert caught.value.denial.reason == "redirect_not_in_allowlist"


@pytest.mark.parametrize(
    "origin", ["localhost:8080", "ftp://localhost", "http://u@localhost", "http://localhost/x", ""]
)
async def test_an_allowed_origin_that_is_none_stops_the_start(connect, origin):
    with pytest.raises(NotConfigured) as caught:
        connect(allowed_origins=[origin])

    assert caught.value.setting == "SOURCEWRIGHT_ALLOWED_ORIGINS"


def path_of(head):
    return head.split(b" ")[1][1:].decode()
