"""A private address that the operator configured for one source is open to that source only."""

from dataclasses import replace

import pytest

from sourcewright.base.errors import Denied
from sourcewright.base.http_messages import Request
from sourcewright.net.http.exchange import Policy

pytestmark = pytest.mark.anyio

OPEN = Policy(source="anywhere", https_only=False)
ANY_PORT = Policy(source="anywhere", https_only=False, any_port=True)


async def resolve(_host):
    return ["127.0.0.1"]


OWN = "http://search.example:{}"


async def test_an_own_address_is_open_to_its_source(serve, connect, say):
    site = await serve(say(200, body=b"ok"))
    own = OWN.format(site.port)
    client = connect(resolve=resolve, own_addresses={"searxng": f"{own}/searx"})

    answer = await client.send(Request(url=f"{own}/searx/search"), Policy(source="searxng"))

    assert answer.body == b"ok"


async def test_an_own_address_is_closed_to_everybody_else(serve, connect, dialled, say):
    """Also where its name tells nothing, and where a connection is already open."""
    site = await serve(say(200, body=b"ok"))
    own = OWN.format(site.port)
    client = connect(resolve=resolve, own_addresses={"searxng": own})
    await client.send(Request(url=own), Policy(source="searxng"))
    dialled.clear()

    with pytest.raises(Denied) as caught:
        await client.send(Request(url=own), ANY_PORT)

    assert caught.value.denial.reason == "host_in_block_list"
    assert dialled == []
    assert len(site.heads) == 1


async def test_a_redirect_to_an_own_address_of_another_source_is_refused(serve, connect, say):
    inner = await serve(say(200, body=b"secret"))
    outer = await serve(lambda _head, _: say(302, f"Location: {inner.origin}/config"))
    own = {"searxng": inner.origin}
    client = connect(allowed_origins=[outer.origin], own_addresses=own)

    with pytest.raises(Denied) as caught:
        await client.send(Request(url=outer.origin), replace(ANY_PORT, endpoint=outer.origin))

    assert caught.value.denial.reason == "ssrf_private_address"
    assert caught.value.denial.hop_index == 1
    assert inner.heads == []


async def test_an_own_address_that_is_allowed_as_well_stays_its_sources(serve, connect, say):
    site = await serve(say(200, body=b"ok"))
    client = connect(allowed_origins=[site.origin], own_addresses={"searxng": site.origin})

    with pytest.raises(Denied):
        await client.send(Request(url=site.origin), OPEN)

    assert (await client.send(Request(url=site.origin), Policy(source="searxng"))).body == b"ok"
