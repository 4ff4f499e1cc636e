"""Limits of the HTTP client: any response costs bounded time and memory, and fails by name."""

import gzip
import itertools
import json
import subprocess
import sys
import tracemalloc
import zlib
from pathlib import Path

import anyio
import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st
from zstandard import zstd

from sourcewright.base.errors import BadAnswer, Denied, Unavailable
from sourcewright.base.http_messages import Request
from sourcewright.net.http.body import BodyReader, Plain, decoder_for
from sourcewright.net.http.exchange import Policy

pytestmark = pytest.mark.anyio

POLICY = Policy(source="crossref", max_bytes=1000)
ASK = Request(url="https://api.crossref.org/works")
PLAIN = b"All of this text comes back as it was. " * 20
ENCODED = {
    "gzip": gzip.compress(PLAIN),
    "x-gzip": gzip.compress(PLAIN),
    "GZIP": gzip.compress(PLAIN[:99]) + gzip.compress(PLAIN[99:]),
    "gzip, identity": gzip.compress(PLAIN) + b"\0\0\0",
    "deflate": zlib.compress(PLAIN),
    "Deflate": zlib.compress(PLAIN)[2:-4],
    "br": brotli.compress(PLAIN),
    "zstd": zstd.compress(PLAIN),
    "ZSTD": zstd.compress(PLAIN[:99]) + zstd.compress(PLAIN[99:]),
    "identity": PLAIN,
}


def trickle(*pieces):
    """Send the pieces one by one, each in a packet of its own."""

    async def script(_head, writer):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()

    return script


def chunked(body, *headers):
    head = ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked", *headers]
    chunk = b"%x\r\n%b\r\n" % (len(body), body)
    return "\r\n".join(head).encode() + b"\r\n\r\n" + chunk


async def closing(_head, writer, response):
    writer.write(response)
    writer.close()


def then_close(response):
    return lambda head, writer: closing(head, writer, response)


@pytest.mark.parametrize("encoding", ENCODED)
async def test_an_encoded_body_comes_back_plain(serve, connect, say, encoding):
    site = await serve(say(200, f"Content-Encoding: {encoding}", body=ENCODED[encoding]))

    answer = await connect(sandbox_url=site.origin).send(ASK, POLICY)

    assert answer.body == PLAIN


@pytest.mark.parametrize("encoding", ENCODED)
async def test_an_encoded_body_may_come_byte_by_byte(serve, connect, encoding):
    body = ENCODED[encoding]
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\nContent-Encoding: {encoding}\r\n\r\n"
    )
    site = await serve(trickle(head.encode(), *(bytes([byte]) for byte in body)))

    answer = await connect(sandbox_url=site.origin).send(ASK, POLICY)

    assert answer.body == PLAIN


async def test_only_encodings_that_can_be_bounded_are_offered(serve, connect, say):
    site = await serve(say(200))

    await connect(sandbox_url=site.origin).send(ASK, POLICY)

    assert b"accept-encoding: zstd, br, gzip, deflate\r\n" in site.heads[0]


@pytest.mark.parametrize("encoding", ["gzip, gzip", "br, gzip", "compress", "exi", "gzip,br,zstd"])
async def test_a_nested_or_unknown_encoding_cannot_be_read(serve, connect, say, encoding):
    site = await serve(say(200, f"Content-Encoding: {encoding}", body=ENCODED["gzip"]))

    with pytest.raises(BadAnswer) as caught:
        await connect(sandbox_url=site.origin).send(ASK, POLICY)

    assert caught.value.cause == "format"


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
async def test_a_body_that_is_not_encoded_as_it_says_cannot_be_read(serve, connect, say, encoding):
    site = await serve(say(200, f"Content-Encoding: {encoding}", body=b"\xff<html>no</html>" * 9))

    with pytest.raises(BadAnswer) as caught:
        await connect(sandbox_url=site.origin).send(ASK, POLICY)

    assert caught.value.cause == "format"


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
async def test_an_encoded_body_that_ends_early_was_cut(serve, connect, say, encoding):
    site = await serve(say(200, f"Content-Encoding: {encoding}", body=ENCODED[encoding][:-5]))

    with pytest.raises(Unavailable) as caught:
        await connect(sandbox_url=site.origin).send(ASK, POLICY)

    assert caught.value.cause == "cut"


