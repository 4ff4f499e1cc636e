"""YouTube's caption formats, without repeated lines.

Captions that are made by machine roll: each cue repeats the line before it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from xml.etree.ElementTree import Element

from sourcewright.logic.formats.parsers import parse_xml
from sourcewright.logic.text.plain import shown

MOST_CUES = 50_000
_MOST_LINES, _LONGEST_LINE = 20, 2000
"""Of one cue; what fits on a screen is far less."""
_LATEST_SECONDS = 1_000_000.0
"""No film is so long; a later start is no moment of one."""
_CUE = re.compile(r"(?:([0-9]{1,3}):)?([0-9]{2}):([0-9]{2})[.,]([0-9]{3})\s+-->.*")
_MARKS = re.compile(r"<[^<>]{0,200}>")
_PARAGRAPH_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Cue:
    """What is said from a moment on."""

    start: float
    """In seconds."""
    text: str


def read_captions(body: bytes) -> tuple[Cue, ...]:
    """The cues of a track, in any of its forms, each line once.

    Raises:
        ValueError: It holds none.
    """
    text = body.decode("utf-8-sig")
    cues = _vtt(text) if text.startswith("WEBVTT") else _xml(parse_xml(body))
    found = tuple(_once(cues))
    if not found:
        raise ValueError("the captions are empty")
    return found


def transcript(cues: Iterable[Cue]) -> str:
    """Cues in paragraphs of about half a minute, each with the time at which it begins."""
    paragraphs: list[tuple[float, list[str]]] = []
    for cue in cues:
        if not paragraphs or cue.start >= paragraphs[-1][0] + _PARAGRAPH_SECONDS:
            paragraphs.append((cue.start, []))
        paragraphs[-1][1].append(cue.text)
    return "\n\n".join(f"[{clock_of(start)}] {' '.join(words)}" for start, words in paragraphs)


def clock_of(seconds: float) -> str:
    """`4:05`, or `1:04:05`."""
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"


def _vtt(text: str) -> Iterator[tuple[float, list[str]]]:
    start: float | None = None
    lines: list[str] = []
    for line in text.splitlines():
        found = _CUE.match(line)
        if found is not None:
            if start is not None:
                yield start, lines
            hours, minutes, seconds, thousandths = (int(part or 0) for part in found.groups())
            start, lines = 3600 * hours + 60 * minutes + seconds + thousandths / 1000, []
        elif not line:  # what stands between cues is no caption
            if start is not None and lines:
                yield start, lines
                start = None
        elif start is not None:
            lines.append(line)
    if start is not None:
        yield start, lines


def _xml(root: Element) -> Iterator[tuple[float, list[str]]]:
    """`<text start="1.5">` counts seconds, `<p t="1500">` thousandths of them."""
    if root.tag not in {"transcript", "timedtext"}:
        raise ValueError(f"no captions but {root.tag}")
    for one in root.iter():
        said = "".join(one.itertext())
        if one.tag == "text":
            yield _moment(float(one.attrib["start"])), said.split("\n")
        elif one.tag == "p" and "t" in one.attrib:
            yield _moment(int(one.attrib["t"]) / 1000), said.split("\n")


def _moment(seconds: float) -> float:
    if not 0 <= seconds <= _LATEST_SECONDS:
        raise ValueError(f"no moment of a film: {seconds}")
    return seconds


def _once(cues: Iterable[tuple[float, list[str]]]) -> Iterator[Cue]:
    """Each line that the cue before it did not show already."""
    before: list[str] = []
    for count, (start, raw) in enumerate(cues):
        if count >= MOST_CUES:
            return
        lines = [line for line in map(_plain, raw[:_MOST_LINES]) if line]
        fresh = lines[_overlap(before, lines) :]
        if fresh:
            yield Cue(start, " ".join(fresh))
        before = lines or before


def _overlap(before: list[str], lines: list[str]) -> int:
    """How many of its first lines a cue has from the end of the one before it."""
    most = min(len(before), len(lines))
    return next((n for n in range(most, 0, -1) if before[-n:] == lines[:n]), 0)


def _plain(line: str) -> str:
    return " ".join(shown(_MARKS.sub("", unescape(line[:_LONGEST_LINE]))).split())
