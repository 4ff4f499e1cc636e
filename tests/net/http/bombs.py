"""Serves bodies that expand to ten gigabytes, asks for them, and prints what that cost."""

import asyncio
import contextlib
import gzip
import itertools
import json
import resource
import sys
import zlib
from pathlib import Path

import brotli

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from sourcewright.base.errors import Denied
from sourcewright.base.http_messages import Request
from sourcewright.net.http.client import Client
from sourcewright.net.http.exchange import Policy

PART = b"\0" * 10_000_000
TIMES = 1001


def deflate_bomb(head):
    maker = zlib.compressobj(9, zlib.DEFLATED, -15)
    return head, maker.compress(PART) + maker.flush(zlib.Z_FULL_FLUSH)


def brotli_bomb():
    maker = brotli.Compressor(quality=5)
    return maker.process(PART) + maker.flush(), maker.process(PART) + maker.flush()


def bombs():
    return {
        "gzip": deflate_bomb(gzip.compress(b"")[:10]),
        "deflate": deflate_bomb(b"\x78\x9c"),
        "br": brotli_bomb(),
        "zstd": (b"", zstd.compress(PART)),
    }


def expanded(encoding, first, again):
    """Check on two parts that the compressed body expands as it should."""
    if encoding == "br":
        maker = brotli.Decompressor()
        return len(maker.process(first + again + again)) - len(PART)
    if encoding == "zstd":
        return len(zstd.decompress(again + again))
    return len(zlib.decompressobj(31 if encoding == "gzip" else 15).decompress(first + again * 2))


def memory_now():
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


def memory_at_most():
    # Not getrusage, whose mark also remembers the process that this one was forked from.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


async def reason_for(encoding, first, again):
    async def serve(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Encoding: %b\r\n\r\n" % encoding.encode())
        with contextlib.suppress(ConnectionError):
            for part in itertools.chain([first], itertools.repeat(again, TIMES)):
                writer.write(part)
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    client = Client(user_agent="tests", sandbox_url=f"http://127.0.0.1:{port}")
    try:
        await client.send(Request(url="https://bomb.example/"), Policy(source="bomb"))
    except Denied as error:
        reason = error.denial.reason
    await client.aclose()
    server.close()
    return reason


async def main():
    made = bombs()
    before = memory_now()
    reasons = {name: await reason_for(name, *parts) for name, parts in made.items()}
    # The highest mark of all four bounds the cost of each.
    grown = (memory_at_most() - before) / 2**20
    sizes = {name: expanded(name, *parts) // 2 * TIMES for name, parts in made.items()}
    result = {"reasons": reasons, "sizes": sizes, "grown_mebibytes": grown}
    sys.stdout.write(json.dumps(result))


asyncio.run(main())