async def test_a_zstd_window_larger_than_the_web_allows_cannot_be_read(serve, connect, say):
    options = {zstd.CompressionParameter.window_log: 27}
    maker = zstd.ZstdCompressor(options=options)
    body = maker.compress(PLAIN) + maker.flush()
    site = await serve(say(200, "Content-Encoding: zstd", body=body))

    with pytest.raises(BadAnswer) as caught:
        await connect(sandbox_url=site.origin).send(ASK, POLICY)

    assert caught.value.cause == "format"


async def test_a_body_of_exactly_the_cap_is_taken(serve, connect, say):
    site = await serve(say(200, body=b"x" * 1000))

    answer = await connect(sandbox_url=site.origin).send(ASK, POLICY)

    assert len(answer.body) == 1000


async def test_a_body_that_announces_too_much_is_refused_unread(serve, connect):
    site = await serve(b"HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n")

    with pytest.raises(Denied) as caught:
        await connect(sandbox_url=site.origin).send(ASK, POLICY)

    denial = caught.value.denial
    assert (denial.reason, denial.cap, denial.actual) == ("size_cap_exceeded", 1000, 1001)
    assert denial.source == "crossref"


@pytest.mark.promise("guard.bodies-are-bounded")
async def test_an_endless_body_is_left_at_the_cap(serve, connect):
    async def endless(_head, writer):
        writer.write(chunked(b"x" * 500))
        while not writer.is_closing():
            writer.write(b"1f4\r\n" + b"x" * 500 + b"\r\n")
            await writer.drain()

    site = await serve(endless)

    with pytest.raises(Denied) as caught:
        await connect(sandbox_url=site.origin).send(ASK, POLICY)

    denial = caught.value.denial
    assert denial.reason == "size_cap_exceeded"
    assert denial.actual > denial.cap == 1000


ENCODE = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstd.compress,
}


@given(
    encoding=st.sampled_from(sorted(ENCODE)),
    runs=st.lists(st.tuples(st.binary(min_size=1, max_size=50), st.integers(1, 20_000))),
    cuts=st.lists(st.integers(1, 5000), min_size=1),
)
def test_a_body_expands_in_full_however_it_is_cut(encoding, runs, cuts):
    plain = b"".join(part * times for part, times in runs)
    encoded = ENCODE[encoding](plain)
    decoder = decoder_for(encoding, "crossref")
    pieces = []

    for size in itertools.cycle(cuts):
        pieces += decoder.feed(encoded[:size])
        encoded = encoded[size:]
        if not encoded:
            break

    assert b"".join(pieces) == plain
    assert decoder.finished
    assert max(map(len, pieces), default=0) <= 2 * 65_536


@pytest.mark.parametrize("encoding", ENCODE)
async def test_a_body_that_expands_a_thousandfold_arrives_whole(serve, connect, say, encoding):
    big = b"\0" * 3_000_000
    site = await serve(say(200, f"Content-Encoding: {encoding}", body=ENCODE[encoding](big)))

    answer = await connect(sandbox_url=site.origin).send(ASK, Policy(source="crossref"))

    assert answer.body == big


@pytest.mark.parametrize("encoding", ENCODE)
async def test_the_cap_counts_what_a_body_expands_to(serve, connect, say, encoding):
    big = b"\0" * 1_000_000
    site = await serve(say(200, f"Content-Encoding: {encoding}", body=ENCODE[encoding](big)))

    with pytest.raises(Denied) as caught:
        await connect(sandbox_url=site.origin).send(ASK, POLICY)

    assert caught.value.denial.reason == "size_cap_exceeded"


async def test_encoded_bytes_that_expand_to_nothing_are_capped_too(serve, connect):
    async def hollow(_head, writer):
        head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
        writer.write(head)
        nothing = gzip.compress(b"") * 100
        while not writer.is_closing():
            writer.write(b"%x\r\n%b\r\n" % (len(nothing), nothing))
            await writer.drain()

    site = await serve(hollow)

    with pytest.raises(Denied) as caught:
        await connect(sandbox_url=site.origin).send(ASK, POLICY)

    assert caught.value.denial.reason == "size_cap_exceeded"


@pytest.mark.parametrize("status", [404, 429, 503])
async def test_the_size_of_an_apology_does_not_hide_its_status(serve, connect, say, status):
    site = await serve(say(status, body=b"x" * 5000))

    answer = await connect(sandbox_url=site.origin).send(ASK, POLICY)

    assert answer.status == status
    assert len(answer.body) <= 1000


async def test_an_unreadable_apology_does_not_hide_its_status(serve, connect, say):
    site = await serve(say(503, "Content-Encoding: compress", body=b"?"))

    answer = await connect(sandbox_url=site.origin).send(ASK, POLICY)

    assert (answer.status, answer.body) == (503, b"")


