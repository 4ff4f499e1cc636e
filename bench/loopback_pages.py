"""A web server on loopback with one page of scripts and pictures, made to cost little itself."""

import asyncio
import struct
import sys
import zlib

SCRIPTS, PICTURES = 15, 15


def _picture() -> bytes:
    rows = b"".join(b"\0" + bytes((x * y) % 256 for x in range(192)) for y in range(64))
    size = struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", size), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )


_SCRIPT = (
    b"addEventListener('DOMContentLoaded', () => { const p = document.createElement('p');"
    b" p.textContent = 'a part'; document.body.append(p); });" + b"// padding\n" * 2000
)
_BODIES = {
    b"/": (
        b"text/html; charset=utf-8",
        (
            "<!doctype html><html><head><title>Parts</title>"
            + "".join(f"<script src=/{n}.js></script>" for n in range(SCRIPTS))
            + "</head><body>"
            + "".join(f"<img src=/{n}.png>" for n in range(PICTURES))
            + "</body></html>"
        ).encode(),
    ),
    b"js": (b"text/javascript", _SCRIPT),
    b"png": (b"image/png", _picture()),
}


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split(b" ", 2)[1]
            found = _BODIES.get(path) or _BODIES.get(path.rpartition(b".")[2])
            kind, body = found or (b"text/plain", b"nothing")
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: %b\r\nContent-Length: %d\r\n\r\n%b"
                % (kind, len(body), body)
            )
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def _serve() -> None:
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve())
