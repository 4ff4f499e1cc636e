"""Reads a response body under limits on size, before and after decompression, and magic bytes."""

import importlib
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from typing import Any, Protocol

import anyio.lowlevel

from sourcewright.base.errors import BadAnswer, Denial, Denied, Unavailable
from sourcewright.net.http.exchange import Policy
from sourcewright.net.http.large_bodies import LARGE_BYTES, LargeBodies

_PIECE_BYTES = 64 * 1024
_PIECES_PER_TURN = 16
# What headers and stored blocks add to data that does not compress.
_OVERHEAD = 64 * 1024
# The largest window a zstd body on the web may require: 2 ** 23 bytes (RFC 9659).
_ZSTD_WINDOW_LOG = 23


class BadEncoding(Exception):
    """The bytes are not valid in their content encoding."""


class Decoder(Protocol):
    """Decodes a content encoding in pieces of bounded size."""

    @property
    def finished(self) -> bool:
        """Whether the encoded stream may end here."""
        ...

    def feed(self, data: bytes) -> Iterator[bytes]: ...


class Plain:
    """No content encoding."""

    finished = True

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield data


class Deflated:
    """Gzip with any number of members, or deflate with or without a zlib header."""

    def __init__(self, *, gzip: bool) -> None:
        self._gzip = gzip
        self._inflater: Any = zlib.decompressobj(31) if gzip else None
        self._head = b""

    @property
    def finished(self) -> bool:
        return self._inflater is not None and bool(self._inflater.eof)

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._inflater is None:
            self._head += data
            if len(self._head) < 2:
                return
            data, self._head = self._head, b""
            self._inflater = zlib.decompressobj(15 if _has_zlib_header(data) else -15)
        try:
            yield from self._inflate(data)
        except zlib.error as error:
            raise BadEncoding(str(error)) from error

    def _inflate(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._inflater.eof:
                # Padding after the last member is common; ignore it.
                if not self._gzip or not data.startswith(b"\x1f"):
                    return
                self._inflater = zlib.decompressobj(31)
            yield self._inflater.decompress(data, _PIECE_BYTES)
            data = self._inflater.unconsumed_tail or self._inflater.unused_data
            while not data and not self._inflater.eof:
                piece = self._inflater.decompress(b"", _PIECE_BYTES)
                if not piece:
                    return
                yield piece


class Brotli:
    """Brotli, with a decompressor that limits the output of each step."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._decompressor = module.Decompressor()

    @property
    def finished(self) -> bool:
        return bool(self._decompressor.is_finished())

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            piece = self._decompressor.process(data, output_buffer_limit=_PIECE_BYTES)
            while piece:
                yield piece
                piece = self._decompressor.process(b"", output_buffer_limit=_PIECE_BYTES)
        except self._module.error as error:
            raise BadEncoding(str(error)) from error


class Zstandard:
    """Zstandard with any number of frames and a limited window."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._decompressor = self._new_decompressor()

    def _new_decompressor(self) -> Any:
        limit = {self._module.DecompressionParameter.window_log_max: _ZSTD_WINDOW_LOG}
        return self._module.ZstdDecompressor(options=limit)

    @property
    def finished(self) -> bool:
        return bool(self._decompressor.eof)

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            yield from self._expand(data)
        except self._module.ZstdError as error:
            raise BadEncoding(str(error)) from error

    def _expand(self, data: bytes) -> Iterator[bytes]:
        while data or not (self._decompressor.eof or self._decompressor.needs_input):
            if self._decompressor.eof:
                self._decompressor = self._new_decompressor()
            yield self._decompressor.decompress(data, _PIECE_BYTES)
            data = self._decompressor.unused_data if self._decompressor.eof else b""


@cache
def decoders() -> Mapping[str, Callable[[], Decoder]]:
    """Decoders by encoding name, preferred first; only those whose output can be bounded."""
    known: dict[str, Callable[[], Decoder]] = {}
    zstd = _import_first("compression.zstd", "backports.zstd")
    if zstd:
        known["zstd"] = lambda: Zstandard(zstd)
    brotli = _import_first("brotli")
    if brotli and hasattr(brotli.Decompressor, "can_accept_more_data"):
        known["br"] = lambda: Brotli(brotli)
    known["gzip"] = known["x-gzip"] = lambda: Deflated(gzip=True)
    known["deflate"] = lambda: Deflated(gzip=False)
    return known


def accept_encoding() -> str:
    """The Accept-Encoding header: only encodings whose output can be bounded."""
    return ", ".join(name for name in decoders() if not name.startswith("x-"))


def decoder_for(header: str, source: str) -> Decoder:
    """The decoder for a Content-Encoding header.

    Raises:
        BadAnswer: The body is encoded twice, or in an unsupported encoding.
    """
    names = [name for part in header.split(",") if (name := part.strip().lower())]
    names = [name for name in names if name != "identity"]
    if not names:
        return Plain()
    if len(names) > 1 or names[0] not in decoders():
        label = ", ".join(names)[:80]
        raise BadAnswer(source, f"unsupported content encoding {label!r}", cause="format")
    return decoders()[names[0]]()


class KeptBytes:
    """The bytes of a body; at its end they are handed over without being copied."""

    def __init__(self) -> None:
        self._buffer = BytesIO()
        self._length = 0

    def append(self, piece: bytes) -> None:
        self._length += self._buffer.write(piece)

    def start(self, length: int) -> bytes:
        return bytes(self._buffer.getbuffer()[:length])

    def __len__(self) -> int:
        return self._length

    def __bytes__(self) -> bytes:
        return self._buffer.getvalue()


@dataclass(slots=True, kw_only=True)
class BodyReader:
    """Collects a body and checks its limits as it grows."""

    policy: Policy
    decoder: Decoder
    expects_magic: bool
    bodies: LargeBodies = field(default_factory=LargeBodies)
    raw_bytes: int = 0
    buffer: KeptBytes = field(default_factory=KeptBytes)
    _release: Callable[[], None] | None = None

    async def read(self, chunks: AsyncIterator[bytes]) -> bytes:
        """Read the whole body.

        Raises:
            Denied: It is too large, or lacks the required magic bytes.
            BadAnswer: It is not valid in its content encoding.
            Unavailable: It was cut off.
        """
        try:
            async for chunk in chunks:
                await self._add_chunk(chunk)
        finally:
            if self._release is not None:
                self._release()
        if self.raw_bytes and not self.decoder.finished:
            raise Unavailable(self.policy.source, "the response was truncated", cause="cut")
        self._check_magic(whole=True)
        return bytes(self.buffer)

    async def _add_chunk(self, chunk: bytes) -> None:
        self.raw_bytes += len(chunk)
        check_size(self.raw_bytes, self.policy, slack=_OVERHEAD)
        try:
            for at, piece in enumerate(self.decoder.feed(chunk), start=1):
                self._add_piece(piece)
                if self._release is None and len(self.buffer) > LARGE_BYTES:
                    self._release = await self.bodies.enter()
                # A small chunk may decompress to a lot: let other tasks run.
                if at % _PIECES_PER_TURN == 0:
                    await anyio.lowlevel.checkpoint()
        except BadEncoding as error:
            message = f"the body does not match its content encoding ({error})"
            raise BadAnswer(self.policy.source, message, cause="format") from error

    def _add_piece(self, piece: bytes) -> None:
        before, size = len(self.buffer), len(self.buffer) + len(piece)
        self.buffer.append(piece[: self.policy.max_bytes - len(self.buffer)])
        check_size(size, self.policy)
        if before <= self.policy.magic_within:
            self._check_magic(whole=False)

    def _check_magic(self, *, whole: bool) -> None:
        magic = self.policy.magic
        if not self.expects_magic or magic is None:
            return
        reach = self.policy.magic_within + len(magic)
        start = self.buffer.start(reach)
        if magic in start:
            return
        may_follow = self.policy.magic_within or magic.startswith(start)
        if not whole and len(start) < reach and may_follow:
            return
        source, expected = self.policy.source, magic.decode("latin-1")
        denial = Denial(
            reason="content_type_mismatch",
            source=source,
            attempted=start[: len(magic)].hex(),
            expected=(expected,),
        )
        raise Denied(
            f"{source}: the body begins with {start[: len(magic)].hex()}, not {expected!r}", denial
        )


def check_size(actual: int, policy: Policy, *, slack: int = 0) -> None:
    """Check a size, actual or announced, against the policy's limit.

    Raises:
        Denied: It is too large.
    """
    if actual > policy.max_bytes + slack:
        message = f"{policy.source}: the body has at least {actual} bytes; the limit is {policy.max_bytes}"
        denial = Denial(
            reason="size_cap_exceeded", source=policy.source, cap=policy.max_bytes, actual=actual
        )
        raise Denied(message, denial)


def check_content_length(content_length: str, policy: Policy, *, encoded: bool) -> None:
    """Refuse a body whose Content-Length is already too large.

    Raises:
        Denied: It is too large.
    """
    if content_length.isascii() and content_length.isdecimal() and len(content_length) < 20:
        check_size(int(content_length), policy, slack=_OVERHEAD if encoded else 0)


def _has_zlib_header(data: bytes) -> bool:
    return data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0


def _import_first(*names: str) -> Any:
    for name in names:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None
