"""`sourcewright library search`, `recent`, `list` and `tags`."""

from collections.abc import Mapping
from typing import Any

import click

from sourcewright.cli import notices, options, render, tool_calls
from sourcewright.settings import Settings
from sourcewright.tools._answers.library import DEFAULT_LIMIT, MAX_PAPERS

_limit = click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=DEFAULT_LIMIT,
    show_default=True,
    help="Maximum number of papers.",
)
_offset = click.option(
    "--offset", type=click.IntRange(min=0), default=0, metavar="N", help="Leave out the first N."
)
_tag = click.option("--tag", metavar="TAG", help="Only papers with this tag.")
_collection = click.option("--collection", metavar="NAME", help="Only papers in this collection.")


@click.command("search")
@click.argument("words", nargs=-1, required=True)
@_limit
@_offset
@options.as_json
def search(words: tuple[str, ...], limit: int, offset: int, as_json: bool) -> int:
    """Find papers by words in their title, authors, venue, abstract, tags, note or DOI.

    \b
    Example:
      sourcewright library search yeast genome
      sourcewright library search '"gene drive"' muller
    """
    query = {"query": " ".join(words)}
    result = _call("doiget_search_local", query, limit=limit, offset=offset, name="results")
    if as_json or not result["ok"]:
        return _finish(result, as_json=as_json)
    _show_hits(result)
    return 0


@click.command("recent")
@_limit
@_offset
@options.as_json
def recent(limit: int, offset: int, as_json: bool) -> int:
    """List the most recently fetched papers.

    \b
    Example:
      sourcewright library recent --limit 10
    """
    return _list({}, limit=limit, offset=offset, as_json=as_json)


@click.command("list")
@_tag
@_collection
@_limit
@_offset
@options.as_json
def list_papers(
    tag: str | None, collection: str | None, limit: int, offset: int, as_json: bool
) -> int:
    """List the papers with a tag or in a collection, the newest first.

    \b
    Example:
      sourcewright library list --tag thesis
      sourcewright library list --collection 'Chapter 2' --limit 500
    """
    labels = {"tag": tag, "collection": collection}
    given = {name: value for name, value in labels.items() if value is not None}
    return _list(given, limit=limit, offset=offset, as_json=as_json)


@click.command("tags")
@options.as_json
def tags(as_json: bool) -> int:
    """List the tags and the collections, with the number of papers that have them.

    \b
    Example:
      sourcewright library tags
    """
    counts = tool_calls.run_with_application(
        lambda application: application.services.library.catalogue.labels()
    )
    if as_json:
        rows = [{"kind": one.kind, "name": one.name, "papers": one.papers} for one in counts]
        render.data({"ok": True, "labels": rows})
    else:
        render.table(("kind", "name", "papers"), counts)
        if not counts:
            render.item("no paper has a tag; add one with `sourcewright library tag`")
    return 0


def _list(labels: Mapping[str, str], *, limit: int, offset: int, as_json: bool) -> int:
    result = _call("doiget_list_recent", labels, limit=limit, offset=offset, name="entries")
    if as_json or not result["ok"]:
        return _finish(result, as_json=as_json)
    rows = [
        (
            *(e["fetched_at"] or "", e["year"] or "", e["title"], e["doi"] or e["safekey"]),
            notices.status_label(e["integrity"]),
        )
        for e in result["entries"]
    ]
    render.table(("fetched", "year", "title", "id", "notices"), rows)
    for paper in result["entries"]:
        if "pdf_problem" in paper:
            render.item(paper["pdf_problem"], colour="yellow")
    if not rows and not result["damaged"]:
        root = Settings.from_environment().store_root
        empty = f"the library {root} is empty; add papers with `sourcewright fetch`"
        render.item("no such paper is in the library" if labels or offset else empty)
    if offset + len(rows) < result["total"]:
        render.status(f"{len(rows)} of {result['total']} papers; --limit and --offset give others")
    _show_damage(result)
    return 0


def _call(
    tool: str, arguments: Mapping[str, Any], *, limit: int, offset: int, name: str
) -> dict[str, Any]:
    """Call a tool once for each page of the list that it calls `name`, and join the pages."""

    async def work(application: Any) -> dict[str, Any]:
        result: dict[str, Any] = {}
        papers: list[Any] = []
        while not result or (result["ok"] and len(papers) < limit):
            most = min(limit - len(papers), MAX_PAPERS)
            page = {**arguments, "limit": most, "offset": offset + len(papers)}
            called = await tool_calls.call_tool(application, tool, page)
            result = called.structured
            papers += result.get(name, ())
            if len(result.get(name, ())) < most:
                break
        return {**result, "count": len(papers), name: papers} if result["ok"] else result

    return tool_calls.run_with_application(work)


def _finish(result: Mapping[str, Any], *, as_json: bool) -> int:
    if as_json:
        render.data(result)
        return render.exit_code(result)
    return render.failure(result)


def _show_hits(result: Mapping[str, Any]) -> None:
    for hit in result["results"]:
        year = f" ({hit['year']})" if hit["year"] else ""
        render.item(f"{hit['title']}{year}", bold=True)
        render.fields(
            [
                ("authors", "; ".join(hit["authors"][:5])),
                ("id", hit["doi"] or hit["safekey"]),
                ("where", hit["snippet"] if hit["snippet"] != hit["title"] else ""),
                ("notices", notices.status_label(hit["integrity"])),
                ("warning", hit.get("pdf_problem", "")),
            ]
        )
    if not result["results"]:
        render.item("nothing in the library matches; only fetched papers are in it")
    _show_damage(result)


def _show_damage(result: Mapping[str, Any]) -> None:
    """Print the answer's note, and each entry that could not be read."""
    if result["note"]:
        render.item(result["note"], colour="yellow")
    for entry in (result["damaged"] or {}).get("entries", ()):
        render.item(
            f"not read: {entry['safekey']}: {entry['reason']}", indent="  ", colour="yellow"
        )