BOMBS = Path(__file__).parent / "bombs.py"


@pytest.mark.promise("guard.bodies-are-bounded")
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_a_ten_gigabyte_bomb_costs_little_memory():
    run = subprocess.run(
        [sys.executable, str(BOMBS)], capture_output=True, text=True, timeout=300, check=True
    )

    result = json.loads(run.stdout)
    assert min(result["sizes"].values()) >= 10 * 10**9
    assert result["reasons"] == dict.fromkeys(ENCODE, "size_cap_exceeded")
    assert result["grown_mebibytes"] < 100


async def test_many_tiny_pieces_cost_no_more_than_a_large_one():
    gathering = BodyReader(policy=Policy(source="drip"), decoder=Plain(), expects_magic=False)

    async def pieces():
        for number in range(100_000):
            yield bytes((number & 255, 7))

    tracemalloc.start()
    await gathering.read(pieces())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert len(gathering.buffer) == 200_000
    assert most < 1_000_000


@pytest.mark.parametrize("size", [5, 4, 1])
async def test_a_body_must_begin_as_the_policy_says(serve, connect, say, size):
    site = await serve(say(200, "Content-Type: application/pdf", body=b"<html>"[:size]))
    policy = Policy(source="oa-publisher", magic=b"%PDF-")

    with pytest.raises(Denied) as caught:
        await connect(sandbox_url=site.origin).send(ASK, policy)

    denial = caught.value.denial
    assert denial.reason == "content_type_mismatch"
    assert denial.attempted == b"<html>"[:size].hex()
    assert denial.expected == ("%PDF-",)


