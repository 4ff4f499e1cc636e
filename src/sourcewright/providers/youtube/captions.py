"""Parses YouTube's caption formats, and removes repeated lines.

Automatic captions roll: each cue repeats the last line of the one before.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from xml.etree.ElementTree import Element

from sourcewright.base.formats.parsers import parse_xml
from sourcewright.base.text.plain import strip_invisible

MAX_CUES = 50_000
_MOST_LINES, _LONGEST_LINE = 20, 2000
"""Limits of one cue, far above what fits on a screen."""
_LATEST_SECONDS = 1_000_000.0
"""A start time beyond this (11 days) is invalid."""
_CUE = re.compile(r"(?:([0-9]{1,3}):)?([0-9]{2}):([0-9]{2})[.,]([0-9]{3})\s+-->.*")
_TAGS = re.compile(r"<[^<>]{0,200}>")
_PARAGRAPH_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Cue:
    """A caption text with its start time."""

    start: float
    """In seconds."""
    text: str


def read_captions(body: bytes) -> tuple[Cue, ...]:
    """Parse a caption track (WebVTT or XML), without repeated lines.

    Raises:
        ValueError: It is empty.
    """
    text = body.decode("utf-8-sig")
    cues = _vtt(text) if text.startswith("WEBVTT") else _xml(parse_xml(body))
    unique = tuple(_without_repeats(cues))
    if not unique:
        raise ValueError("the captions are empty")
    return unique


def transcript(cues: Iterable[Cue]) -> str:
    """Cues in paragraphs of about 30 seconds, each with its start time."""
    paragraphs: list[tuple[float, list[str]]] = []
    for cue in cues:
        if not paragraphs or cue.start >= paragraphs[-1][0] + _PARAGRAPH_SECONDS:
            paragraphs.append((cue.start, []))
        paragraphs[-1][1].append(cue.text)
    return "\n\n".join(f"[{format_time(start)}] {' '.join(words)}" for start, words in paragraphs)


def format_time(seconds: float) -> str:
    """`4:05`, or `1:04:05`."""
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"


def _vtt(text: str) -> Iterator[tuple[float, list[str]]]:
    start: float | None = None
    lines: list[str] = []
    for line in text.splitlines():
        match = _CUE.match(line)
        if match is not None:
            if start is not None:
                yield start, lines
            hours, minutes, seconds, thousandths = (int(part or 0) for part in match.groups())
            start, lines = 3600 * hours + 60 * minutes + seconds + thousandths / 1000, []
        elif not line:  # text between cues is not a caption
            if start is not None and lines:
                yield start, lines
                start = None
        elif start is not None:
            lines.append(line)
    if start is not None:
        yield start, lines


def _xml(root: Element) -> Iterator[tuple[float, list[str]]]:
    """Cues of `<text start="1.5">` in seconds, or `<p t="1500">` in milliseconds."""
    if root.tag not in {"transcript", "timedtext"}:
        raise ValueError(f"expected captions, got {root.tag}")
    for one in root.iter():
        text = "".join(one.itertext())
        if one.tag == "text":
            yield _valid_start(float(one.attrib["start"])), text.split("\n")
        elif one.tag == "p" and "t" in one.attrib:
            yield _valid_start(int(one.attrib["t"]) / 1000), text.split("\n")


def _valid_start(seconds: float) -> float:
    if not 0 <= seconds <= _LATEST_SECONDS:
        raise ValueError(f"not a valid video timestamp: {seconds}")
    return seconds


def _without_repeats(cues: Iterable[tuple[float, list[str]]]) -> Iterator[Cue]:
    """Cues without the lines that the previous cue already showed."""
    previous: list[str] = []
    for count, (start, raw_lines) in enumerate(cues):
        if count >= MAX_CUES:
            return
        lines = [line for line in map(_plain, raw_lines[:_MOST_LINES]) if line]
        new = lines[_overlap(previous, lines) :]
        if new:
            yield Cue(start, " ".join(new))
        previous = lines or previous


def _overlap(previous: list[str], lines: list[str]) -> int:
    """Number of lines at the start of a cue that repeat the end of the previous one."""
    most = min(len(previous), len(lines))
    return next((n for n in range(most, 0, -1) if previous[-n:] == lines[:n]), 0)


def _plain(line: str) -> str:
    return " ".join(strip_invisible(_TAGS.sub("", unescape(line[:_LONGEST_LINE]))).split())
