"""The address that was judged is the address that is dialled, and nothing else is."""

import pytest

from sourcewright.domain.errors import Denied, NotConfigured, Unavailable
from sourcewright.net.exchange import Policy, Request

pytestmark = pytest.mark.anyio

OPEN = Policy(source="anywhere", https_only=False)
ANY_PORT = Policy(source="anywhere", https_only=False, any_port=True)


def resolving(*answers):
    """Answer differently each time, the last answer for good, and count the questions."""
    asked = []

    async def resolve(host):
        asked.append(host)
        return list(answers[min(len(asked), len(answers)) - 1])

    return resolve, asked


@pytest.mark.promise("guard.checked-address-is-dialled")
async def test_a_name_that_changes_its_answer_cannot_move_the_connection(
    serve, connect, dialled, say
):
    site = await serve(say(200))
    resolve, asked = resolving(["93.184.215.14"], ["127.0.0.1"])
    client = connect(resolve=resolve)

    with pytest.raises(Unavailable) as caught:
        await client.send(Request(url=f"http://rebinding.example:{site.port}/"), ANY_PORT)

    assert caught.value.cause == "connect"
    assert dialled == [("93.184.215.14", site.port)]
    assert asked == ["rebinding.example"]
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

    assert caught.value.cause == "connect"


async def test_an_allowed_origin_is_let_through_with_its_own_name(serve, connect, say):
    site = await serve(say(200, body=b"ok"))
    resolve, _ = resolving(["127.0.0.1"])
    origin = f"http://search.example:{site.port}"
    client = connect(resolve=resolve, allowed_origins=[origin])

    answer = await client.send(Request(url=f"{origin}/?q=1"), Policy(source="searxng"))

    assert answer.body == b"ok"
    assert f"host: search.example:{site.port}\r\n".encode() in site.heads[0]


@pytest.mark.parametrize("origin", ["http://localhost:{}", "http://127.0.0.1:{}"])
async def test_an_allowed_origin_may_be_this_machine(serve, connect, say, origin):
    site = await serve(say(200, body=b"ok"))
    origin = origin.format(site.port)
    client = connect(allowed_origins=[origin])

    answer = await client.send(Request(url=f"{origin}/"), OPEN)

    assert answer.body == b"ok"


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


async def test_a_redirect_may_lead_to_an_allowed_origin_and_to_no_other_port(serve, connect, say):
    second = await serve(say(200, body=b"ok"))
    first = await serve(lambda head, _: say(302, f"Location: http://127.0.0.1:{path_of(head)}/"))
    client = connect(allowed_origins=[first.origin, second.origin])

    answer = await client.send(Request(url=f"{first.origin}/{second.port}"), OPEN)
    with pytest.raises(Denied) as caught:
        await client.send(Request(url=f"{first.origin}/8081"), OPEN)

    assert answer.body == b"ok"
    assert caught.value.denial.attempted == "127.0.0.1:8081"
    assert caught.value.denial.hop_index == 1


async def test_a_sources_own_hosts_bind_an_allowed_origin_too(serve, connect, say):
    site = await serve(say(200))
    policy = Policy(source="crossref", allowed_hosts=("*.crossref.org",))

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
