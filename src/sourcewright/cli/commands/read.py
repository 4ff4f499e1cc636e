"""`sourcewright read`: read a page or a local document as Markdown."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from sourcewright.base.errors import BadAnswer
from sourcewright.base.pages import FetchedDocument
from sourcewright.cli import options, render, tool_calls
from sourcewright.reading.markdown.sections import outline_of, section_of, slice_text
from sourcewright.reading.readings import Reading

_MOST_BYTES = 5_000_000
_MOST_FILE_BYTES = 50 * 1024 * 1024


@click.command("read")
@click.argument("place", metavar="URL|FILE")
@click.option("--section", metavar="NAME", help="Print only the section under this heading.")
@click.option("--max-length", type=click.IntRange(1), metavar="N", help="Maximum number of bytes.")
@click.option(
    "--offset", type=click.IntRange(0), default=0, metavar="N", help="Start at this byte."
)
@click.option("--raw", is_flag=True, help="Print the response body unchanged.")
@options.as_json
def command(place: str, as_json: bool, raw: bool, **options: Any) -> int:
    """Read a page or a document as Markdown.

    A local file is read on this machine and not sent anywhere.
    The text is written to standard output, through a pager if that is a terminal and the text
    is long; its title and origin are written to standard error.
    The exit code is 1 if the page could not be read or has no text, 2 for an invalid URL, file
    or section, and 3 if access to the page was refused.

    \b
    Example:
      sourcewright read https://en.wikipedia.org/wiki/Tide --section History
      sourcewright read paper.pdf | less
      sourcewright read https://example.org/data.json --raw
    """
    options["max_length"] = options["max_length"] or _MOST_BYTES
    if "://" in place:
        return _page(place, options, raw=raw, as_json=as_json)
    return _file(_path(place, raw=raw), options, as_json=as_json)


def _page(url: str, options: Mapping[str, Any], *, raw: bool, as_json: bool) -> int:
    arguments = {name: value for name, value in options.items() if value is not None}
    mode = "raw" if raw else "full"

    async def work(application: Any) -> tuple[Any, str | None]:
        request = {"url": url, "mode": mode, **arguments}
        result = await tool_calls.call_tool(
            application, "scrape_page", request, progress=tool_calls.show_progress
        )
        link = result.structured.get("resource")
        # A terminal user cannot follow a resource link, so it is followed here.
        text = (await application.views().read(link))[1] if link and not as_json else None
        return result, text

    result, body = tool_calls.run_with_application(work)
    page = result.structured
    if as_json:
        render.data(page)
        return render.exit_code(page)
    if result.is_error:
        return render.failure(page)
    _show_source(page.get("metadata") or {}, url)
    _show_notes(page, cached=result.meta.get("ageSeconds"))
    render.page_text(body if body is not None else page["content"], as_it_is=raw)
    return 0


def _path(place: str, *, raw: bool) -> Path:
    path = Path(place)
    if raw:
        raise click.UsageError(
            "--raw is for URLs only; a local file is already available as it is"
        )
    if not path.is_file():
        there = "is not a regular file" if path.exists() else "is neither a local file nor a URL"
        raise click.UsageError(f"{place!r} {there}")
    if path.stat().st_size > _MOST_FILE_BYTES:
        raise click.UsageError(f"{place} is larger than {_MOST_FILE_BYTES} bytes")
    return path


def _file(path: Path, options: Mapping[str, Any], *, as_json: bool) -> int:
    try:
        body = path.read_bytes()
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {error.strerror}") from error
    url = path.absolute().as_uri()
    visit = FetchedDocument(body=body, url=url, content_type="", mode="plain")
    try:
        reading: Reading = tool_calls.run_with_application(
            lambda application: application.services.parts.documents.read(visit)
        )
    except BadAnswer as error:
        raise click.ClickException(f"{path}: {error.detail}") from error
    page = _page_fields(reading, path, options)
    if as_json:
        render.data(page)
        return 0
    _show_source(page["metadata"], str(path))
    _show_notes(page)
    render.page_text(page["content"])
    return 0


def _page_fields(reading: Reading, path: Path, options: Mapping[str, Any]) -> dict[str, Any]:
    """The text of a file and its metadata, with the field names of `scrape_page`."""
    content = reading.content
    if options["section"] is not None:
        section = section_of(content, options["section"])
        if section is None:
            names = ", ".join(one.text for one in outline_of(content, most=30)) or "none"
            name = json.dumps(options["section"], ensure_ascii=False)
            raise click.UsageError(f"{path} has no heading {name}; available headings: {names}")
        content = section
    part = slice_text(content, offset=options["offset"], most=options["max_length"])
    details = {"author": reading.author or "", "published": reading.published}
    return {
        "file": str(path),
        "content": part.text,
        "contentType": reading.kind,
        "contentLength": len(part.text.encode()),
        "truncated": part.next_offset is not None or reading.cut,
        **({} if part.next_offset is None else {"nextOffset": part.next_offset}),
        "extractionQuality": reading.quality,
        "metadata": {"title": reading.title or "", **details},
    }


def _show_source(known: Mapping[str, Any], source: str) -> None:
    day = (known.get("published") or "")[:10]
    by = ", ".join(part for part in (known.get("author"), day) if part)
    for text in (known.get("title"), by, source):
        if text:
            render.status(text)


def _show_notes(page: Mapping[str, Any], *, cached: int | None = None) -> None:
    if cached is not None:
        render.status(f"from the cache, {cached} s old")
    if page.get("extractionQuality") == "partial":
        render.status(
            "text seems to be missing: behind a paywall or a sign-in, in a part that scripts load,"
            " or in pictures"
        )
    if (status := page.get("retractionStatus")) is not None:
        render.status(f"notice recorded for {page['detectedDoi']}: {status['kind']}")
    if page.get("retractionUnchecked"):
        render.status(f"{page['detectedDoi']} could not be checked for retractions")
    if "nextOffset" in page:
        render.status(f"more text follows: continue with --offset {page['nextOffset']}")
    elif page.get("truncated"):
        render.status("the text is incomplete: the document is damaged, or longer than is read")
