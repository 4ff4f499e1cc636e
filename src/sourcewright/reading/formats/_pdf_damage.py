"""Finds parts of a PDF that were overwritten or lost, however much of it a reader can repair.

Readers rebuild a damaged file from the objects that are left, and show its first pages as if
nothing were missing. What is missing shows in the bytes: runs of zeros, and streams that do not
end where they say.
"""

import re
import zlib

MIN_LOST_SHARE = 0.02
"""Share of the bytes of a file. Valid files from ten producers have none; a stream whose length is
wrong by mistake is one of many."""
MAX_STREAMS = 20_000
"""A book of a thousand pages has as many; what is further in the file is not looked at."""
_SHORTEST_RUN = 1_024
"""Zeros. Compressed data has no such run; metadata is padded with spaces."""
_SLACK = 64
"""Bytes by which programs miscount the length of a stream."""
_DICTIONARY_BYTES = 2_048
_ZEROS = re.compile(rb"\x00+")
_LENGTH = re.compile(rb"/Length\s{1,9}([0-9]{1,10})(?!\s{1,9}[0-9]{1,9}\s{1,9}R|[0-9])")
_OBJECT = re.compile(rb"(?<![0-9])[0-9]{1,9} [0-9]{1,5} obj\b")
_BINARY = re.compile(rb"/(?:Width|Length1|Subtype|Type)\b")
"""Entries of images, fonts and attached files; the content of a page is text."""
_PRINTABLE = bytes([*range(32, 127), 9, 10, 13])
_MAX_UNPRINTABLE = 0.2
_END = b"endstream"
_MAX_INFLATED = 16


def lost_share(body: bytes) -> float:
    """Return the share of a PDF's bytes that were overwritten; 0 for a file of nothing else."""
    begin, end = max(0, body[:1024].find(b"%PDF-")), body.rfind(b"%%EOF")
    if end <= begin:
        return 0.0
    lost, plain = _broken_streams(body, begin, end)
    return min(1.0, (lost + _zeroed(body, begin, end, plain)) / (end - begin))


def _zeroed(body: bytes, begin: int, end: int, plain: list[tuple[int, int]]) -> int:
    """Count the zeros in long runs outside of uncompressed streams, such as bitmaps."""
    count, at = 0, body.find(bytes(_SHORTEST_RUN), begin, end)
    while at >= 0:
        run = _ZEROS.match(body, at, end)
        stop = run.end() if run else at + _SHORTEST_RUN
        if not any(first <= at < last for first, last in plain):
            count += stop - at
        at = body.find(bytes(_SHORTEST_RUN), stop, end)
    return count


def _broken_streams(body: bytes, begin: int, end: int) -> tuple[int, list[tuple[int, int]]]:
    """Count the bytes of streams that were overwritten; list the streams that may hold zeros."""
    lost, plain, at = 0, [], begin
    if b"/Encrypt" in body[-4096:]:
        return 0, []
    for _ in range(MAX_STREAMS):
        start = _next_stream(body, at, end)
        if start is None:
            break
        dictionary = body[max(begin, start - _DICTIONARY_BYTES) : start]
        dictionary = dictionary[dictionary.rfind(b" obj") + 1 :]
        length = _LENGTH.search(dictionary)
        stop = start + int(length[1]) if length else -1
        if not 0 <= stop <= end or not body[stop : stop + 32].lstrip().startswith(_END):
            stop, is_lost = _searched_end(body, (start, end), stop, dictionary)
            lost += stop - start if is_lost else 0
        elif b"/Filter" not in dictionary and _BINARY.search(dictionary):
            plain.append((start, stop))
        at = stop
    return lost, plain


def _searched_end(
    body: bytes, span: tuple[int, int], declared: int, dictionary: bytes
) -> tuple[int, bool]:
    """Return the end of a stream that does not end where it says, and whether data is lost.

    The length may be in another object, or wrong by mistake.
    """
    start, end = span
    mark = body.find(_END, start, end)
    last = mark if mark >= 0 else end
    following = _OBJECT.search(body, start, last) if body.find(b" obj", start, last) >= 0 else None
    if following or mark < 0:
        return (following.start() if following else end), True
    is_plausible = declared < 0 or abs(mark - declared) <= _SLACK
    return mark, not (is_plausible or _is_readable(body[start:mark], dictionary))


def _is_readable(data: bytes, dictionary: bytes) -> bool:
    """Whether the data of a stream is what its dictionary says, as far as that can be told."""
    if b"/Filter" in dictionary:
        return b"/FlateDecode" not in dictionary or _is_inflatable(data)
    unprintable = len(data.translate(None, _PRINTABLE))
    return bool(_BINARY.search(dictionary)) or unprintable < _MAX_UNPRINTABLE * len(data)


def _is_inflatable(data: bytes) -> bool:
    """Whether compressed data can be decompressed, as far as its first mebibytes."""
    inflater, left = zlib.decompressobj(), data
    try:
        for _ in range(_MAX_INFLATED):
            if inflater.eof or not left:
                return True
            inflater.decompress(left, 1 << 20)
            left = inflater.unconsumed_tail
    except zlib.error:
        return False
    return True


def _next_stream(body: bytes, at: int, end: int) -> int | None:
    """Return where the data of the next stream starts."""
    place = body.find(b"stream", at, end)
    while place >= 0 and body[place - 3 : place] == b"end":
        place = body.find(b"stream", place + 6, end)
    if place < 0:
        return None
    data = place + 6
    return min(end, data + (2 if body[data : data + 2] == b"\r\n" else 1))
