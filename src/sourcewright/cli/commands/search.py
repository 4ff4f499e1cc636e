"""`sourcewright search`: search the web for pages, news articles or images."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

import click

from sourcewright.cli import options, render, tool_calls
from sourcewright.cli.search_results import SearchOutput, show_articles, show_pages, show_pictures
from sourcewright.domain.web.queries import SafeSearch, SortOrder, TimeRange

_COMMON = {
    "lens": "lens",
    "provider": "provider",
    "number": "num_results",
    "language": "language",
    "country": "country",
    "safe": "safe",
}
_IMAGE_OPTIONS = ("size", "type", "color_type", "dominant_color", "file_type")
_SAFE_NEWS: Mapping[SafeSearch, str] = {"off": "off", "medium": "moderate", "high": "strict"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """One kind of search: its tool, and the tool argument of each supported option."""

    tool: str
    arguments: Mapping[str, str]
    show: Any


_KINDS: Mapping[str, _Kind] = {
    "pages": _Kind(
        tool="web_search",
        arguments=_COMMON
        | {"site": "site", "time_range": "time_range", "claim": "claim"}
        | {"exact": "exact_terms", "exclude": "exclude_terms"},
        show=show_pages,
    ),
    "news": _Kind(
        tool="news_search",
        arguments=_COMMON | {"site": "news_source", "time_range": "time_range", "sort": "sort_by"},
        show=show_articles,
    ),
    "images": _Kind(
        tool="image_search",
        arguments=_COMMON | {name: name for name in _IMAGE_OPTIONS},
        show=show_pictures,
    ),
}


@click.command("search")
@click.argument("words", nargs=-1, required=True, metavar="QUERY...")
@click.option("--news", "kind", flag_value="news", help="Search news articles.")
@click.option("--images", "kind", flag_value="images", help="Search images.")
@click.option("--lens", help="Only the sites of this lens; `sourcewright lenses` lists them.")
@click.option("--provider", help="Use only this search engine.")
@click.option("-n", "--number", type=int, help="Number of results (default 5).")
@click.option("--site", help="Only results on this host; ignored if --lens is set.")
@click.option(
    "--time-range",
    type=click.Choice(get_args(TimeRange)),
    help="Only results published within this period.",
)
@click.option("--language", metavar="CODE", help="Language of the results, such as de.")
@click.option("--country", metavar="CODE", help="Country of the results, such as gb.")
@click.option("--exact", metavar="WORDS", help="Only pages with exactly this phrase.")
@click.option("--exclude", metavar="WORDS", help="Only pages without these words.")
@click.option(
    "--safe", type=click.Choice(get_args(SafeSearch)), help="Safe search level (default medium)."
)
@click.option("--sort", type=click.Choice(get_args(SortOrder)), help="Order of news articles.")
@click.option("--claim", help="Show the sentence of each page that is closest to this claim.")
@click.option("--size", help="Image size, such as large.")
@click.option("--type", help="Image type, such as photo or lineart.")
@click.option("--color-type", help="Image colours, such as gray.")
@click.option("--dominant-color", help="Dominant colour of images, such as teal.")
@click.option("--file-type", help="Image file type, such as png.")
@options.as_json
def command(words: tuple[str, ...], kind: str | None, as_json: bool, **options: Any) -> int:
    """Search the web, news or images.

    No API key is needed; more engines are available with keys.
    Filters that the engine does not support are listed as ignored.
    No results is a valid outcome with exit code 0; it does not prove that nothing exists.
    The exit code is 1 if no engine gave a usable response, 2 for an invalid request, and 3 if
    a key is missing or an engine refused.

    \b
    Example:
      sourcewright search tidal energy storage
      sourcewright search tidal energy --news --time-range month --sort date
      sourcewright search sea otter --images --size large --json
    """
    search = _KINDS[kind or "pages"]
    arguments = {"query": " ".join(words), **_arguments(kind or "pages", options)}
    result = tool_calls.call(search.tool, arguments)
    if as_json:
        render.data(result.structured)
        return render.exit_code(result.structured)
    if result.is_error:
        return render.failure(result.structured)
    names = {argument: _flag(option) for option, argument in search.arguments.items()}
    search.show(SearchOutput(answer=result.structured, meta=result.meta, names=names))
    return 0


def _arguments(kind: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The tool's arguments; an option that this kind of search lacks is a usage error."""
    values = {name: value for name, value in options.items() if value is not None}
    supported = _KINDS[kind].arguments
    for name in values:
        if name not in supported:
            others = [other for other, one in _KINDS.items() if name in one.arguments]
            raise click.UsageError(
                f"{_flag(name)} applies to {' and '.join(others)}, not to a search for {kind}"
            )
    if kind == "pages" and values.get("time_range") == "hour":
        raise click.UsageError(
            "--time-range hour applies to news only; the shortest range for pages is day"
        )
    if kind == "news" and "safe" in values:
        values["safe"] = _SAFE_NEWS[values["safe"]]
    return {supported[name]: value for name, value in values.items()}


def _flag(option: str) -> str:
    return f"--{option.replace('_', '-')}"
