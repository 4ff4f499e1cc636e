"""Reads a response body under limits: size while streaming and after decompression, time."""

import importlib
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

import anyio.lowlevel

from sourcewright.domain.errors import BadAnswer, Denial, Denied, Unavailable
from sourcewright.net.exchange import Policy
from sourcewright.net.large_bodies import LARGE, LargeBodies

_PIECE = 64 * 1024
_PIECES_AT_ONCE = 16
# What stored blocks and headers add to data that compression cannot shrink.
_OVERHEAD = 64 * 1024
# The largest window that a zstd body on the web may ask for: 2 ** 23 bytes (RFC 9659).
_ZSTD_WINDOW_LOG = 23


class Unreadable(Exception):
    """The bytes are not what their encoding says."""


class Decoder(Protocol):
    """Turns encoded bytes into plain ones, never many at a time."""

    @property
    def finished(self) -> bool:
        """Whether the encoded stream may end here."""
        ...

    def feed(self, data: bytes) -> Iterator[bytes]: ...


class Plain:
    """No encoding at all."""

    finished = True

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield data


class Deflated:
    """Gzip with any number of members, or deflate with or without its zlib wrapping."""

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
            raise Unreadable(str(error)) from error

    def _inflate(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._inflater.eof:
                # Padding after the last member is common and means nothing.
                if not self._gzip or not data.startswith(b"\x1f"):
                    return
                self._inflater = zlib.decompressobj(31)
            yield self._inflater.decompress(data, _PIECE)
            data = self._inflater.unconsumed_tail or self._inflater.unused_data
            while not data and not self._inflater.eof:
                piece = self._inflater.decompress(b"", _PIECE)
                if not piece:
                    return
                yield piece


class Brotli:
    """Brotli, through a decompressor that can be held back."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._decompressor = module.Decompressor()

    @property
    def finished(self) -> bool:
        return bool(self._decompressor.is_finished())

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            piece = self._decompressor.process(data, output_buffer_limit=_PIECE)
            while piece:
                yield piece
                piece = self._decompressor.process(b"", output_buffer_limit=_PIECE)
        except self._module.error as error:
            raise Unreadable(str(error)) from error


class Zstandard:
    """Zstandard with any number of frames and a window of bounded size."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._decompressor = self._fresh()

    def _fresh(self) -> Any:
        limit = {self._module.DecompressionParameter.window_log_max: _ZSTD_WINDOW_LOG}
        return self._module.ZstdDecompressor(options=limit)

    @property
    def finished(self) -> bool:
        return bool(self._decompressor.eof)

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            yield from self._expand(data)
        except self._module.ZstdError as error:
            raise Unreadable(str(error)) from error

    def _expand(self, data: bytes) -> Iterator[bytes]:
        while data or not (self._decompressor.eof or self._decompressor.needs_input):
            if self._decompressor.eof:
                self._decompressor = self._fresh()
            yield self._decompressor.decompress(data, _PIECE)
            data = self._decompressor.unused_data if self._decompressor.eof else b""


@cache
def decoders() -> Mapping[str, Callable[[], Decoder]]:
    """The encodings that can be expanded within bounds here, the best first."""
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
    """What to offer: nothing that a server could use to flood us."""
    return ", ".join(name for name in decoders() if not name.startswith("x-"))


def decoder_for(header: str, source: str) -> Decoder:
    """Choose how to expand a body.

    Raises:
        BadAnswer: It is encoded twice, or in a way that cannot be bounded.
    """
    names = [name for part in header.split(",") if (name := part.strip().lower())]
    names = [name for name in names if name != "identity"]
    if not names:
        return Plain()
    if len(names) > 1 or names[0] not in decoders():
        shown = ", ".join(names)[:80]
        raise BadAnswer(source, f"sent a body encoded as {shown!r}", cause="format")
    return decoders()[names[0]]()


@dataclass(slots=True, kw_only=True)
class Gathering:
    """A body on its way in, judged as it grows."""

    policy: Policy
    decoder: Decoder
    expects_magic: bool
    bodies: LargeBodies = field(default_factory=LargeBodies)
    raw_bytes: int = 0
    kept: bytearray = field(default_factory=bytearray)
    _leave: Callable[[], None] | None = None

    async def read(self, chunks: AsyncIterator[bytes]) -> bytes:
        """Give the whole body.

        Raises:
            Denied: It is too large, or does not begin as it must.
            BadAnswer: It is not encoded as it says.
            Unavailable: It ends too early.
        """
        try:
            async for chunk in chunks:
                await self._take(chunk)
        finally:
            if self._leave is not None:
                self._leave()
        if self.raw_bytes and not self.decoder.finished:
            raise Unavailable(self.policy.source, "the answer was cut short", cause="cut")
        self._check_magic(whole=True)
        return bytes(self.kept)

    async def _take(self, chunk: bytes) -> None:
        self.raw_bytes += len(chunk)
        check_size(self.raw_bytes, self.policy, slack=_OVERHEAD)
        try:
            for at, piece in enumerate(self.decoder.feed(chunk), start=1):
                self._keep(piece)
                if self._leave is None and len(self.kept) > LARGE:
                    self._leave = await self.bodies.enter()
                if at % _PIECES_AT_ONCE == 0:  # others have their turn while little becomes much
                    await anyio.lowlevel.checkpoint()
        except Unreadable as error:
            message = f"the body is not encoded as it says ({error})"
            raise BadAnswer(self.policy.source, message, cause="format") from error

    def _keep(self, piece: bytes) -> None:
        begins, size = not self.kept, len(self.kept) + len(piece)
        self.kept += piece[: self.policy.max_bytes - len(self.kept)]
        check_size(size, self.policy)
        if begins:
            self._check_magic(whole=False)

    def _check_magic(self, *, whole: bool) -> None:
        magic = self.policy.magic
        if not self.expects_magic or magic is None:
            return
        begun = bytes(self.kept[: len(magic)])
        if begun == magic or (not whole and magic.startswith(begun)):
            return
        source, expected = self.policy.source, magic.decode("latin-1")
        denial = Denial(
            reason="content_type_mismatch",
            source=source,
            attempted=begun.hex(),
            expected=(expected,),
        )
        raise Denied(f"{source}: the body begins with {begun.hex()}, not {expected!r}", denial)


def check_size(actual: int, policy: Policy, *, slack: int = 0) -> None:
    """Hold a body, or the promise of one, against the cap.

    Raises:
        Denied: It is too large.
    """
    if actual > policy.max_bytes + slack:
        message = (
            f"{policy.source}: the body has {actual} bytes or more, the cap is {policy.max_bytes}"
        )
        denial = Denial(
            reason="size_cap_exceeded", source=policy.source, cap=policy.max_bytes, actual=actual
        )
        raise Denied(message, denial)


def check_promise(content_length: str, policy: Policy, *, encoded: bool) -> None:
    """Refuse a body that says beforehand that it is too large.

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