async def test_a_wrong_beginning_is_enough_to_stop_reading(serve, connect):
    site = await serve(b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n<html>")
    policy = Policy(source="oa-publisher", magic=b"%PDF-")

    with pytest.raises(Denied) as caught:
        await connect(sandbox_url=site.origin).send(ASK, policy)

    assert caught.value.denial.attempted == "3c68746d6c"


@pytest.mark.parametrize("pieces", [(b"%PDF-1.7",), (b"%", b"PD", b"F-1.7")])
async def test_a_right_beginning_may_come_in_pieces(serve, connect, pieces):
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n"
    site = await serve(trickle(head, *pieces))
    policy = Policy(source="oa-publisher", magic=b"%PDF-")

    answer = await connect(sandbox_url=site.origin).send(ASK, policy)

    assert answer.body == b"%PDF-1.7"


async def test_an_error_need_not_begin_as_the_policy_says(serve, connect, say):
    site = await serve(say(404, body=b"<html>"))

    answer = await connect(sandbox_url=site.origin).send(
        ASK, Policy(source="oa-publisher", magic=b"%PDF-")
    )

    assert answer.status == 404


async def test_a_head_request_has_no_body_to_judge(serve, connect):
    site = await serve(
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\nContent-Encoding: gzip\r\n\r\n"
    )
    policy = Policy(source="oa-publisher", magic=b"%PDF-", max_bytes=10)

    answer = await connect(sandbox_url=site.origin).send(
        Request(url=ASK.url, method="HEAD"), policy
    )

    assert (answer.status, answer.body) == (200, b"")


CUT = {
    "before the answer": b"",
    "in the status line": b"HTTP/1.",
    "in the headers": b"HTTP/1.1 200 OK\r\nContent-Le",
    "before the body": b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
    "in the body": b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
    "in a chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf",
    "between chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    "in an apology": b"HTTP/1.1 404 Not Found\r\nContent-Length: 10\r\n\r\nhalf",
}


@pytest.mark.parametrize("where", CUT)
async def test_a_connection_that_is_cut_is_no_answer(serve, connect, where):
    site = await serve(then_close(CUT[where]))

    with pytest.raises(Unavailable) as caught:
        await connect(sandbox_url=site.origin).send(ASK, POLICY)

    assert caught.value.cause == "cut"


GARBAGE = {
    "another protocol": b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
    "two lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "a negative length": b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
    "no chunk size": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "a giant header": b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
    "a giant status line": b"HTTP/1.1 200 " + b"O" * 200_000 + b"\r\n\r\n",
    "ten thousand headers": b"HTTP/1.1 200 OK\r\n" + b"X-Some-Name: 1\r\n" * 10_000 + b"\r\n",
    "ten thousand tiny ones": b"HTTP/1.1 200 OK\r\n" + b"a:b\r\n" * 10_000 + b"\r\n",
    "a switch of protocols": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
}


@pytest.mark.parametrize("what", GARBAGE)
async def test_an_answer_that_is_no_proper_http_cannot_be_read(serve, connect, what):
    site = await serve(GARBAGE[what])

    with pytest.raises(BadAnswer) as caught:
        await connect(sandbox_url=site.origin).send(ASK, POLICY)

    assert caught.value.cause == "format"


async def test_a_body_longer_than_it_says_ends_where_it_says(serve, connect):
    site = await serve(then_close(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhalf and more"))

    answer = await connect(sandbox_url=site.origin).send(ASK, POLICY)

    assert answer.body == b"half"


async def test_a_silent_server_runs_into_the_read_limit(serve, connect):
    site = await serve(b"")
    policy = Policy(source="crossref", read_seconds=0.05)

    with pytest.raises(Unavailable) as caught:
        await connect(sandbox_url=site.origin).send(ASK, policy)

    assert caught.value.cause == "timeout"


async def test_a_body_that_stops_coming_runs_into_the_read_limit(serve, connect):
    site = await serve(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
    policy = Policy(source="crossref", read_seconds=0.05)

    with pytest.raises(Unavailable) as caught:
        await connect(sandbox_url=site.origin).send(ASK, policy)

    assert caught.value.cause == "timeout"


@pytest.mark.promise("guard.bodies-are-bounded")
async def test_a_trickle_that_never_ends_runs_into_the_total_limit(serve, connect):
    async def drip(_head, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"x")
            await writer.drain()
            with anyio.move_on_after(0.02):
                await anyio.sleep_forever()

    site = await serve(drip)
    policy = Policy(source="crossref", total_seconds=0.5)

    with pytest.raises(Unavailable) as caught:
        await connect(sandbox_url=site.origin).send(ASK, policy)

    assert caught.value.cause == "slow"
    assert "0.5 s" in str(caught.value)


KEEPING = Policy(source="page", accepts_partial=True, total_seconds=1.5, max_bytes=1000)


@pytest.mark.parametrize("more", ["drips", "nothing"])
async def test_what_came_in_time_is_kept_where_a_part_is_wanted(serve, connect, more):
    async def endless(_head, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
        while not writer.is_closing():
            writer.write(b"." if more == "drips" else b"")
            await writer.drain()
            with anyio.move_on_after(0.02):
                await anyio.sleep_forever()

    site = await serve(endless)

    answer = await connect(sandbox_url=site.origin).send(ASK, KEEPING)

    assert answer.body.startswith(b"half")
    assert answer.body.rstrip(b".") == b"half"
    assert answer.cut
    assert answer.problem.cause == "timeout"


BEGUN = ["in the body", "in a chunk", "between chunks"]


@pytest.mark.parametrize("where", BEGUN)
async def test_what_came_before_a_cut_is_kept_where_a_part_is_wanted(serve, connect, where):
    site = await serve(then_close(CUT[where]))

    answer = await connect(sandbox_url=site.origin).send(ASK, KEEPING)

    assert (answer.body, answer.cut, answer.problem.cause) == (b"half", True, "cut")


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
async def test_a_part_of_an_encoded_body_is_kept_as_far_as_it_expands(serve, connect, encoding):
    long = b"".join(b"%d " % (number * number) for number in range(60_000))
    half = ENCODE[encoding](long)[:90_000]
    head = f"HTTP/1.1 200 OK\r\nContent-Length: 999999\r\nContent-Encoding: {encoding}\r\n\r\n"
    site = await serve(then_close(head.encode() + half))
    policy = Policy(source="page", accepts_partial=True)

    answer = await connect(sandbox_url=site.origin).send(ASK, policy)

    assert 1000 < len(answer.body) < len(long)
    assert long.startswith(answer.body)
    assert answer.problem.cause == "cut"


FORGIVING = Policy(source="page", accepts_partial=True, max_bytes=100_000)
PAGE = b"<!DOCTYPE html><p>" + PLAIN
MISLABELLED = {
    "plain as gzip": ("gzip", PAGE),
    "plain as br": ("br", PAGE),
    "plain as deflate": ("deflate", PAGE),
    "plain as zstd": ("zstd", PAGE),
    "a charset": ("utf-8", PAGE),
    "none": ("none", PAGE),
    "gzip as br": ("br", gzip.compress(PAGE)),
    "zstd as gzip": ("gzip", zstd.compress(PAGE)),
    "gzip without a label": ("", gzip.compress(PAGE)),
    "gzip twice": ("gzip, gzip", gzip.compress(gzip.compress(PAGE))),
    "br in gzip": ("br, gzip", gzip.compress(brotli.compress(PAGE))),
    "zstd in br": ("zstd, br", brotli.compress(zstd.compress(PAGE))),
    "gzip twice, said once": ("gzip", gzip.compress(gzip.compress(PAGE))),
    "gzip once, said twice": ("gzip, gzip", gzip.compress(PAGE)),
    "nothing": ("gzip", b""),
}


@pytest.mark.parametrize("piecewise", [False, True])
@pytest.mark.parametrize("how", MISLABELLED)
async def test_a_page_is_expanded_by_what_it_is(serve, connect, say, how, piecewise):
    label, body = MISLABELLED[how]
    headers = [f"Content-Encoding: {label}"] if label else []
    response = say(200, "Content-Type: text/html", *headers, body=body)
    head = len(response) - len(body)
    pieces = [response[:head], *(body[at : at + 1] for at in range(len(body)))]
    site = await serve(trickle(*pieces) if piecewise else response)

    answer = await connect(sandbox_url=site.origin).send(ASK, FORGIVING)

    assert answer.body == (PAGE if body else b"")


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate", "identity"])
async def test_a_page_with_a_true_label_is_expanded_as_ever(serve, connect, say, encoding):
    site = await serve(say(200, f"Content-Encoding: {encoding}", body=ENCODED[encoding]))

    assert (await connect(sandbox_url=site.origin).send(ASK, FORGIVING)).body == PLAIN


async def test_an_archive_that_was_asked_for_stays_one(serve, connect, say):
    archive = gzip.compress(PLAIN)
    site = await serve(say(200, "Content-Type: application/gzip", body=archive))

    assert (await connect(sandbox_url=site.origin).send(ASK, FORGIVING)).body == archive


async def test_a_page_that_says_it_was_packed_three_times_cannot_be_read(serve, connect, say):
    site = await serve(say(200, "Content-Encoding: gzip, br, gzip", body=b"x"))

    with pytest.raises(BadAnswer) as caught:
        await connect(sandbox_url=site.origin).send(ASK, FORGIVING)

    assert caught.value.cause == "format"


@pytest.mark.parametrize("inner", ["one large part", "many empty parts"])
async def test_a_page_packed_twice_is_bounded_between_the_two(serve, connect, say, inner):
    parts = {
        "one large part": lambda: gzip.compress(b"\0" * 9_000_000),
        "many empty parts": lambda: gzip.compress(b"") * 100_000,
    }
    body = gzip.compress(parts[inner]())
    site = await serve(say(200, "Content-Encoding: gzip, gzip", body=body))

    with pytest.raises(Denied) as caught:
        await connect(sandbox_url=site.origin).send(ASK, FORGIVING)

    assert caught.value.denial.reason == "size_cap_exceeded"


@pytest.mark.parametrize("where", [where for where in CUT if where not in BEGUN])
async def test_no_part_at_all_is_no_answer_whoever_wants_one(serve, connect, where):
    site = await serve(then_close(CUT[where]))

    with pytest.raises(Unavailable) as caught:
        await connect(sandbox_url=site.origin).send(ASK, KEEPING)

    assert caught.value.cause == "cut"


async def test_a_body_that_never_begins_is_late_whoever_wants_a_part(serve, connect):
    site = await serve(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")

    with pytest.raises(Unavailable) as caught:
        await connect(sandbox_url=site.origin).send(ASK, KEEPING)

    assert caught.value.cause == "timeout"


async def test_endless_redirects_share_one_total_limit(serve, connect):
    site = await serve(b"HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 9\r\n\r\n")
    policy = Policy(source="crossref", total_seconds=0.1)

    with pytest.raises(Unavailable) as caught:
        await connect(sandbox_url=site.origin).send(ASK, policy)

    assert caught.value.cause == "slow"


async def test_a_name_that_is_never_resolved_runs_into_the_connect_limit(connect):
    async def resolve(_host):
        await anyio.sleep_forever()

    policy = Policy(source="crossref", connect_seconds=0.05)

    with pytest.raises(Unavailable) as caught:
        await connect(resolve=resolve).send(ASK, policy)

    assert caught.value.cause == "timeout"


async def test_a_refused_connection_is_unavailable(connect):
    client = connect(sandbox_url="http://127.0.0.1:1")

    with pytest.raises(Unavailable) as caught:
        await client.send(ASK, POLICY)

    assert caught.value.cause == "connect"
