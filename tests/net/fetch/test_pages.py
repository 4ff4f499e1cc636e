"""Page requests of providers: cut at a limit, refused, and paced by host."""

import gzip
import itertools
from dataclasses import replace

import pytest

from sourcewright.base.errors import BadAnswer, Denied, NotFound, Refused, Unavailable
from sourcewright.base.http_messages import Request, Response
from sourcewright.net.fetch.pages import OpenPages, read_open_page
from sourcewright.net.http.exchange import Policy
from sourcewright.net.sources.pace import PAPERS_BUCKET

pytestmark = pytest.mark.anyio

POLICY = Policy(source="page", max_bytes=1000, cut_long=True)
ASK = Request(url="https://a.example/page")
LONG = b"All of this text goes on and on. " * 100


@pytest.fixture
def read(serve, connect):
    """The body that is read from a server's response."""

    async def ask(script, policy=POLICY):
        site = await serve(script)
        return (await connect(sandbox_url=site.origin).send(ASK, policy)).body

    return ask


def endless(_head, writer):
    async def go_on():
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in itertools.count():
            writer.write(b"%x\r\n%b\r\n" % (len(LONG), LONG))
            await writer.drain()

    return go_on()


async def test_a_long_page_is_cut_where_it_would_be_too_much(read, say):
    assert await read(say(body=LONG)) == LONG[:1000]
    assert await read(say(200, "Content-Encoding: gzip", body=gzip.compress(LONG))) == LONG[:1000]


async def test_a_page_without_an_end_is_cut(read):
    assert await read(endless) == LONG[:1000]


async def test_a_page_that_fits_comes_whole(read, say):
    assert await read(say(body=LONG[:1000])) == LONG[:1000]


async def test_what_need_not_be_cut_is_still_refused(read, say):
    with pytest.raises(Denied) as caught:
        await read(say(body=LONG), replace(POLICY, cut_long=False))

    assert caught.value.denial.reason == "size_cap_exceeded"


@pytest.mark.parametrize(
    ("body", "kind"),
    [(b"no gzip", BadAnswer), (gzip.compress(LONG)[:-9], Unavailable)],
    ids=["misencoded", "cut"],
)
async def test_cutting_hides_no_other_failure(read, say, body, kind):
    with pytest.raises(kind):
        await read(say(200, "Content-Encoding: gzip", body=body), replace(POLICY, max_bytes=9999))


async def test_cutting_lets_nothing_pass_that_begins_wrongly(read, say):
    with pytest.raises(Denied) as caught:
        await read(say(body=LONG[:500]), replace(POLICY, magic=b"%PDF-"))

    assert caught.value.denial.reason == "content_type_mismatch"


@pytest.mark.parametrize(
    ("status", "kind"), [(401, Refused), (403, Refused), (404, BadAnswer), (410, BadAnswer)]
)
def test_an_address_without_a_page_is_a_problem_and_not_absence(status, kind):
    hops = ("https://a.example/1", "https://a.example/2")
    answer = Response(status=status, headers={}, body=b"Sorry", url=hops[-1], hops=hops)

    page = read_open_page(answer)

    assert isinstance(page.problem, kind)
    assert not isinstance(page.problem, NotFound)
    assert (page.body, page.hops, page.problem.source) == (b"", hops, "page")


class RecordingNetwork:
    """A network that records the rate buckets of each request."""

    def __init__(self):
        self.clients, self.sent = [], []

    def source_client(self, source, buckets):
        self.clients.append((source, buckets))
        return self

    async def send(self, request, policy):
        self.sent.append((request, policy))
        return Response(status=200, headers={}, body=b"<html>", url=request.url)


async def test_each_host_has_its_own_pace_within_the_budget_of_papers():
    network = RecordingNetwork()
    pages = OpenPages(network)

    await pages.fetch_page("http://a.example/x")
    await pages.fetch_page("https://b.example/x")

    assert [source for source, _ in network.clients] == ["page a.example", "page b.example"]
    assert all(buckets[1] is PAPERS_BUCKET for _, buckets in network.clients)
    assert [request.url for request, _ in network.sent] == [
        "https://a.example/x",
        "https://b.example/x",
    ]
    assert {(policy.https_only, policy.allowed_hosts) for _, policy in network.sent} == {
        (True, None)
    }
