"""`sourcewright read`: a page or a document as Markdown."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from sourcewright.cli import calling, render
from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.pages import Visit
from sourcewright.domain.readings import Reading
from sourcewright.logic.markdown.sections import outline_of, part_of, section_of

_MOST_BYTES = 5_000_000
_MOST_FILE_BYTES = 50 * 1024 * 1024


@click.command("read")
@click.argument("place", metavar="URL|FILE")
@click.option("--section", metavar="NAME", help="Only the section under this heading.")
@click.option("--max-length", type=click.IntRange(1), metavar="N", help="At most so many bytes.")
@click.option(
    "--offset", type=click.IntRange(0), default=0, metavar="N", help="From this byte on."
)
@click.option("--raw", is_flag=True, help="As it is served, with nothing made of it.")
@click.option("--json", "as_json", is_flag=True, help="Print the structured result.")
def command(place: str, as_json: bool, raw: bool, **wanted: Any) -> int:
    """Read a page or a document as Markdown.

    A file is read on this machine and sent nowhere.
    The text goes to the output, through a pager where it is a terminal and the text is long;
    what it is and where it comes from goes to the error stream, so that a pipe has the text alone.
    The exit code is 1 when it could not be had or has no text, 2 for an address, a file or a
    section that there cannot be, and 3 when the page lets nobody in.

    \b
    Example:
      sourcewright read https://en.wikipedia.org/wiki/Tide --section History
      sourcewright read paper.pdf | less
      sourcewright read https://example.org/data.json --raw
    """
    wanted["max_length"] = wanted["max_length"] or _MOST_BYTES
    if "://" in place:
        return _page(place, wanted, raw=raw, as_json=as_json)
    return _file(_path(place, raw=raw), wanted, as_json=as_json)


def _page(url: str, wanted: Mapping[str, Any], *, raw: bool, as_json: bool) -> int:
    given = {name: value for name, value in wanted.items() if value is not None}
    mode = "raw" if raw else "full"

    async def work(application: Any) -> tuple[Any, str | None]:
        asked = {"url": url, "mode": mode, **given}
        result = await calling.ask(application, "scrape_page", asked, progress=calling.tell)
        link = result.structured.get("resource")
        # At a terminal there is nobody to follow a link, so it is followed here.
        text = (await application.views().read(link))[1] if link and not as_json else None
        return result, text

    result, body = calling.run(work)
    page = result.structured
    if as_json:
        render.data(page)
        return render.exit_code(page)
    if result.is_error:
        return render.failure(page)
    _head(page.get("metadata") or {}, url)
    _tell(page, cached=result.meta.get("ageSeconds"))
    render.reading(body if body is not None else page["content"], as_it_is=raw)
    return 0


def _path(place: str, *, raw: bool) -> Path:
    path = Path(place)
    if raw:
        raise click.UsageError("--raw is for addresses; a file can be read as it is already")
    if not path.is_file():
        there = "is no file" if path.exists() else "is neither a file here nor a web address"
        raise click.UsageError(f"{place} {there}")
    if path.stat().st_size > _MOST_FILE_BYTES:
        raise click.UsageError(f"{place} has more than {_MOST_FILE_BYTES} bytes")
    return path


def _file(path: Path, wanted: Mapping[str, Any], *, as_json: bool) -> int:
    try:
        body = path.read_bytes()
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {error.strerror}") from error
    url = path.absolute().as_uri()
    visit = Visit(body=body, url=url, content_type="", manner="plain")
    try:
        reading: Reading = calling.run(
            lambda application: application.services.documents.read(visit)
        )
    except BadAnswer as error:
        raise click.ClickException(f"{path}: {error.detail}") from error
    page = _told(reading, path, wanted)
    if as_json:
        render.data(page)
        return 0
    _head(page["metadata"], str(path))
    _tell(page)
    render.reading(page["content"])
    return 0


def _told(reading: Reading, path: Path, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """What was read of a file, by the names that the tool has for it."""
    content = reading.content
    if wanted["section"] is not None:
        found = section_of(content, wanted["section"])
        if found is None:
            names = ", ".join(one.text for one in outline_of(content, most=30)) or "none"
            name = json.dumps(wanted["section"], ensure_ascii=False)
            raise click.UsageError(f"{path} has no heading {name}; it has {names}")
        content = found
    part = part_of(content, offset=wanted["offset"], most=wanted["max_length"])
    said = {"author": reading.author or "", "published": reading.published}
    return {
        "file": str(path),
        "content": part.text,
        "contentType": reading.kind,
        "contentLength": len(part.text.encode()),
        "truncated": part.next_offset is not None or reading.cut,
        **({} if part.next_offset is None else {"nextOffset": part.next_offset}),
        "extractionQuality": reading.quality,
        "metadata": {"title": reading.title or "", **said},
    }


def _head(known: Mapping[str, Any], source: str) -> None:
    day = (known.get("published") or "")[:10]
    by = ", ".join(text for text in (known.get("author"), day) if text)
    for words in (known.get("title"), by, source):
        if words:
            render.status(words)


def _tell(page: Mapping[str, Any], *, cached: int | None = None) -> None:
    if cached is not None:
        render.status(f"read {cached} s ago, and given from the cache")
    if page.get("extractionQuality") == "partial":
        render.status("this may be a part of the page only: it shows more in a browser")
    if (status := page.get("retractionStatus")) is not None:
        render.status(f"recorded against {page['detectedDoi']}: {status['kind']}")
    if page.get("retractionUnchecked"):
        render.status(f"{page['detectedDoi']} could not be checked for retractions")
    if "nextOffset" in page:
        render.status(f"there is more: go on with --offset {page['nextOffset']}")
    elif page.get("truncated"):
        render.status("a limit ended the text before its end")
