"""Records real commands in the simulated world: the README's output, and the terminal as SVG.

Messages about progress are left out; the day of the check and the temporary folder are
replaced, because they differ each time.
"""

import argparse
import fcntl
import html
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sourcewright.settings.process import environment_with, sandbox_overrides
from sourcewright.world.internet import World

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PICTURE = ROOT / "docs" / "pictures" / "terminal.svg"
COLUMNS = 80
DAY = "2026-11-17"
_PROGRESS = ("querying ", "waiting ", "fetching ")
_COLOUR = re.compile(r"\x1b\[([0-9;]*)m")
_SECTION = re.compile(r"(<!-- output: [^>]*-->\n```\n).*?(```\n<!-- end of output -->)", re.DOTALL)


class Scene(NamedTuple):
    """One command, and which lines of its output the README shows."""

    words: tuple[str, ...]
    shown: tuple[str, ...]
    """How those lines begin, without their indent."""
    down: str | None = None
    """A host that does not answer meanwhile."""
    remark: str = ""


UNREGISTERED = "10.5555/never-registered-2019"
SCENES = (
    Scene(("resolve", "10.5555/retracted-paper"), ("Harbour bells cure insomnia", "RETRACTED")),
    Scene(("resolve", UNREGISTERED), ("error[NOT_FOUND]", "datacite and doi_org answered")),
    Scene(
        ("resolve", UNREGISTERED),
        ("error[NETWORK_ERROR]", "crossref: HTTP 503"),
        down="api.crossref.org",
        remark="  # while Crossref is down",
    ),
    Scene(
        ("fetch", "10.5555/wrong-file"),
        ("pdf ", "file is not this paper"),
    ),
)


class Take(NamedTuple):
    """One command as it was typed, and the lines that it printed, with colours."""

    typed: str
    lines: tuple[str, ...]


def record() -> list[Take]:
    """Run every scene in one simulated world."""
    with tempfile.TemporaryDirectory(prefix="sourcewright-") as folder, World() as world:
        environment = environment_with(
            {
                **sandbox_overrides(world.url, folder),
                "SOURCEWRIGHT_SANDBOX_PACE": "0",
                "XDG_CONFIG_HOME": folder,
                "HOME": folder,
                "TERM": "xterm-256color",
                "FORCE_COLOR": "1",
                "NO_COLOR": "",
                "COLUMNS": "",
            }
        )
        takes = []
        for scene in SCENES:
            if scene.down:
                world.breaks(scene.down, status=503)
            printed = _on_terminal(scene.words, environment).replace(folder, "~")
            world.mends()
            dated = re.sub(r"checked \d{4}-\d\d-\d\d", f"checked {DAY}", printed)
            takes.append(
                Take(f"$ sourcewright {' '.join(scene.words)}{scene.remark}", _lines(dated))
            )
        return takes


def _lines(printed: str) -> tuple[str, ...]:
    """The lines without those about progress."""
    lines = printed.replace("\r\n", "\n").rstrip("\n").split("\n")
    return tuple(line for line in lines if not plain(line).startswith(_PROGRESS))


def _on_terminal(words: Sequence[str], environment: dict[str, str]) -> str:
    """What a command prints on a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "sourcewright", *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    printed = bytearray()
    try:
        while part := os.read(ours, 65536):
            printed += part
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(ours)
    process.wait(timeout=60)
    return printed.decode()


def plain(line: str) -> str:
    return _COLOUR.sub("", line)


def excerpt(takes: Sequence[Take]) -> str:
    """The lines that the README shows.

    Raises:
        LookupError: A command no longer prints one of them.
    """
    shown: list[str] = []
    for take, scene in zip(takes, SCENES, strict=True):
        lines = [plain(line) for line in take.lines]
        shown.append(take.typed)
        for start in scene.shown:
            matching = [line for line in lines if line.strip().startswith(start)]
            if len(matching) != 1:
                raise LookupError(f"{take.typed}: {start!r} is in {len(matching)} lines")
            shown += matching
    return "".join(f"{line.rstrip()}\n" for line in shown)


_LINE_HEIGHT, _CHARACTER, _MARGIN = 18, 8.4, 16
_STYLES = {
    "1": ("font-weight", "bold"),
    "2": ("fill", "#8b949e"),
    "31": ("fill", "#ff7b72"),
    "32": ("fill", "#7ee787"),
    "33": ("fill", "#e3b341"),
}


def picture(takes: Sequence[Take]) -> str:
    """The terminal as SVG, which needs no font and no script."""
    rows: list[str] = []
    for take in takes:
        rows += [f'<tspan fill="#79c0ff">{_text(take.typed)}</tspan>']
        rows += ["".join(_spans(line)) for line in take.lines] + [""]
    width = round(COLUMNS * _CHARACTER + 2 * _MARGIN)
    height = len(rows) * _LINE_HEIGHT + 2 * _MARGIN - _LINE_HEIGHT
    text = "\n".join(
        f'<text x="{_MARGIN}" y="{_MARGIN + _LINE_HEIGHT * at + 13}">{row}</text>'
        for at, row in enumerate(rows)
        if row
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">\n'
        f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>\n'
        '<g fill="#e6edf3" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"'
        ' font-size="14">\n'
        f"{text}\n</g>\n</svg>\n"
    )


def _spans(line: str) -> Iterator[str]:
    """The parts of a line, each with its colour."""
    style: dict[str, str] = {}
    for at, part in enumerate(_COLOUR.split(line)):
        if at % 2:
            codes = part.split(";")
            style = {} if codes in ([""], ["0"]) else style
            style |= dict(_STYLES[code] for code in codes if code in _STYLES)
        elif part:
            attributes = "".join(f' {name}="{value}"' for name, value in style.items())
            text = _text(part)
            yield f"<tspan{attributes}>{text}</tspan>" if attributes else text


def _text(part: str) -> str:
    """Text for SVG, with spaces that no viewer joins."""
    return html.escape(part, quote=False).replace(" ", "\u00a0")


def with_output(readme: str, output: str) -> str:
    """The README with this output."""
    return _SECTION.sub(lambda match: f"{match[1]}{output}{match[2]}", readme)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.parse_args()
    takes = record()
    README.write_text(
        with_output(README.read_text(encoding="utf-8"), excerpt(takes)), encoding="utf-8"
    )
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(takes), encoding="utf-8")
    print(f"wrote {README.name} and {PICTURE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
